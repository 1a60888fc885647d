/**
 * What `engine.config.ts` sets in code. Written by hand, since the package and artifacts ship it as it is.
 */
import type { EngineOptions } from "./options.mjs";

/** Gives the configuration its types; the same object. */
export declare function defineConfig(config: EngineConfig): EngineConfig;

/**
 * Refuses a request, in `session` or `beforeOperation`: the client gets the message.
 * @param details `code`: default `access-denied`; `status` of HTTP where an endpoint tells it: default 403
 */
export declare function refuse(message: string, details?: { readonly code?: string; readonly status?: number }): never;

export interface EngineConfig {
  /** Flags and environment variables go before them, defaults after. */
  readonly options?: EngineOptions;
  /**
   * Who asks, by the host's own authentication. Asked after the admin secret, which the server must have, and before
   * tokens and webhooks; `null`: not known, these decide.
   */
  readonly session?: (request: EngineRequest) => Known | PromiseLike<Known>;
  /** Called for an admitted operation, before it is planned. It returns nothing; what it throws refuses the operation. */
  readonly beforeOperation?: (operation: EngineOperation) => void | PromiseLike<void>;
  /** Called when an operation is over. Nobody waits for it, and what it throws is logged. */
  readonly afterOperation?: (operation: EngineOperation, outcome: EngineOutcome) => void | PromiseLike<void>;
  /** Takes each line of the log, which goes to standard output otherwise. */
  readonly log?: (line: string) => void;
  /** How long `session` and `beforeOperation` may take; default 10 000. */
  readonly timeoutMilliseconds?: number;
}

type Known = EngineIdentity | null | undefined;

/** Of an HTTP request, or of a WebSocket with the headers that its client sends when it connects. */
export interface EngineRequest {
  /** Without cookies that a page of another site may have caused the browser to send. */
  readonly headers: Headers;
  /** Of HTTP, where it is known. */
  readonly method?: string | undefined;
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
}

export interface EngineIdentity {
  readonly role: string;
  /** Session variables by their names, which begin with `x-engine-`. Those that the client sends do not count. */
  readonly variables?: Readonly<Record<string, string>>;
  /** When it ends, as a date or in milliseconds since 1970; subscriptions end then. Absent: never. */
  readonly expiresAt?: Date | number | undefined;
}

/** A copy of what is asked: changing it changes nothing. */
export interface EngineOperation {
  /** `data`: a data operation of `/v1/query`, whose `query` is JSON. */
  readonly api: "graphql" | "relay" | "rest" | "data";
  readonly query: string;
  /** As the request names it, else that of its only operation. */
  readonly operationName: string | null;
  /** As plain JSON; long numbers are rounded, files are `null`. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly role: string;
  readonly sessionVariables: Readonly<Record<string, string>>;
  /** As in the log; absent: no client asks, but a schedule. */
  readonly requestId?: string | undefined;
}

export interface EngineOutcome {
  readonly error: { readonly code: string; readonly message: string } | null;
  /** From the end of `beforeOperation`; of a subscription, until it ended. */
  readonly milliseconds: number;
}
