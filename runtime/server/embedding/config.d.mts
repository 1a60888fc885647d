/** The types of `engine.config.ts`. Written by hand, because the package and artifacts ship this file unchanged. */
import type { EngineOptions } from "./options.mjs";

/** Returns its argument, with types. */
export declare function defineConfig(config: EngineConfig): EngineConfig;

/**
 * Refuses a request in `session` or `beforeOperation`. The client receives the message.
 * @param details `code`: default `access-denied`; `status`: HTTP status for endpoints that return one, default 403
 */
export declare function refuse(message: string, details?: { readonly code?: string; readonly status?: number }): never;

export interface EngineConfig {
  /** Options with lower precedence than flags and environment variables. */
  readonly options?: EngineOptions;
  /**
   * Authenticates a request with the host's own method. The server must have an admin secret, which is checked first.
   * If this function returns `null`, tokens and webhooks decide.
   */
  readonly session?: (request: EngineRequest) => Known | PromiseLike<Known>;
  /** Called for an admitted operation before it is planned. Returns nothing; an exception refuses the operation. */
  readonly beforeOperation?: (operation: EngineOperation) => void | PromiseLike<void>;
  /** Called when an operation has ended. Not awaited; exceptions are logged. */
  readonly afterOperation?: (operation: EngineOperation, outcome: EngineOutcome) => void | PromiseLike<void>;
  /** Receives each log line instead of standard output. */
  readonly log?: (line: string) => void;
  /** Timeout of `session` and `beforeOperation` in milliseconds; default 10 000. */
  readonly timeoutMilliseconds?: number;
}

type Known = EngineIdentity | null | undefined;

/** An HTTP request, or a WebSocket with the headers of its connection message. */
export interface EngineRequest {
  /** Request headers, without cookies that a page of another site may have caused the browser to send. */
  readonly headers: Headers;
  /** HTTP method, if known. */
  readonly method?: string | undefined;
  /** Aborted on timeout. */
  readonly signal: AbortSignal;
}

export interface EngineIdentity {
  readonly role: string;
  /** Session variables by name. Names start with `x-engine-`. Variables sent by the client are ignored. */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * Expiry of the session as a date or in milliseconds since 1970, which ends subscriptions; absent if it never
   * expires.
   */
  readonly expiresAt?: Date | number | undefined;
}

/** A copy of the operation. Changes have no effect. */
export interface EngineOperation {
  /** `tool`: a tool of `/mcp`. `data`: a data operation of `/v1/query`, whose `query` is JSON. */
  readonly api: "graphql" | "relay" | "rest" | "tool" | "data";
  readonly query: string;
  /** Operation name of the request, or the name of its only operation. */
  readonly operationName: string | null;
  /** Variables as plain JSON. Long numbers are rounded; files are `null`. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly role: string;
  readonly sessionVariables: Readonly<Record<string, string>>;
  /** Request id as in the log; absent for scheduled operations. */
  readonly requestId?: string | undefined;
}

export interface EngineOutcome {
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Time since the end of `beforeOperation`; for a subscription, until it ended. */
  readonly milliseconds: number;
}
