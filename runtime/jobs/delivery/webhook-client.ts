/** The client for webhooks of triggers, which say themselves how long an answer may take. */
import { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import type { OutboundRules } from "../../values/outbound-rules.ts";

/** In milliseconds: so long an attempt may wait where its trigger does not say. */
const longestCall = 30 * 60 * 1000;

/**
 * @param connections to each host
 * @param outbound where calls may go
 * @param uncheckedHosts whose certificates are not checked, as of now
 */
export function webhookClient(
  connections: number,
  uncheckedHosts: () => readonly TlsAllow[],
  outbound: OutboundRules,
): HttpClient {
  const limits = {
    milliseconds: longestCall,
    connections,
    // Who calls bounds this by the slots it has, and answers by what it keeps of them.
    callsAtOnce: Number.POSITIVE_INFINITY,
    responseBytes: Number.POSITIVE_INFINITY,
    redirects: 5,
    outbound,
  };
  return new HttpClient(limits, uncheckedHosts);
}
