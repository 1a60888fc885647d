/**
 * WebSocket connections to other services, subject to the same rules as calls: destinations, certificates, sizes, no
 * redirects.
 */
import { WebSocket } from "ws";
import { defaultOutboundRules, type OutboundRules } from "../values/outbound-rules.ts";
import { checkAddress, guardedLookup } from "./call-targets.ts";
import { isCertificateUnchecked, type TlsAllow } from "./tls-allowlist.ts";

export interface WebSocketSettings {
  /** Permitted destinations; absent for the default rules, which exclude metadata services. */
  readonly outbound?: OutboundRules;
  /** Returns the hosts whose certificates are not verified; absent for none. */
  readonly uncheckedHosts?: () => readonly TlsAllow[];
}

interface WebSocketCall {
  /** `http:` and `https:` are converted to `ws:` and `wss:`. */
  readonly url: string;
  readonly protocol: string;
  /** One character per byte. */
  readonly headers: Readonly<Record<string, string>>;
  /** Timeout of the handshake in milliseconds. */
  readonly milliseconds: number;
}

export type OpenWebSocket = (call: WebSocketCall) => Promise<WebSocket>;

/** Maximum message size in bytes. A longer message closes the connection. */
const maxMessageBytes = 64 * 1024 * 1024;

/** Headers of the handshake itself, which clients must not set. */
const handshakeHeader = /^sec-websocket-/i;

/**
 * Returns a function that starts a connection and returns it before it is open. The function rejects if the rules
 * refuse the address.
 */
export function webSockets({
  outbound = defaultOutboundRules,
  uncheckedHosts = () => [],
}: WebSocketSettings): OpenWebSocket {
  return async ({ url, protocol, headers, milliseconds }) => {
    checkAddress(url, outbound);
    const origin = new URL(url).origin;
    return new WebSocket(url.replace(/^http/i, "ws"), protocol, {
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !handshakeHeader.test(name))),
      handshakeTimeout: milliseconds,
      maxPayload: maxMessageBytes,
      // Prevents decompression bombs.
      perMessageDeflate: false,
      lookup: guardedLookup(outbound),
      ...(isCertificateUnchecked(origin, uncheckedHosts()) && { rejectUnauthorized: false }),
    });
  };
}
