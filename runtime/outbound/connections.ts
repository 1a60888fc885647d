/** HTTP connections to other services. A server loads this module at start. */
import { Agent } from "undici";
import { defaultOutboundRules } from "../values/outbound-rules.ts";
import { guardedLookup } from "./call-targets.ts";
import { type Exchange, exchange } from "./exchange.ts";
import type { HttpClientLimits } from "./http-call.ts";
import { isCertificateUnchecked, type TlsAllow } from "./tls-allowlist.ts";

export interface Connections {
  /** Sends a request and reads its reply. */
  send(exchange: Exchange): void;
  /** Closes all connections and aborts calls in progress. */
  close(): Promise<unknown>;
}

/** The library's value for no limit. */
const unlimited = -1;

/**
 * Opens connection pools, one of them without certificate verification.
 * @param uncheckedHosts returns the hosts whose certificates are not verified
 */
export function openConnections(limits: HttpClientLimits, uncheckedHosts: () => readonly TlsAllow[]): Connections {
  const agent = (tls: { readonly rejectUnauthorized?: false }): Agent =>
    new Agent({
      connections: limits.connections,
      // Each call has its own timeout, which may exceed the library's.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: Number.isFinite(limits.responseBytes) ? limits.responseBytes : unlimited,
      connect: { timeout: limits.milliseconds, lookup: guardedLookup(limits.outbound ?? defaultOutboundRules), ...tls },
    });
  const verifying = agent({});
  const unverified = agent({ rejectUnauthorized: false });
  return {
    send(call) {
      const isUnchecked = isCertificateUnchecked(call.request.origin ?? "", uncheckedHosts());
      exchange(isUnchecked ? unverified : verifying, call);
    },
    close: () => Promise.all([verifying.destroy(), unverified.destroy()]),
  };
}
