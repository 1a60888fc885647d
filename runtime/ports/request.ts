/** An HTTP request and its answer as handlers see them, whatever the server is that carries them. */
import type { Caller } from "../values/caller.ts";
import type { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import type { Span } from "../values/span.ts";
import type { AuthenticatedSession } from "./authentication.ts";
import type { AnswerBasis, GraphqlRequest, LongBody } from "./graphql.ts";
import type { RequestHeaders } from "./headers.ts";

export interface PlainRequest {
  readonly method: string;
  /** Path without the query string. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: RequestHeaders;
  /**
   * The body as text; empty when there is none. Nothing of it is read before the first call.
   * @param session whose limit holds; `null`: of a request that is not authenticated yet
   * @throws EngineError when it is too long, or there is no memory for it; a promise is rejected with them
   */
  readBody(session: Session | null): string | Promise<string>;
  /**
   * A body with files, as bytes. Nothing of it is read before the first call.
   * @throws EngineError as `readBody`, by the limits for such bodies
   */
  readUpload(session: Session): Promise<UploadBody>;
  /** As a proxy in front says, which any client can say too: good for the log, not for decisions. */
  readonly ip: string;
  /** Of the other end of the connection. */
  readonly peer: string;
  /** Whoever waits for the answer. */
  readonly caller: Caller;
  /** The client's `X-Request-Id`, else one made for this request. */
  readonly requestId: string;
  /** What is told of it. */
  readonly span: Span;
}

export interface UploadBody {
  readonly bytes: Buffer;
  /** Most bytes of what is not a file. */
  readonly textBytes: number;
}

/** Who a request comes from; the address is worked out when it is asked for. */
export type Client = Pick<PlainRequest, "peer">;

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Text as it goes over the wire; JSON that a database built is passed on untouched. */
  readonly body: string;
  /** In place of `body`, which is empty then. */
  readonly long?: LongBody;
  /** The body compressed beforehand, for clients that take it so. */
  readonly gzip?: Buffer;
  /** What it goes by; absent: nothing that others can change. */
  readonly basis?: AnswerBasis | undefined;
  /** What the request was, for the log. */
  readonly record: RequestRecord;
  /** What is sent in place of `body`, for as long as both sides want; absent: nothing. */
  readonly events?: Events | undefined;
}

/** An answer that goes on. */
export interface Events {
  /** When it ends at the latest, in milliseconds since 1970; absent: at no time of its own. */
  readonly expiresAt: number | undefined;
  /** To be called once, when the head of the answer is written. Resolves when it goes on by itself; never rejects. */
  start(to: EventChannel): Promise<void>;
  /** The last one that the client was told. */
  readonly error: EngineError | null;
}

/** The client of an answer that goes on. */
export interface EventChannel {
  /** What is sent to a client that has gone is dropped. */
  send(event: string | Buffer): void;
  /** Much of what was sent has not been read by the client yet. */
  isBusy(): boolean;
  /** Nothing follows. */
  end(): void;
  /** Nothing is sent any more, or the client has gone. */
  readonly isEnded: boolean;
  /** Resolves when that is so. */
  readonly ended: Promise<void>;
}

/** What a handler knows about a request when it is done; only cookies of its session go over the wire. */
export interface RequestRecord {
  /** `error`: refused before it was known what is asked. */
  readonly mode: "single" | "batched" | "non-graphql" | "error";
  /** `null`: without authentication, or refused by it. */
  readonly session: AuthenticatedSession | null;
  /** The first error of a batch. */
  readonly error: EngineError | null;
  readonly graphql?: GraphqlRequest | readonly GraphqlRequest[] | undefined;
  /** `type` of an operation of the administration endpoints. */
  readonly operationType?: string;
  /** Its whole body, which may hold secrets. */
  readonly metadata?: unknown;
  /** One entry per request of a batch. */
  readonly parts?: readonly { readonly size: number; readonly error: EngineError | null }[];
}

export type Handler = (request: PlainRequest) => Promise<PlainResponse>;
