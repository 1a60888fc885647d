/** What only administrators may ask for: metadata, explanations, dumps. */
import type { SchemaApi } from "../model/schema/role-schema.ts";
import type { Session } from "../values/session.ts";
import type { AnswerHeaders, GraphqlRequest } from "./graphql.ts";
import type { Client } from "./request.ts";

export type AdminEndpoint = "/v1/metadata" | "/v1/query" | "/v2/query";

export interface MetadataService {
  /**
   * Runs one metadata, schema or SQL operation.
   * @param body the parsed JSON body: `{type, args, version?, resource_version?}`
   * @param client where the request came from: data operations count against the limits of their role
   * @param bases takes what data operations read by
   * @returns the JSON value of the answer
   * @throws EngineError
   */
  handle(
    endpoint: AdminEndpoint,
    body: unknown,
    session: Session,
    client: Client,
    bases?: Pick<AnswerHeaders, "restOn">,
  ): Promise<unknown>;
  /** What of the metadata, and of the request that changed it, is accepted and not acted on, a line each. */
  notices(request: unknown): readonly string[];
}

export interface ExplainRequest {
  readonly request: GraphqlRequest;
  /** Headers that say who would ask; without a role it is admin. */
  readonly user: Readonly<Record<string, string>>;
  /** The schema that the operation is for. */
  readonly api: SchemaApi;
  /** Explain what remote relationships join; else operations with any are refused. */
  readonly joins: boolean;
}

/** One root field of a query; `null` where no database is asked. */
export interface ExplainedField {
  readonly field: string;
  readonly sql: string | null;
  readonly plan: readonly string[] | null;
  /** What is joined to its values when they are known, in the order of the levels; absent: nothing. */
  readonly joins?: readonly ExplainedJoin[];
}

/** What is asked of another source or a remote schema for all keys that one level gives. */
export interface ExplainedJoin {
  /** Where they stand: `orders.customer`. */
  readonly fields: readonly string[];
  readonly source?: string;
  readonly remote_schema?: string;
  /** Of a source: without keys. */
  readonly sql?: string;
  readonly plan?: readonly string[];
  /** Of a remote schema: for one key of each field, written as in the definition: `$id`. */
  readonly query?: string;
}

/** The statement of a subscription. */
interface ExplainedSubscription {
  readonly sql: string;
  readonly plan: readonly string[];
  readonly variables: unknown;
  readonly joins?: readonly ExplainedJoin[];
}

export interface ExplainService {
  /**
   * The fields of a query, or the one statement of a subscription: JSON values of the answer.
   * @throws EngineError
   */
  explain(request: ExplainRequest): Promise<readonly ExplainedField[] | ExplainedSubscription>;
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
