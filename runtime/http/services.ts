/**
 * What request handlers ask for: plain requests in, plain responses out. The live server wires these to the
 * compiler's control plane, a sealed server to a loaded artifact; handlers cannot tell the difference.
 */
import type { AdmittedSession } from "../support/admitted-session.ts";
import type { Caller } from "../support/caller.ts";
import type { EngineError } from "../support/errors.ts";
import type { RouteMatch } from "../support/rest/routes.ts";
import type { SavedOperation } from "../support/saved/operation.ts";
import type { SchemaApi } from "../support/schema/role-schema.ts";
import type { Session } from "../support/session.ts";

export interface PlainRequest extends Caller {
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
  /** As a proxy in front says, which any client can say too: good for the log, not for decisions. */
  readonly ip: string;
  /** Of the other end of the connection. */
  readonly peer: string;
  /** The client's `X-Request-Id`, else one made for this request. */
  readonly requestId: string;
}

/**
 * Names in lower case. Values as they came over the wire, one character per byte: what may hold other letters than
 * ASCII is read with `decodeHeader` (runtime/auth/headers.ts).
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Text as it goes over the wire; JSON that a database built is passed on untouched. */
  readonly body: string;
  /** What the request was, for the log. */
  readonly record: RequestRecord;
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
  /** One entry per request of a batch. */
  readonly parts?: readonly { readonly size: number; readonly error: EngineError | null }[];
}

export type Handler = (request: PlainRequest) => Promise<PlainResponse>;

/** The members of a GraphQL request body, already checked for their JSON types. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

export interface GraphqlService {
  /**
   * Runs one query or mutation and answers the JSON text of `data`'s value, for example `{"author":[…]}`. A query ends
   * when its caller is gone, a mutation runs to its end.
   * @throws EngineError
   */
  execute(request: GraphqlRequest, by: AdmittedSession, caller?: Caller): Promise<string>;
  /**
   * Plans one operation of any kind and binds its values, for transports that can deliver several results.
   * @throws EngineError whatever is wrong with the request itself
   */
  prepare(request: GraphqlRequest, by: AdmittedSession): Promise<PreparedOperation>;
  /** How many subscriptions there are and how their polls do, as plain JSON. */
  subscriptions(): unknown;
}

/** An operation that is ready to run: what fails from here on failed in a database. */
export type PreparedOperation =
  | {
      readonly kind: "query" | "mutation";
      /**
       * Answers the JSON text of `data`'s value. A query ends when its caller is gone, a mutation runs to its end.
       * @throws EngineError
       */
      run(caller?: Caller): Promise<string>;
    }
  | {
      readonly kind: "subscription";
      /**
       * Delivers results to the sink until it is stopped or completes; the first one may come before this resolves.
       * @throws EngineError when there is no first result; then the sink is never called
       */
      subscribe(sink: SubscriptionSink): Promise<Subscription>;
    };

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

/** A saved operation that a path and a method stand for. */
export interface RestTarget {
  readonly operation: SavedOperation;
  /** What the path says, by the names of the endpoint's variables. */
  readonly variables: ReadonlyMap<string, string>;
  /**
   * Runs the operation and answers the JSON text of `data`'s value. A query ends when its caller is gone.
   * @throws EngineError
   */
  run(request: GraphqlRequest, by: AdmittedSession, caller?: Caller): Promise<string>;
}

export type RestMatch = Exclude<RouteMatch, { kind: "found" }> | ({ readonly kind: "found" } & RestTarget);

export interface OpenApiSettings {
  /** `full`: with security schemes, errors, examples and ids besides what the specification names. */
  readonly form: "plain" | "full";
  /** What endpoints answer. */
  readonly response: "graphql" | "data";
}

export interface RestService {
  /** The OpenAPI document of all endpoints, as JSON text. */
  openApi(settings: OpenApiSettings): string;
  /** @param segments of the path below `/api/rest/`, decoded */
  find(method: string, segments: readonly string[]): RestMatch;
}

export interface AdmissionService {
  /**
   * Counts a request against the limits of its role, before anything is run for it.
   * @param operations how many it asks for
   * @param client where the request came from
   * @throws EngineError where it exceeds one
   */
  admit<S extends Session>(session: S, operations: number, client: Client): AdmittedSession<S>;
}

/** Who a request comes from; the address is worked out when it is asked for. */
export type Client = Pick<PlainRequest, "peer">;

export type AdminEndpoint = "/v1/metadata" | "/v1/query" | "/v2/query";

