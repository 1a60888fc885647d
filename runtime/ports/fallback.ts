/** The server that a project moves from, which serves operations that this server cannot serve yet (`--fallback`). */
import type { EngineError, UnservedOperation } from "../values/errors.ts";
import type { AuthenticatedSession } from "./authentication.ts";
import type { GraphqlRequest } from "./graphql.ts";
import type { PlainRequest } from "./request.ts";

/** An operation that was admitted here and that this server lacks fields for. */
export interface ForwardedOperation {
  readonly request: PlainRequest;
  readonly session: AuthenticatedSession;
  readonly operation: GraphqlRequest;
  readonly unserved: UnservedOperation;
}

export interface FallbackResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON text. */
  readonly body: string;
}

export interface FallbackService {
  /** Returns the operation of a failed request that may be forwarded; `undefined` if the error is final. */
  unservedIn(error: EngineError, request: PlainRequest, operation: GraphqlRequest): UnservedOperation | undefined;
  /**
   * Forwards an operation and returns the response unchanged.
   * @throws EngineError `fallback-failed` if there is no JSON response within the limits
   */
  forward(operation: ForwardedOperation): Promise<FallbackResponse>;
}
