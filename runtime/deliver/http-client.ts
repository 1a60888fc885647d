/**
 * Calls of other services, within bounds: time, connections, calls at once, bytes of the answer. The one place that
 * sends requests out.
 */
import type { Connections } from "./connections.ts";
import { redirected } from "./redirect.ts";
import type { TlsAllow } from "./tls-allowlist.ts";

export interface HttpClientLimits {
  /** For a whole call that does not say, the wait for a connection included. */
  readonly milliseconds: number;
  readonly connections: number;
  /** More fail at once, so that calls to a dead service do not pile up. */
  readonly callsAtOnce: number;
  readonly responseBytes: number;
  /** How many are followed; 0 where what is sent along is meant for one service only. */
  readonly redirects: number;
}

export interface HttpCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Instead of the client's limit. */
  readonly milliseconds?: number;
}

export interface HttpReply {
  readonly status: number;
  /** Names in lower case, values with one character per byte. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

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

  async #send({ url, method, headers, body }: HttpCall, signal: AbortSignal): Promise<HttpReply> {
    const { request, dispatcher } = await this.#opened();
    const reply = await request(url, { dispatcher, method, headers, signal, ...(body !== undefined && { body }) });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
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

/** Without details that only a debugger wants: `connect ECONNREFUSED 127.0.0.1:3000`. */
export function callFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no reply in time";
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}
