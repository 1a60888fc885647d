/** Wraps a client so that it counts bytes sent and received. */
import type { HttpClient } from "../../outbound/http-client.ts";
import type { Counter } from "../../ports/metrics.ts";

type Bytes = { add(bytes: number): void } & Pick<Counter<"eventRequestBytes">, "add">;

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
