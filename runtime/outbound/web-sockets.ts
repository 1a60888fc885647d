/** WebSockets to other services, by the rules that calls go by: addresses, certificates, sizes, no redirects. */
import { WebSocket } from "ws";
import { type OutboundRules, usualOutboundRules } from "../values/outbound-rules.ts";
import { checkAddress, guardedLookup } from "./guarded-lookup.ts";
import { isCertificateUnchecked, type TlsAllow } from "./tls-allowlist.ts";

export interface WebSocketSettings {
  /** Absent: everywhere but where credentials are given away. */
  readonly outbound?: OutboundRules;
  /** The hosts whose certificates are not checked, as of now; absent: none. */
  readonly uncheckedHosts?: () => readonly TlsAllow[];
}

interface WebSocketCall {
  /** `http:` and `https:` stand for `ws:` and `wss:`. */
  readonly url: string;
  readonly protocol: string;
  /** One character per byte. */
  readonly headers: Readonly<Record<string, string>>;
  /** For the handshake. */
  readonly milliseconds: number;
}

export type OpenWebSocket = (call: WebSocketCall) => Promise<WebSocket>;

/** A longer message ends the connection. */
const messageBytes = 64 * 1024 * 1024;

/** Headers of the handshake itself, which a client must not choose. */
const ofHandshake = /^sec-websocket-/i;

/** @returns what begins a connection; it is not open yet. Rejects for an address that the rules refuse */
export function webSockets({
  outbound = usualOutboundRules,
  uncheckedHosts = () => [],
}: WebSocketSettings): OpenWebSocket {
  return async ({ url, protocol, headers, milliseconds }) => {
    checkAddress(url, outbound);
    const origin = new URL(url).origin;
    return new WebSocket(url.replace(/^http/i, "ws"), protocol, {
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofHandshake.test(name))),
      handshakeTimeout: milliseconds,
      maxPayload: messageBytes,
      // A few bytes could stand for as much as a message may have.
      perMessageDeflate: false,
      lookup: guardedLookup(outbound),
      ...(isCertificateUnchecked(origin, uncheckedHosts()) && { rejectUnauthorized: false }),
    });
  };
}
