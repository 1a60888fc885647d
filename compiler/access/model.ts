/**
 * Access: the rights of each role, as plain JSON for reviews. Build artifacts contain it, so that two of them can be
 * compared without their metadata. Absent conditions hold for every row.
 */

import type { AgentToolHints, AgentToolLimits } from "../../runtime/model/definitions/tools/agent-tool.ts";
import type { Condition } from "../3-lower/ir.ts";
import type { Json, PermissionKind, SelectRootField, SubscriptionRootField } from "../catalog/model.ts";
import type { ExplainedPart } from "./explanation.ts";
import type { RootOwner } from "./root-owner.ts";

export interface Access {
  /** Format version; documents of other versions cannot be compared. */
  readonly format: 1;
  /** By name, including `admin`. */
  readonly roles: ByName<RoleAccess>;
  /** Collection queries by `collection.query`. */
  readonly savedOperations: ByName<SavedOperationAccess>;
  readonly endpoints: ByName<EndpointAccess>;
  /** By source and trigger name. */
  readonly eventTriggers: ByName<EventTriggerAccess>;
  /** Handlers by action. */
  readonly handlers: ByName<HandlerAccess>;
  readonly cronTriggers: ByName<CronTriggerAccess>;
  /** Hashes of the remaining metadata by section; compared only as a whole. */
  readonly otherMetadata: ByName<string>;
  /** Hashes of the introspected shapes by source. */
  readonly shapes: ByName<string>;
  /** Terms of explanations; in artifacts only, and absent in those of earlier releases. */
  readonly terms?: AccessTerms;
}

/** The terms of the metadata that explanations use. Comparisons ignore them. */
export interface AccessTerms {
  /** Parents of the inherited roles, in the order of the metadata. */
  readonly parents: ByName<readonly string[]>;
  /** By source and name. */
  readonly tables: ByName<TableTerms>;
  /** Owners of the root fields of admin, by operation and path: `query.loan_by_pk`. */
  readonly roots: ByName<RootOwner>;
}

