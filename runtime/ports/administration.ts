/** Services for administrators: metadata, explain, dumps. */
import type { SchemaApi } from "../model/schema/role-schema.ts";
import type { Session } from "../values/session.ts";
import type { GraphqlRequest, ResponseBuilder } from "./graphql.ts";
import type { PlainRequest } from "./request.ts";

export type AdminEndpoint = "/v1/metadata" | "/v1/query" | "/v2/query";

/** The client of an administrative request. */
export type AdminClient = Pick<PlainRequest, "ip" | "peer">;

export interface MetadataService {
  /**
   * Runs one metadata, schema or SQL operation.
   * @param body the parsed JSON body: `{type, args, version?, resource_version?}`
   * @param client origin of the request, for the limits of roles on data operations
   * @param validity receives checks to run before sending the rows that data operations have read
   * @returns the JSON value of the response
   * @throws EngineError
   */
  handle(
    endpoint: AdminEndpoint,
    body: unknown,
    session: Session,
    client: AdminClient,
    validity?: Pick<ResponseBuilder, "validWhile">,
  ): Promise<unknown>;
  /** Returns one line for each setting in the metadata or in the request that is accepted but has no effect. */
  notices(request: unknown): readonly string[];
}

export interface ExplainRequest {
  readonly request: GraphqlRequest;
  /** Headers with role and session variables of the explained request; the default role is admin. */
  readonly user: Readonly<Record<string, string>>;
  /** The schema of the operation. */
  readonly api: SchemaApi;
  /**
   * If true, joins of remote relationships are explained; otherwise, operations with such relationships are rejected.
   */
  readonly joins: boolean;
}

/** One root field of a query. The nullable members are `null` for a field without a statement. */
export interface ExplainedField {
  readonly field: string;
  readonly sql: string | null;
  readonly plan: readonly string[] | null;
  /** Joins of the field, ordered by level, which run once its rows are known; absent without joins. */
  readonly joins?: readonly ExplainedJoin[];
}

/** The request to another source or a remote schema for all keys of one level. */
export interface ExplainedJoin {
  /** Path of the joined fields, such as `orders.customer`. */
  readonly fields: readonly string[];
  readonly source?: string;
  readonly remote_schema?: string;
  /** Statement of a source, without keys. */
  readonly sql?: string;
  readonly plan?: readonly string[];
  /** Query of a remote schema for one key of each field, with variables named as in the definition: `$id`. */
  readonly query?: string;
}

/** The explained statement of a subscription. */
interface ExplainedSubscription {
  readonly sql: string;
  readonly plan: readonly string[];
  readonly variables: unknown;
  readonly joins?: readonly ExplainedJoin[];
}

export interface ExplainService {
  /**
   * Explains the fields of a query, or the statement of a subscription. Returns the JSON values of the response.
   * @throws EngineError
   */
  explain(request: ExplainRequest): Promise<readonly ExplainedField[] | ExplainedSubscription>;
}

export interface DumpRequest {
  /** Name of the source. */
  readonly source: string;
  /** Arguments of the dump program. */
  readonly options: readonly string[];
  /** If true, session settings, comments, empty lines and psql commands are removed. */
  readonly clean: boolean;
}

export interface DumpService {
  /**
   * Dumps a source as SQL.
   * @throws EngineError
   */
  dump(request: DumpRequest): Promise<string>;
}
