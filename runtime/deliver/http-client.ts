/**
 * Calls of other services, within bounds: time, connections, calls at once, bytes of the answer. The one place that
 * sends requests out.
 */
import { Readable } from "node:stream";
import { usualOutboundRules } from "../values/outbound-rules.ts";
import type { Connections } from "./connections.ts";
import { checkAddress } from "./guarded-lookup.ts";
import type { HttpCall, HttpClientLimits, HttpReply } from "./http-call.ts";
import { redirected } from "./redirect.ts";
import type { TlsAllow } from "./tls-allowlist.ts";

const noHosts = (): readonly TlsAllow[] => [];

export class HttpClient {
  readonly #limits: HttpClientLimits;
  readonly #uncheckedHosts: () => readonly TlsAllow[];
  #connections: Promise<Connections> | undefined;
  #calls = 0;

  /** @param uncheckedHosts the hosts whose certificates are not checked, as of now */
  constructor(limits: HttpClientLimits, uncheckedHosts: () => readonly TlsAllow[] = noHosts) {
    this.#limits = limits;
    this.#uncheckedHosts = uncheckedHosts;
  }

  /** @throws Error when there is no whole reply within the limits */
  async call(call: HttpCall): Promise<HttpReply> {
    if (this.#calls >= this.#limits.callsAtOnce) throw new Error("too many calls are waiting for a reply");
    this.#calls++;
    try {
      const signal = AbortSignal.timeout(call.milliseconds ?? this.#limits.milliseconds);
      let hop = call;
      for (let redirects = 0; ; redirects++) {
        const reply = await this.#send(hop, signal);
        const next = redirects < this.#limits.redirects ? redirected(hop, reply) : null;
        if (next === null) return reply;
        hop = next;
      }
    } finally {
      this.#calls--;
    }
  }

  async #send({ url, method, headers, body, bytes, keptBytes }: HttpCall, signal: AbortSignal): Promise<HttpReply> {
    checkAddress(url, this.#limits.outbound ?? usualOutboundRules);
    const { request, dispatcher } = await this.#opened();
    const reply = await request(url, {
      dispatcher,
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, listed(value)])),
      signal,
      ...(body !== undefined && { body }),
      ...(bytes && { body: Readable.from(bytes, { objectMode: false }) }),
    });
    const { statusCode: status, headers: replied } = reply;
    if (keptBytes === undefined) return { status, headers: replied, text: await reply.body.text() };
    return { status, headers: replied, ...(await beginningOf(reply.body, keptBytes)) };
  }

  /** The library takes longer to load than all the rest of a server that calls nobody. */
  #opened(): Promise<Connections> {
    this.#connections ??= import("./connections.ts").then(({ openConnections }) =>
      openConnections(this.#limits, this.#uncheckedHosts),
    );
    return this.#connections;
  }

  /** Ends calls in progress too. */
  async close(): Promise<void> {
    await (await this.#connections)?.close();
  }
}

/** The library changes lists that it is given. */
function listed(value: string | readonly string[]): string | string[] {
  return typeof value === "string" ? value : [...value];
}

/** The connection of a longer body is ended: its rest would have to be read. */
async function beginningOf(body: AsyncIterable<Uint8Array>, bytes: number): Promise<Pick<HttpReply, "text" | "isCut">> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytes) break;
  }
  const isCut = length > bytes;
  // While more may come, a character that is not whole is kept back.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytes), { stream: isCut });
  return isCut ? { text, isCut } : { text };
}

/** Without details that only a debugger wants: `connect ECONNREFUSED 127.0.0.1:3000`. */
export function callFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no reply in time";
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}