export interface TableTerms {
  readonly displayName: string;
  readonly source: string;
  /** GraphQL base name; `null` for a table that is not in the schema. */
  readonly type: string | null;
  /** Columns, computed fields and relationships. */
  readonly names: readonly string[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Operations that the database supports. */
  readonly supports: readonly PermissionKind[];
  /** Permissions by role and operation. */
  readonly permissions: ByName<{ readonly [K in PermissionKind]?: PermissionTerms }>;
}

export interface PermissionTerms {
  /** Roles whose permissions apply. */
  readonly owners: readonly string[];
  /** Row filter and check in the terms of the metadata. */
  readonly rows?: ExplainedPart;
  readonly check?: ExplainedPart;
  /** Lists of a select permission; absent without a list. */
  readonly queryRootFields?: readonly SelectRootField[];
  readonly subscriptionRootFields?: readonly SubscriptionRootField[];
}

export type ByName<T> = Readonly<Record<string, T>>;

export interface SavedOperationAccess {
  readonly text: string;
  /** Roles that may run it if the allow-list is enabled. */
  readonly allowed: Allowed;
}

export type Allowed = "every role" | readonly string[];

export interface EndpointAccess {
  readonly path: string;
  readonly methods: readonly string[];
  readonly operation: string;
}

export interface EventTriggerAccess {
  readonly table: string;
  /** As configured, with names of environment variables instead of their values. */
  readonly url: string;
  readonly manual: boolean;
  /** By `INSERT`, `UPDATE`, `DELETE`. */
  readonly operations: ByName<RecordingAccess>;
  /** Hashes of the configuration. */
  readonly headers: string;
  readonly requestTransform: string;
  readonly otherSettings: string;
  /** Names of environment variables. */
  readonly signedWith: readonly string[];
}

export interface HandlerAccess {
  readonly kind: "synchronous" | "asynchronous";
  /** As configured, with names of environment variables instead of their values. */
  readonly url: string;
  readonly timeoutSeconds: number;
  /** Hashes of their values, by name in lower case. */
  readonly headers: ByName<string>;
  readonly clientHeaders: string;
  /** Hashes of the configuration. */
  readonly requestTransform: string;
  readonly responseTransform: string;
  /** Names of environment variables. */
  readonly signedWith: readonly string[];
}

export interface CronTriggerAccess {
  /** The URL as configured, or the operation with its role. */
  readonly action: string;
  /** Time zone and cron fields. */
  readonly schedule: string;
  /** Hashes of the configuration. */
  readonly headers: string;
  readonly requestTransform: string;
  readonly payload: string;
  readonly sessionVariables: string;
  readonly otherSettings: string;
  /** Names of environment variables. */
  readonly signedWith: readonly string[];
}

export interface RecordingAccess {
  /** Columns that are delivered; for updates `watched` lists the columns of which one must change. */
  readonly payload: readonly string[];
  readonly watched: readonly string[];
  readonly onReplication: boolean;
  /** Condition on the rows `old` and `new`. */
  readonly condition?: Condition;
}

export interface RoleAccess {
  /** Roles whose permissions an inherited role has. */
  readonly parents: readonly string[];
  readonly introspection: boolean;
  /** API limits that apply to the role. */
  readonly limits: ByName<Json>;
  /** Tables and native queries, by source and name. */
  readonly tables: ByName<TableAccess>;
  /** Functions exposed as root fields, by source and name. */
  readonly functions: ByName<FunctionAccess>;
  /** Types of the actions that the role may call, by name. */
  readonly actions: ByName<string>;
  /** Permitted parts of remote schemas, as SDL. */
  readonly remoteSchemas: ByName<string>;
  /**
   * Relationships of types of remote schemas and of output types of actions, by type and relationship. Absent in
   * documents of earlier releases.
   */
  readonly outside?: ByName<ByName<RelationshipAccess>>;
  readonly schema: SchemaAccess;
  /** Types that differ or are added for backend requests. */
  readonly backendSchema: SchemaAccess;
  /** Root types that differ in the Relay API. */
  readonly relaySchema: SchemaAccess;
  /** Statements of the saved operations that the role may run, for frontend and backend requests. */
  readonly operations: ByName<{ readonly frontend?: OperationAccess; readonly backend?: OperationAccess }>;
  /** Tools for assistants, for frontend and backend requests. Absent without tools. */
  readonly tools?: ByName<{ readonly frontend?: ToolAccess; readonly backend?: ToolAccess }>;
}

export interface ToolAccess {
  /** Saved operation, as `collection.query`. */
  readonly operation: string;
  readonly hints: AgentToolHints;
  readonly limits: AgentToolLimits;
  /** OAuth scopes that a caller must have, sorted. */
  readonly scopes: readonly string[];
}

export interface TableAccess {
  /** Alias of the row in conditions. */
  readonly row: string;
  readonly query?: string;
  readonly select?: SelectAccess;
  readonly insert?: InsertAccess;
  readonly update?: UpdateAccess;
  readonly delete?: DeleteAccess;
}

export interface SelectAccess {
  readonly columns: ByName<ColumnAccess>;
  readonly computedFields: ByName<ComputedFieldAccess>;
  readonly relationships: ByName<RelationshipAccess>;
  readonly rows?: Condition;
  /** Row filters of an inherited role's parents; `null`: every row. */
  readonly parents?: ByName<Condition | null>;
  readonly limit?: number;
  readonly aggregations: boolean;
}

/** Visibility of a column or computed field: the parents in whose rows it is visible. Absent: all parents. */
interface CellAccess {
  readonly parents?: readonly string[];
}

export interface ColumnAccess extends CellAccess {
  readonly field: string;
}

export interface ComputedFieldAccess extends CellAccess {
  readonly function: string;
  /** The function receives the session variables. */
  readonly session: boolean;
}

export interface RelationshipAccess {
  /** A table or a remote schema. */
  readonly target: string;
  readonly kind: "object" | "array" | "remote schema";
  /** Pairs of columns; for a remote schema the remote fields. */
  readonly on: readonly string[];
}

interface WriteAccess {
  readonly backendOnly: boolean;
  /** URL of the webhook that validates the input. */
  readonly validation?: string;
}

export interface ValuesAccess extends WriteAccess {
  /** Columns that requests may set. */
  readonly columns: readonly string[];
  /** SQL by column. */
  readonly presets: ByName<string>;
  readonly check?: Condition;
  /**
   * The permissions of parents that a merged permission consists of. A row may be written if one of them permits it
   * alone. Absent: the permission is not merged.
   */
  readonly merged?: ByName<MergedAccess>;
}

export interface MergedAccess {
  readonly columns: readonly string[];
  /** Rows before an update. */
  readonly rows?: Condition;
  readonly check?: Condition;
}

export interface InsertAccess extends ValuesAccess {
  /**
   * Tables into which nested inserts are allowed, by relationship. The joined columns are set even if they are not in
   * `columns`.
   */
  readonly nested: ByName<string>;
  /** Existing rows that inserted rows connect (`_related`), by relationship; absent: none. */
  readonly related?: ByName<RelatedAccess>;
}

/** Writes of the rows of a relationship. */
export interface RelatedAccess {
  /** `update`, `connect` and others. */
  readonly writes: readonly string[];
  /** Inserted rows get the key of their parent, although the insert permission does not let requests set it. */
  readonly setsKey?: boolean;
}

export interface UpdateAccess extends ValuesAccess {
  /** Writes of related rows (`_related`), by relationship; absent: none. */
  readonly related?: ByName<RelatedAccess>;
  readonly rows?: Condition;
  /** The permission has a check, which may be empty: upserts then ignore the check of the insert permission. */
  readonly hasCheck: boolean;
}

export interface DeleteAccess extends WriteAccess {
  readonly rows?: Condition;
}

export interface FunctionAccess {
  readonly exposedAs: "query" | "mutation";
  /** Table whose rows it returns. */
  readonly rows: string;
  /** Arguments that requests set. */
  readonly arguments: readonly string[];
  /** The function receives the session variables. */
  readonly session: boolean;
}

/** Types by name. */
export type SchemaAccess = ByName<TypeAccess>;

export interface TypeAccess {
  /** Its members are root fields. */
  readonly isRoot?: true;
  readonly kind: "object" | "interface" | "union" | "input" | "enum" | "scalar";
  /** Fields, enum values, or members of a union. */
  readonly members: ByName<MemberAccess>;
}

export interface MemberAccess {
  /** In SDL notation. */
  readonly type?: string;
  /** Types in SDL notation, by argument. */
  readonly arguments?: ByName<string>;
}

/**
 * The string stands for operations without fixed SQL, which are planned at run time, when their variables are known. It
 * is part of the file format, so it stays the same for artifacts of all versions.
 */
export type OperationAccess =
  | { readonly statements: ByName<readonly (StatementAccess | RequestAccess)[]> }
  | "planned when asked";

export interface StatementAccess {
  readonly source: string;
  readonly sql: string;
  /** Origins of the parameter values. */
  readonly parameters: readonly string[];
}

export interface RequestAccess {
  readonly remoteSchema: string;
  /** GraphQL text; a join key is written `<key 1>`. */
  readonly query: string;
  /** Origins of the variable values. */
  readonly parameters: readonly string[];
}
