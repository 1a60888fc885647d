/** Sends requests of OTLP over HTTP (`/v1/traces` and its like): again where the collector says that it may help. */
import { setTimeout as pause } from "node:timers/promises";
import type { HttpClient } from "../../../outbound/http-client.ts";

export interface CollectorParts {
  readonly client: Pick<HttpClient, "call">;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** As the protocol says of them. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const attempts = 3;
/** In milliseconds; doubled for the next. */
const firstPause = 500;
const longestPause = 10_000;
const timeout = 10_000;
/** In bytes: nothing of an answer is used. */
const keptBytes = 1024;

/** @throws Error where the collector did not take it */
export async function sendToCollector({ client, url, headers }: CollectorParts, body: Uint8Array): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const reply = await client.call({
      method: "POST",
      url,
      headers: { ...headers, "content-type": "application/x-protobuf" },
      bytes: [body],
      milliseconds: timeout,
      keptBytes,
    });
    if (reply.status >= 200 && reply.status < 300) return;
    if (!transient.has(reply.status) || attempt === attempts) {
      throw new Error(`the collector answered with status ${reply.status}`);
    }
    const wanted = Number(reply.headers["retry-after"]) * 1000;
    const own = firstPause * 2 ** (attempt - 1);
    await pause(Math.min(longestPause, Number.isFinite(wanted) && wanted > 0 ? wanted : own), undefined, {
      ref: false,
    });
  }
}
