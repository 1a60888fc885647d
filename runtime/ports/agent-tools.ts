/** Tools for assistants: saved operations that a role may call, and what the role can see of the schema. */
import type { RoleTool } from "../model/definitions/tools/agent-tool.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import type { ResponseBuilder } from "./graphql.ts";

/** Rows that a write would change. */
export interface WriteEffect {
  /** Name of the table in GraphQL, such as `loan`; `null` for tables that the role cannot see. */
  readonly table: string | null;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

export interface AgentToolService {
  /** Changes whenever the tools of any role may have changed. */
  readonly version: () => number;
  /** Returns the tools of a role, sorted by name. */
  list(session: Session): readonly RoleTool[];
  find(session: Session, name: string): RoleTool | undefined;
  /**
   * Runs the operation of a tool within the limits of the tool and the role.
   * @param values values of its variables, by name
   * @returns the JSON text of `data`
   * @throws EngineError also if the result exceeds the limits of the tool
   */
  run(
    tool: RoleTool,
    values: Readonly<Record<string, unknown>>,
    by: AdmittedSession,
    caller?: Caller,
    response?: ResponseBuilder,
  ): Promise<string>;
  /**
   * Runs the operation of a tool that may write in transactions that are rolled back.
   * @returns the changed rows by table; `null` if they are unknown: it calls actions or remote schemas or uses a database
   *   without such transactions, so that nothing ran, or the database does not count rows
   * @throws EngineError as the operation would
   */
  rehearse(
    tool: RoleTool,
    values: Readonly<Record<string, unknown>>,
    by: AdmittedSession,
  ): Promise<readonly WriteEffect[] | null>;
  /**
   * Runs a GraphQL query with the limits for assistants. Functions that it calls cannot write.
   * @throws EngineError also for mutations and subscriptions
   */
  query(document: QueryDocument, by: AdmittedSession, caller?: Caller, response?: ResponseBuilder): Promise<string>;
  /**
   * Describes the schema of the role as text, page by page.
   * @throws EngineError for an unknown name or a malformed cursor, or if introspection is disabled for the role
   */
  describe(session: Session, request: DescribeRequest): Promise<DescribedPage>;
}

export interface QueryDocument {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

export interface DescribeRequest {
  /** Name of a table or type to describe in full; absent for the list of tables. */
  readonly name?: string;
  /** Lists only entries whose name or description contains all of these words. */
  readonly search?: string;
  /** Position returned with the previous page. */
  readonly cursor?: string;
}

export interface DescribedPage {
  readonly text: string;
  /** Absent on the last page. */
  readonly nextCursor?: string;
}
