/**
 * Calls of other services, within bounds: time, connections, calls at once, bytes of the answer. Redirects are not
 * followed: what is sent along was meant for one service only.
 */
import { Agent, request } from "undici";

export interface HttpClientLimits {
  /** For the whole call, the wait for a connection included. */
  readonly milliseconds: number;
  readonly connections: number;
  /** More fail at once, so that calls to a dead service do not pile up. */
  readonly callsAtOnce: number;
  readonly responseBytes: number;
}

export interface HttpCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  /** Names in lower case, values with one character per byte. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export class HttpClient {
  readonly #limits: HttpClientLimits;
  readonly #agent: Agent;
  #calls = 0;

  constructor(limits: HttpClientLimits) {
    this.#limits = limits;
    this.#agent = new Agent({
      connections: limits.connections,
      maxResponseSize: limits.responseBytes,
      connect: { timeout: limits.milliseconds },
    });
  }

  /** @throws Error when there is no whole reply within the limits */
  async call({ url, method, headers, body }: HttpCall): Promise<HttpReply> {
    if (this.#calls >= this.#limits.callsAtOnce) throw new Error("too many calls are waiting for a reply");
    this.#calls++;
    try {
      const reply = await request(url, {
        dispatcher: this.#agent,
        method,
        headers,
        signal: AbortSignal.timeout(this.#limits.milliseconds),
        ...(body !== undefined && { body }),
      });
      return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
    } finally {
      this.#calls--;
    }
  }

  /** Ends calls in progress too. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Without details that only a debugger wants: `connect ECONNREFUSED 127.0.0.1:3000`. */
export function callFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no reply in time";
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}
