/** The HTTP client for webhooks of triggers, whose definitions set the timeout. */
import { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import type { Counter } from "../../ports/metrics.ts";
import type { OutboundRules } from "../../values/outbound-rules.ts";

/** Timeout in milliseconds if the definition has none. */
const maxCallMilliseconds = 30 * 60 * 1000;

/**
 * Creates the client.
 * @param connections maximum number of connections per host
 * @param uncheckedHosts returns the hosts whose certificates are not verified
 * @param outbound rules for permitted destinations
 */
export function webhookClient(
  connections: number,
  uncheckedHosts: () => readonly TlsAllow[],
  outbound: OutboundRules,
): HttpClient {
  const limits = {
    milliseconds: maxCallMilliseconds,
    connections,
    // The caller limits concurrency with its slots, and limits the bytes of each response.
    callsAtOnce: Number.POSITIVE_INFINITY,
    responseBytes: Number.POSITIVE_INFINITY,
    redirects: 5,
    outbound,
  };
  return new HttpClient(limits, uncheckedHosts);
}

type Bytes = { add(bytes: number): void } & Pick<Counter<"eventRequestBytes">, "add">;

/** Wraps a client so that it counts bytes sent and received. */
export function meteredClient(
  client: Pick<HttpClient, "call">,
  sent: Bytes,
  received: Bytes,
): Pick<HttpClient, "call"> {
  return {
    async call(call) {
      sent.add(Buffer.byteLength(call.body ?? ""));
      const reply = await client.call(call);
      received.add(Buffer.byteLength(reply.text));
      return reply;
    },
  };
}
