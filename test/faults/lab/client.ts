/** Clients: requests with their latencies, and subscriptions that reconnect like real clients. */
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";

export interface Answer {
  readonly isGood: boolean;
  /** 0 if there was no response. */
  readonly status: number;
  /** The body, or the reason why there is none. */
  readonly text: string;
  readonly milliseconds: number;
}

export interface Request {
  readonly path?: string;
  readonly method?: "GET" | "POST";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout in milliseconds. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

/** Sends a request. Never rejects. A response with GraphQL errors is not good. */
export async function request(url: string, settings: Request): Promise<Answer> {
  const { path = "/v1/graphql", method = "POST", body, headers = {}, patience = 90_000, signal } = settings;
  const began = performance.now();
  const abort = new AbortController();
  const giveUp = (): void => abort.abort(new Error("the client gave up"));
  const timer = setTimeout(giveUp, patience);
  signal?.addEventListener("abort", giveUp);
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      signal: abort.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isGood = response.ok && !text.startsWith('{"errors"') && !text.includes('"errors":[');
    return { isGood, status: response.status, text, milliseconds: performance.now() - began };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { isGood: false, status: 0, text: String(cause), milliseconds: performance.now() - began };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

export const graphql = (
  url: string,
  query: string,
  variables = {},
  rest: Omit<Request, "body"> = {},
): Promise<Answer> => request(url, { ...rest, body: { query, variables } });

/** Pause before a client reconnects. */
const pauseMilliseconds = 200;

/** A subscription whose results are increasing numbers. Keeps only the newest result. */
export class Follower {
  readonly #url: string;
  readonly #query: (latest: number) => string;
  readonly #headers: Readonly<Record<string, string>>;
  #socket: WebSocket | undefined;
  #isClosed = false;
  latest = Number.NEGATIVE_INFINITY;
  /** Time of the last message with data. */
  heard = 0;

  /**
   * Starts the subscription.
   * @param query returns the query; after a reconnection, it may continue from the newest result
   */
  constructor(
    url: string,
    query: string | ((latest: number) => string),
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#url = url.replace(/^http/, "ws");
    this.#query = typeof query === "string" ? () => query : query;
    this.#headers = headers;
    void this.#follow();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      await this.#connection();
      await delay(pauseMilliseconds);
    }
  }

  /** Resolves when the connection or the subscription has ended. */
  #connection(): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${this.#url}/v1/graphql`, ["graphql-transport-ws"], { handshakeTimeout: 10_000 });
      this.#socket = socket;
      const send = (message: unknown): void => socket.send(JSON.stringify(message));
      socket.on("open", () => send({ type: "connection_init", payload: { headers: this.#headers } }));
      socket.on("error", () => resolve());
      socket.on("close", () => resolve());
      socket.on("message", (data) => {
        const message = JSON.parse(String(data)) as { readonly type: string; readonly payload?: unknown };
        if (message.type === "connection_ack")
          send({ id: "1", type: "subscribe", payload: { query: this.#query(this.latest) } });
        else if (message.type === "ping") send({ type: "pong" });
        else if (message.type === "next") this.#hear(message.payload);
        else if (message.type === "error" || message.type === "complete") socket.close();
      });
    });
  }

  /** Reads the result of a message: every number in its data is a received value. */
  #hear(payload: unknown): void {
    for (const [number] of JSON.stringify(payload).matchAll(/-?\d+/g)) {
      this.latest = Math.max(this.latest, Number(number));
      this.heard = performance.now();
    }
  }
}