export interface MetadataService {
  /**
   * Runs one metadata, schema or SQL operation.
   * @param body the parsed JSON body: `{type, args, version?, resource_version?}`
   * @param client where the request came from: data operations count against the limits of their role
   * @returns the JSON value of the answer
   * @throws EngineError
   */
  handle(endpoint: AdminEndpoint, body: unknown, session: Session, client: Client): Promise<unknown>;
}

export interface ExplainRequest {
  readonly request: GraphqlRequest;
  /** Headers that say who would ask; without a role it is admin. */
  readonly user: Readonly<Record<string, string>>;
  /** The schema that the operation is for. */
  readonly api: SchemaApi;
}

/** One root field of a query; `null` where no database is asked. */
export interface ExplainedField {
  readonly field: string;
  readonly sql: string | null;
  readonly plan: readonly string[] | null;
}

export interface ExplainService {
  /**
   * The fields of a query, or the one statement of a subscription: JSON values of the answer.
   * @throws EngineError
   */
  explain(
    request: ExplainRequest,
  ): Promise<
    readonly ExplainedField[] | { readonly sql: string; readonly plan: readonly string[]; readonly variables: unknown }
  >;
}

export interface DumpRequest {
  /** Name of a source. */
  readonly source: string;
  /** Arguments of the dump program. */
  readonly options: readonly string[];
  /** Leave out what says nothing about the schema. */
  readonly clean: boolean;
}

export interface DumpService {
  /**
   * A source as SQL.
   * @throws EngineError
   */
  dump(request: DumpRequest): Promise<string>;
}

export interface HealthService {
  /**
   * `unreachable`: the metadata database does not answer; `inconsistent`: some metadata objects are left out;
   * `stopping`: the server is shutting down.
   */
  check(): Promise<"ok" | "inconsistent" | "unreachable" | "stopping">;
  /** Asks the databases; takes two seconds at most, whatever they do. */
  readiness(): Promise<Readiness>;
}

export interface Readiness {
  /** The server is shutting down. */
  readonly isStopping: boolean;
  /** `null`: the server needs no metadata database. */
  readonly metadata: DatabaseState | null;
  readonly sources: ReadonlyMap<string, DatabaseState>;
}

/** Whether a database answers; the error names no host and no secret. */
export interface DatabaseState {
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A session, and what else authentication found out about the request. */
export interface AuthenticatedSession extends Session {
  /** When it ends, in milliseconds since 1970; absent: never. Connections that outlive a request end with it. */
  readonly expiresAt?: number | undefined;
  /** Values of `Set-Cookie` for the answer, where it succeeds. */
  readonly setCookies?: readonly string[] | undefined;
}

/**
 * The operation that a request asks for, or the list of a batch, where those that cannot be run are `null`. `null`: the
 * body cannot be understood.
 */
export type AskedOperations = GraphqlRequest | readonly (GraphqlRequest | null)[] | null;

export interface AuthenticationContext {
  /** Of HTTP; absent: any. */
  readonly method?: string;
  /** The transport has left out the cookie where a page of another site may have sent it. */
  readonly cookieIsChecked?: boolean;
  /**
   * Reads the body, within the limit for requests that are not authenticated. Absent: the request asks for something
   * else.
   * @throws EngineError when the body is too long
   */
  readonly graphql?: (() => Promise<AskedOperations>) | undefined;
}

export interface Authenticator {
  /**
   * Decides role and session variables from the request's headers (`permissions-and-auth.md` 3); at once where nobody
   * else has to be asked.
   * @param context what else the request is, and what a webhook may be told of it
   * @throws EngineError `access-denied` and others of section 6.2; a promise is rejected with them
   */
  authenticate(
    headers: RequestHeaders,
    context?: AuthenticationContext,
  ): AuthenticatedSession | Promise<AuthenticatedSession>;
}

/** What every server offers, also a sealed one. */
export interface RequestServices {
  readonly admission: AdmissionService;
  readonly graphql: GraphqlService;
  /** The same on the Relay schema. */
  readonly relay: GraphqlService;
  readonly rest: RestService;
  readonly health: HealthService;
  readonly authenticator: Authenticator;
  /** Called for errors that are not `EngineError`s: logged with their stack, answered as `unexpected`. */
  readonly reportBug: (error: unknown, requestId: string) => EngineError;
}

/** With what only a server that has the metadata can do. */
export interface Services extends RequestServices {
  readonly metadata: MetadataService;
  readonly dump: DumpService;
  readonly explain: ExplainService;
}
