/** A subscription to a remote schema for one client. Reconnects after a lost connection. */
import type { OpenWebSocket } from "../../outbound/web-sockets.ts";
import type { SubscriptionSink } from "../../ports/graphql.ts";
import { resolveTemplate } from "../../values/environment-template.ts";
import { EngineError } from "../../values/errors.ts";
import type { BoundRemote } from "./bound-remote.ts";
import type { CircuitBreakers } from "./circuit-breaker.ts";
import { circuitOpen, RemoteErrors, unreachable } from "./remote-errors.ts";
import { type RemoteValues, remoteValues } from "./remote-values.ts";
import { type Loss, UpstreamConnection } from "./upstream-connection.ts";

export interface RemoteStreamSettings {
  readonly open: OpenWebSocket;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly breakers: CircuitBreakers;
  /** If true, errors are dropped when there is data. */
  readonly prioritizeData: boolean;
}

/** The bound request, and the encoder of its results. */
export interface Streamed {
  readonly bound: BoundRemote;
  /** Returns the JSON text of `data` from the values of the fields. */
  readonly encode: (values: RemoteValues) => string;
}

export interface RemoteStreamParts {
  readonly streamed: Streamed;
  /**
   * Plans the operation on the current generation.
   * @throws EngineError if the operation is no longer valid
   */
  readonly replan: () => Streamed;
  readonly sink: SubscriptionSink;
  readonly onEnd: () => void;
}

/** Maximum number of consecutive reconnects. */
const maxRetries = 5;
const firstRetryMilliseconds = 1000;

export class RemoteStream {
  readonly #settings: RemoteStreamSettings;
  readonly #parts: RemoteStreamParts;
  #streamed: Streamed;
  #connection: UpstreamConnection | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #retries = 0;
  /** True once the server has accepted the operation. */
  #wasAccepted = false;
  #hasEnded = false;

  constructor(settings: RemoteStreamSettings, parts: RemoteStreamParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#streamed = parts.streamed;
  }

  start(): void {
    this.#connect();
  }

  stop(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#retryTimer);
    this.#connection?.stop();
    this.#parts.onEnd();
  }

  /**
   * Replans the subscription. Keeps the connection if the request is unchanged, reconnects if it changed, and ends if
   * it is no longer valid.
   */
  metadataChanged(): void {
    if (this.#hasEnded) return;
    const before = this.#streamed;
    try {
      this.#streamed = this.#parts.replan();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (isSame(before.bound, this.#streamed.bound)) return;
    clearTimeout(this.#retryTimer);
    this.#connection?.stop();
    this.#connect();
  }

  #connect(): void {
    const { server } = this.#streamed.bound.plan.remote;
    const url = resolveTemplate(server.url, this.#settings.environment);
    const breaker = this.#settings.breakers.of(url);
    if (!breaker.mayCall()) {
      this.#lost({ isFinal: false }, circuitOpen(server));
      return;
    }
    const { headers, body } = this.#streamed.bound;
    const call = {
      url,
      headers: withoutBody(headers),
      initPayload: JSON.stringify({ headers: Object.fromEntries(Object.entries(withoutBody(headers)).map(asText)) }),
      body,
      milliseconds: server.timeoutSeconds * 1000,
    };
    let hasOutcome = false;
    const connection: UpstreamConnection = new UpstreamConnection(this.#settings.open, call, {
      started: () => {
        breaker.succeeded();
        hasOutcome = true;
        this.#wasAccepted = true;
      },
      next: async (payload) => {
        this.#retries = 0;
        if (this.#connection === connection) await this.#deliver(payload);
      },
      refused: (errors) => this.#fail(new RemoteErrors(errors)),
      completed: () => {
        if (this.#hasEnded) return;
        this.stop();
        this.#parts.sink.complete();
      },
      lost: (loss) => {
        // A server that refuses one session may still serve other sessions, so the circuit stays closed.
        if (!hasOutcome && !loss.isFinal) breaker.failed();
        else if (!hasOutcome) breaker.succeeded();
        hasOutcome = true;
        if (this.#connection === connection) this.#lost(loss, unreachable(server, loss.reason, loss.cause));
      },
      isBusy: () => this.#parts.sink.isBusy(),
      stopped: () => {
        if (!hasOutcome) breaker.abandoned();
      },
    });
    this.#connection = connection;
  }

  async #deliver(payload: string): Promise<void> {
    const { bound, encode } = this.#streamed;
    const { sink } = this.#parts;
    try {
      const values = await remoteValues(payload, bound.plan, this.#settings.prioritizeData);
      if (!this.#hasEnded) sink.next(encode(values));
    } catch (error) {
      if (!(error instanceof EngineError)) this.#fail(error);
      else if (!this.#hasEnded) sink.error(error);
    }
  }

  #lost({ isFinal }: Pick<Loss, "isFinal">, error: EngineError): void {
    if (this.#hasEnded) return;
    if (!this.#wasAccepted || isFinal || this.#retries >= maxRetries) {
      this.#fail(error);
      return;
    }
    this.#retryTimer = setTimeout(() => this.#connect(), firstRetryMilliseconds * 2 ** this.#retries);
    this.#retries++;
  }

  #fail(error: unknown): void {
    if (this.#hasEnded) return;
    this.stop();
    this.#parts.sink.error(error);
    this.#parts.sink.complete();
  }
}

/** Compares server, operation and session. Ignores trace headers, which differ for each request. */
function isSame(a: BoundRemote, b: BoundRemote): boolean {
  const partsOf = ({ plan, headers, body }: BoundRemote): string => {
    const lasting = Object.entries(headers).filter(([name]) => !name.startsWith("trace") && !name.startsWith("x-b3-"));
    const { url, timeoutSeconds } = plan.remote.server;
    return JSON.stringify([url, timeoutSeconds, body, lasting.sort(([x], [y]) => (x < y ? -1 : 1))]);
  };
  return partsOf(a) === partsOf(b);
}

/** Removes `content-type`, because a handshake has no body. */
function withoutBody({ "content-type": _, ...headers }: BoundRemote["headers"]): BoundRemote["headers"] {
  return headers;
}

/** Decodes header values for JSON: headers have one character per byte. */
function asText([name, value]: readonly [string, string]): readonly [string, string] {
  const text = Buffer.from(value, "latin1").toString("utf8");
  return [name, Buffer.from(text, "utf8").toString("latin1") === value ? text : value];
}
