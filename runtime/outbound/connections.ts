/** What calls of other services go through. Loaded as a server starts, with the first call elsewhere. */
import { Agent } from "undici";
import { usualOutboundRules } from "../values/outbound-rules.ts";
import { type Exchange, exchange } from "./exchange.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import type { HttpClientLimits } from "./http-call.ts";
import { isCertificateUnchecked, type TlsAllow } from "./tls-allowlist.ts";

export interface Connections {
  /** Sends a request and reads its reply. */
  send(exchange: Exchange): void;
  /** Ends calls in progress too. */
  close(): Promise<unknown>;
}

/** How the library says it. */
const unlimited = -1;

/** @param uncheckedHosts the hosts whose certificates are not checked, as of now */
export function openConnections(limits: HttpClientLimits, uncheckedHosts: () => readonly TlsAllow[]): Connections {
  const agent = (tls: { readonly rejectUnauthorized?: false }): Agent =>
    new Agent({
      connections: limits.connections,
      // Each call has a limit of its own for all of it, which may be longer than those of the library.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: Number.isFinite(limits.responseBytes) ? limits.responseBytes : unlimited,
      connect: { timeout: limits.milliseconds, lookup: guardedLookup(limits.outbound ?? usualOutboundRules), ...tls },
    });
  const checking = agent({});
  const unchecking = agent({ rejectUnauthorized: false });
  return {
    send(call) {
      const isUnchecked = isCertificateUnchecked(call.request.origin ?? "", uncheckedHosts());
      exchange(isUnchecked ? unchecking : checking, call);
    },
    close: () => Promise.all([checking.destroy(), unchecking.destroy()]),
  };
}
