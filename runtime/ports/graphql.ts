/** Execution of GraphQL operations, including subscriptions. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { EngineError } from "../values/errors.ts";
import type { JoinedBytes } from "../values/joined-bytes.ts";
import type { ResponseText } from "../values/response-text.ts";
import type { UploadedFile } from "../values/uploaded-file.ts";
import type { OperationIdentity } from "./metrics.ts";
import type { CacheInfo } from "./response-cache.ts";

/** The members of a GraphQL request body, with validated JSON types. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Members that the client sent as null; absent if there are none. */
  readonly sentNulls?: readonly ("operationName" | "variables")[];
  /** Files among the variables; absent without files. */
  readonly files?: ReadonlySet<UploadedFile>;
}

/**
 * Returns the text of a saved operation by the lower-case hexadecimal SHA-256 of its text, as saved or as client
 * libraries print it.
 */
export type FindSavedText = (hash: string) => string | undefined;

/** Receives parts of a response besides its text. Absent functions mean that the part is discarded. */
export interface ResponseBuilder {
  /** Adds a value of `Set-Cookie`. */
  addCookie?(value: string): void;
  /** Sets the token with which the client can read its own writes (`X-Engine-Read-After`). */
  setReadAfter?(text: string): void;
  /** Called if the query requested a cached response. */
  setCached?(cached: CacheInfo): void;
  /** Receives a check to run immediately before the response is sent. Absent if the transport does not check. */
  validWhile?(validity: ResponseValidity): void;
  /**
   * Receives an error that makes one field null (`EngineError.fieldPath`). If absent, the error fails the whole
   * response.
   */
  addError?(error: EngineError): void;
  /** Discards the added errors because the request is retried from its start. */
  discardErrors?(): void;
  /** Called when an operation has changed data, and before it calls a service that may do so. */
  noteEffect?(): void;
}

/** Checks whether a response may still be sent after the process was suspended. */
export interface ResponseValidity {
  /** Returns true if the permissions used for the response still apply. Synchronous unless the process was suspended. */
  isCurrent(): true | Promise<boolean>;
}

export interface GraphqlService {
  /**
   * Runs one query or mutation and returns the JSON text of `data`, such as `{"author":[…]}`. A query is cancelled when
   * its caller disconnects; a mutation runs to completion.
   * @throws EngineError
   */
  execute(
    request: GraphqlRequest,
    by: AdmittedSession,
    caller?: Caller,
    headers?: ResponseBuilder,
  ): Promise<ResponseText>;
  /**
   * Plans one operation of any kind and binds its values, for transports that can deliver several results.
   * @throws EngineError for any error in the request itself
   */
  prepare(request: GraphqlRequest, by: AdmittedSession): Promise<PreparedOperation>;
  /** Returns the number and poll statistics of subscriptions as JSON. */
  subscriptions(): unknown;
}

interface Prepared {
  /** Identity in metrics; absent without metrics. */
  readonly about?: OperationIdentity;
  /** Returns the hash of the operation text without literals, for the log; absent if the transport does not log it. */
  readonly textHash?: () => string;
}

/** A planned operation. Any later failure is a database failure. */
export type PreparedOperation =
  | (Prepared & {
      readonly kind: "query" | "mutation";
      /**
       * Runs the operation and returns the JSON text of `data`. A query is cancelled when its caller disconnects; a
       * mutation runs to completion.
       * @throws EngineError
       */
      run(caller?: Caller, headers?: ResponseBuilder): Promise<ResponseText>;
    })
  | (Prepared & {
      readonly kind: "subscription";
      /** True if the subscription delivers rows one after the other instead of complete results. */
      readonly isStream?: boolean;
      /**
       * Delivers results to the sink until it is stopped or completes. The first result may arrive before this
       * resolves.
       * @throws EngineError if there is no first result; the sink is then never called
       */
      subscribe(sink: SubscriptionSink): Promise<Subscription>;
    });

/** Receives the results of one subscription. */
export interface SubscriptionSink extends Partial<Caller> {
  /**
   * Receives a result.
   * @param data the JSON text of `data`; the same object for all sinks that receive a result
   * @param errors errors that made fields null; absent if there are none
   */
  next(data: string | JoinedBytes, errors?: readonly EngineError[]): void;
  /**
   * Reports a failed result. Further results may follow.
   * @param error an `EngineError`, or another error caused by a bug
   */
  error(error: unknown): void;
  /** Called after the last result. */
  complete(): void;
  /** Returns true if the client is slow, so that deferrable results are held back. */
  isBusy(): boolean;
}

export interface Subscription {
  /** Stops the delivery of results. */
  stop(): void;
}
