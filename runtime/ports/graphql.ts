/** Running GraphQL operations, once or for as long as somebody listens. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { EnclosedText } from "../values/enclosed-text.ts";
import type { LongText } from "../values/long-text.ts";
import type { UploadedFile } from "../values/uploaded-file.ts";
import type { OperationIdentity } from "./metrics.ts";
import type { CachedAnswer } from "./response-cache.ts";

/** The members of a GraphQL request body, already checked for their JSON types. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Members that the client sent as null; absent: those that are null were not sent. */
  readonly sentNulls?: readonly ("operationName" | "variables")[];
  /** Those among the variables; absent: none. */
  readonly files?: ReadonlySet<UploadedFile>;
}

/** A text that is too long to be put together: parts of it, or its bytes as they are sent. */
export type LongBody = LongText | EnclosedText;

/** Takes what goes beside the text of an answer. */
export interface AnswerHeaders {
  /** A value of `Set-Cookie`. Absent: nobody takes it. */
  addCookie?(value: string): void;
  /** Something was written: what the client sends to read it (`X-Engine-Read-After`). Absent: nobody is told. */
  setReadAfter?(text: string): void;
  /** The query asked for an answer out of the cache. Absent: nobody is told. */
  setCached?(answer: CachedAnswer): void;
  /**
   * Takes the JSON text of `data`'s value where it is too long to be one text; the text that is answered is empty then.
   * Absent: it is put together.
   */
  takeLong?(text: LongBody): void;
  /** What was read rests on it, so who sends the answer asks it again right before. Absent: nobody does. */
  restOn?(basis: AnswerBasis): void;
}

/** What an answer goes by, which others may have changed while the process stood still. */
export interface AnswerBasis {
  /** Whether an answer may still be given on it; at once where the process did not stand still. */
  holds(): true | Promise<boolean>;
}

export interface GraphqlService {
  /**
   * Runs one query or mutation and answers the JSON text of `data`'s value, for example `{"author":[…]}`. A query ends
   * when its caller is gone, a mutation runs to its end.
   * @throws EngineError
   */
  execute(request: GraphqlRequest, by: AdmittedSession, caller?: Caller, headers?: AnswerHeaders): Promise<string>;
  /**
   * Plans one operation of any kind and binds its values, for transports that can deliver several results.
   * @throws EngineError whatever is wrong with the request itself
   */
  prepare(request: GraphqlRequest, by: AdmittedSession): Promise<PreparedOperation>;
  /** How many subscriptions there are and how their polls do, as plain JSON. */
  subscriptions(): unknown;
}

interface Prepared {
  /** What metrics call it; absent: nobody asks. */
  readonly about?: OperationIdentity;
  /** The hash of its text without values, for the log; absent: the transport that runs it writes none. */
  readonly textHash?: () => string;
}

/** An operation that is ready to run: what fails from here on failed in a database. */
export type PreparedOperation =
  | (Prepared & {
      readonly kind: "query" | "mutation";
      /**
       * Answers the JSON text of `data`'s value. A query ends when its caller is gone, a mutation runs to its end.
       * @throws EngineError
       */
      run(caller?: Caller, headers?: AnswerHeaders): Promise<string>;
    })
  | (Prepared & {
      readonly kind: "subscription";
      /** Whether it delivers rows one after the other, not the whole answer again. */
      readonly isStream?: boolean;
      /**
       * Delivers results to the sink until it is stopped or completes; the first one may come before this resolves.
       * @throws EngineError when there is no first result; then the sink is never called
       */
      subscribe(sink: SubscriptionSink): Promise<Subscription>;
    });

/** Takes the results of one subscription. */
export interface SubscriptionSink extends Partial<Caller> {
  /** @param data the JSON text of `data`'s value */
  next(data: string): void;
  /**
   * A result could not be had; the next one may follow all the same.
   * @param error an `EngineError`, or what only a mistake of ours can cause
   */
  error(error: unknown): void;
  /** There will be no further results. */
  complete(): void;
  /** The client has not yet read much of what it was sent: what is not urgent is kept from it. */
  isBusy(): boolean;
}

export interface Subscription {
  /** Nothing is delivered from now on. */
  stop(): void;
}
