/** A subscription to a remote server, for as long as its client listens: over connections that may get lost. */
import type { OpenWebSocket } from "../../outbound/web-sockets.ts";
import type { SubscriptionSink } from "../../ports/graphql.ts";
import { resolveTemplate } from "../../values/environment-template.ts";
import { EngineError } from "../../values/errors.ts";
import type { BoundRemote } from "./bound-remote.ts";
import type { CircuitBreakers } from "./circuit-breaker.ts";
import { leftAlone, passedOn, unreachable } from "./remote-errors.ts";
import { type RemoteValues, remoteValues } from "./remote-values.ts";
import { type Loss, UpstreamConnection } from "./upstream-connection.ts";

export interface RemoteStreamSettings {
  readonly open: OpenWebSocket;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly breakers: CircuitBreakers;
  /** Where there is data, errors beside it are dropped. */
  readonly prioritizeData: boolean;
}

/** What is asked, and how its results become those of the client. */
export interface Streamed {
  readonly bound: BoundRemote;
  /** The values of the fields → JSON text of `data`'s value. */
  readonly answer: (values: RemoteValues) => string;
}

export interface RemoteStreamParts {
  readonly streamed: Streamed;
  /** @throws EngineError when it is not valid any more */
  readonly replan: () => Streamed;
  readonly sink: SubscriptionSink;
  readonly onEnd: () => void;
}

/** A connection that is lost is opened again so often in a row. */
const mostRetries = 5;
const firstRetryMilliseconds = 1000;

export class RemoteStream {
  readonly #settings: RemoteStreamSettings;
  readonly #parts: RemoteStreamParts;
  #streamed: Streamed;
  #connection: UpstreamConnection | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #retries = 0;
  /** The server has taken the operation once. */
  #hasBegun = false;
  #hasEnded = false;

  constructor(settings: RemoteStreamSettings, parts: RemoteStreamParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#streamed = parts.streamed;
  }

  /** To be called once. */
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

  /** Goes on where nothing changes for the server; else begins anew, or ends where it is not valid any more. */
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
      this.#lost({ isFinal: false }, leftAlone(server));
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
    let isAnswered = false;
    const connection: UpstreamConnection = new UpstreamConnection(this.#settings.open, call, {
      started: () => {
        breaker.succeeded();
        isAnswered = true;
        this.#hasBegun = true;
      },
      next: async (payload) => {
        this.#retries = 0;
        if (this.#connection === connection) await this.#deliver(payload);
      },
      refused: (errors) => this.#fail(passedOn(errors)),
      completed: () => {
        if (this.#hasEnded) return;
        this.stop();
        this.#parts.sink.complete();
      },
      lost: (loss) => {
        // One that refuses a session is there for others.
        if (!isAnswered && !loss.isFinal) breaker.failed();
        else if (!isAnswered) breaker.succeeded();
        isAnswered = true;
        if (this.#connection === connection) this.#lost(loss, unreachable(server, loss.reason, loss.cause));
      },
      isBusy: () => this.#parts.sink.isBusy(),
      stopped: () => {
        if (!isAnswered) breaker.abandoned();
      },
    });
    this.#connection = connection;
  }

  async #deliver(payload: string): Promise<void> {
    const { bound, answer } = this.#streamed;
    const { sink } = this.#parts;
    try {
      const values = await remoteValues(payload, bound.plan, this.#settings.prioritizeData);
      if (!this.#hasEnded) sink.next(answer(values));
    } catch (error) {
      if (!(error instanceof EngineError)) this.#fail(error);
      else if (!this.#hasEnded) sink.error(error);
    }
  }

  #lost({ isFinal }: Pick<Loss, "isFinal">, error: EngineError): void {
    if (this.#hasEnded) return;
    if (!this.#hasBegun || isFinal || this.#retries >= mostRetries) {
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

/** The same operation of the same session at the same server; traces differ from request to request. */
function isSame(a: BoundRemote, b: BoundRemote): boolean {
  const partsOf = ({ plan, headers, body }: BoundRemote): string => {
    const lasting = Object.entries(headers).filter(([name]) => !name.startsWith("trace") && !name.startsWith("x-b3-"));
    const { url, timeoutSeconds } = plan.remote.server;
    return JSON.stringify([url, timeoutSeconds, body, lasting.sort(([x], [y]) => (x < y ? -1 : 1))]);
  };
  return partsOf(a) === partsOf(b);
}

/** A handshake has no body. */
function withoutBody({ "content-type": _, ...headers }: BoundRemote["headers"]): BoundRemote["headers"] {
  return headers;
}

/** Headers carry one character per byte, JSON carries the text. */
function asText([name, value]: readonly [string, string]): readonly [string, string] {
  const text = Buffer.from(value, "latin1").toString("utf8");
  return [name, Buffer.from(text, "utf8").toString("latin1") === value ? text : value];
}
