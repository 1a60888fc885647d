/** An HTTP request and its response, independent of the HTTP server. */
import type { Caller } from "../values/caller.ts";
import type { EngineError } from "../values/errors.ts";
import type { EncodedText } from "../values/response-text.ts";
import type { Session } from "../values/session.ts";
import type { Span } from "../values/span.ts";
import type { AuthenticatedSession } from "./authentication.ts";
import type { GraphqlRequest, ResponseValidity } from "./graphql.ts";
import type { RequestHeaders } from "./headers.ts";

export interface PlainRequest {
  readonly method: string;
  /** Path without the query string. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: RequestHeaders;
  /**
   * Returns the body as text; empty without a body. Nothing is read before the first call.
   * @param session session whose size limit applies; `null` before authentication
   * @throws EngineError if the body is too long or there is no memory for it; a promise rejects with it
   */
  readBody(session: Session | null): string | Promise<string>;
  /**
   * Returns a body with files as bytes. Nothing is read before the first call.
   * @throws EngineError as for `readBody`, with the limits for uploads
   */
  readUpload(session: Session): Promise<UploadBody>;
  /** Address reported by a proxy, which any client can forge: use it in logs, never for decisions. */
  readonly ip: string;
  /** Address of the peer of the connection. */
  readonly peer: string;
  /** Caller that waits for the response. */
  readonly caller: Caller;
  /** The client's `X-Request-Id`, or a generated id. */
  readonly requestId: string;
  /** Span of the request. */
  readonly span: Span;
}

export interface UploadBody {
  readonly bytes: Buffer;
  /** Size limit in bytes for parts other than files. */
  readonly textBytes: number;
}

/** The client of a request. The address is computed on access. */
export type Client = Pick<PlainRequest, "peer">;

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The text to send. JSON built by a database is passed through unchanged. */
  readonly body: string;
  /** Encoded text instead of `body`, which is then empty. */
  readonly encoded?: EncodedText | undefined;
  /** Precompressed body for clients that accept gzip. */
  readonly gzip?: Buffer;
  /** Checked immediately before the response is sent; absent if no other instance can change its state. */
  readonly validity?: ResponseValidity | undefined;
  /** Record of the request for the log. */
  readonly record: RequestRecord;
  /** Event stream that is sent instead of `body`; absent for a plain response. */
  readonly events?: Events | undefined;
}

/** A response that continues as an event stream. */
export interface Events {
  /** Time at which the stream ends, in milliseconds since 1970; `undefined` without an expiry. */
  readonly expiresAt: number | undefined;
  /**
   * Starts the stream after the headers have been written; called once. Resolves when the stream runs by itself; never
   * rejects.
   */
  start(to: EventChannel): Promise<void>;
  /** True if the stream stays open when the metadata changes; absent for streams that depend on the metadata. */
  readonly isIndependent?: boolean;
  /** The last event if the server ends the stream; absent if there is none. */
  readonly farewell?: string;
  /** The last error sent to the client. */
  readonly error: EngineError | null;
}

/** The client of an event stream. */
export interface EventChannel {
  /** Sends an event. Ignored if the client has disconnected. */
  send(event: string | Buffer): void;
  /** Returns true if the client is slow, with much unread data. */
  isBusy(): boolean;
  /** Ends the stream. */
  end(): void;
  /** True after the end of the stream or a disconnection. */
  readonly isEnded: boolean;
  /** Resolves when `isEnded` becomes true. */
  readonly ended: Promise<void>;
}

/** Data about a handled request, for the log. Of these members, only the session's cookies are sent to the client. */
export interface RequestRecord {
  /** `error`: rejected before the kind of request was known. */
  readonly mode: "single" | "batched" | "non-graphql" | "error";
  /** `null` if authentication failed or was not required. */
  readonly session: AuthenticatedSession | null;
  /** The error of the request; the first one of a batch. */
  readonly error: EngineError | null;
  readonly graphql?: GraphqlRequest | readonly GraphqlRequest[] | undefined;
  /** True if the server of `--fallback` has responded. */
  readonly isForwarded?: true;
  /** `type` of an operation of the administration endpoints. */
  readonly operationType?: string;
  /** The whole body, which may contain secrets. */
  readonly metadata?: unknown;
  /** One entry per request of a batch. */
  readonly parts?: readonly { readonly size: number; readonly error: EngineError | null }[];
}

export type Handler = (request: PlainRequest) => Promise<PlainResponse>;
