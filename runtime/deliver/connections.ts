/** What calls of other services go through. Loaded with the first call. */
import { Agent, type Dispatcher, request } from "undici";
import { usualOutboundRules } from "../values/outbound-rules.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import type { HttpClientLimits } from "./http-call.ts";
import { isCertificateUnchecked, type TlsAllow } from "./tls-allowlist.ts";

export interface Connections {
  readonly request: typeof request;
  readonly dispatcher: Dispatcher;
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
      maxResponseSize: Number.isFinite(limits.responseBytes) ? limits.responseBytes : unlimited,
      connect: { timeout: limits.milliseconds, lookup: guardedLookup(limits.outbound ?? usualOutboundRules), ...tls },
    });
  const checking = agent({});
  const unchecking = agent({ rejectUnauthorized: false });
  const choose =
    (dispatch: Dispatcher["dispatch"]): Dispatcher["dispatch"] =>
    (options, handler) => {
      const isUnchecked = isCertificateUnchecked(options.origin ?? "", uncheckedHosts());
      return isUnchecked ? unchecking.dispatch(options, handler) : dispatch(options, handler);
    };
  return {
    request,
    dispatcher: checking.compose(choose),
    close: () => Promise.all([checking.destroy(), unchecking.destroy()]),
  };
}
