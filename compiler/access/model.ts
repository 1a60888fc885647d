/**
 * Who may do what: the part of a program that a review of access looks at, as plain JSON. Artifacts carry it, and two
 * of it can be compared without the metadata that they were made of. Absent conditions hold for every row.
 */

import type { Condition } from "../3-lower/ir.ts";
import type { Json } from "../catalog/model.ts";

export interface Access {
  /** Of this document; another one cannot be compared. */
  readonly format: 1;
  /** By name; `admin` is one of them. */
  readonly roles: ByName<RoleAccess>;
  /** Queries of collections, by `collection.query`. */
  readonly savedOperations: ByName<SavedOperationAccess>;
  /** REST endpoints. */
  readonly endpoints: ByName<EndpointAccess>;
  /** What leaves databases by itself, by source and trigger. */
  readonly eventTriggers: ByName<EventTriggerAccess>;
  /** Whom actions ask, by action. */
  readonly handlers: ByName<HandlerAccess>;
  /** What runs by itself, by cron trigger. */
  readonly cronTriggers: ByName<CronTriggerAccess>;
  /** Hashes of what else the metadata says, by section: compared as wholes. */
  readonly otherMetadata: ByName<string>;
  /** Hashes of the Shapes, by source. */
  readonly shapes: ByName<string>;
}

export type ByName<T> = Readonly<Record<string, T>>;

export interface SavedOperationAccess {
  readonly text: string;
  /** Who may send it where an allow-list counts. */
  readonly allowed: Allowed;
}

export type Allowed = "every role" | readonly string[];

export interface EndpointAccess {
  readonly path: string;
  readonly methods: readonly string[];
  /** The saved operation that it runs. */
  readonly operation: string;
}

export interface EventTriggerAccess {
  readonly table: string;
  /** As it is configured: with the names of environment variables, not their values. */
  readonly url: string;
  readonly manual: boolean;
  /** By `INSERT`, `UPDATE`, `DELETE`. */
  readonly operations: ByName<RecordingAccess>;
  /** Hashes. */
  readonly headers: string;
  readonly requestTransform: string;
  readonly otherSettings: string;
  /** Environment variables. */
  readonly signedWith: readonly string[];
}

export interface HandlerAccess {
  readonly kind: "synchronous" | "asynchronous";
  /** As it is configured: with the names of environment variables, not their values. */
  readonly url: string;
  readonly timeoutSeconds: number;
  /** Hashes of their values, by name in lower case. */
  readonly headers: ByName<string>;
  /** Which headers of clients it gets. */
  readonly clientHeaders: string;
  /** Hashes. */
  readonly requestTransform: string;
  readonly responseTransform: string;
  /** Environment variables. */
  readonly signedWith: readonly string[];
}

export interface CronTriggerAccess {
  /** What runs: the address as it is configured, or the operation with its role. */
  readonly action: string;
  /** Zone and fields. */
  readonly schedule: string;
  /** Hashes. */
  readonly headers: string;
  readonly requestTransform: string;
  readonly payload: string;
  readonly sessionVariables: string;
  readonly otherSettings: string;
  /** Environment variables. */
  readonly signedWith: readonly string[];
}

export interface RecordingAccess {
  /** Columns that are delivered, and of an update those that have to change. */
  readonly payload: readonly string[];
  readonly watched: readonly string[];
  readonly onReplication: boolean;
  /** On the rows `old` and `new`. */
  readonly condition?: Condition;
}

export interface RoleAccess {
  /** Of an inherited role: the roles that it has the permissions of. */
  readonly parents: readonly string[];
  readonly introspection: boolean;
  /** Those of the API that count for the role. */
  readonly limits: ByName<Json>;
  /** Tables, and native queries, by source and name. */
  readonly tables: ByName<TableAccess>;
  /** Functions that root fields call, by source and name. */
  readonly functions: ByName<FunctionAccess>;
  /** Handlers of actions that the role may call. */
  readonly actions: ByName<string>;
  /** What of remote schemas the role may use, as SDL. */
  readonly remoteSchemas: ByName<string>;
  /**
   * What it reaches from objects that no database gives, by relationship: those of a type of a remote schema, or of what
   * actions answer. Absent in documents of earlier releases.
   */
  readonly outside?: ByName<ByName<RelationshipAccess>>;
  readonly schema: SchemaAccess;
  /** Types that are others, or more, for requests of backends. */
  readonly backendSchema: SchemaAccess;
  /** Root types of the Relay API that are others. */
  readonly relaySchema: SchemaAccess;
  /** What saved operations run for the role, and for its backends; only those that it can run. */
  readonly operations: ByName<{ readonly frontend?: OperationAccess; readonly backend?: OperationAccess }>;
}

export interface TableAccess {
  /** What stands for the row in conditions. */
  readonly row: string;
  /** The SQL of a native query. */
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
  /** Of an inherited role, whose rows are those of its parents; `null`: every row. */
  readonly parents?: ByName<Condition | null>;
  readonly limit?: number;
  readonly aggregations: boolean;
}

/** What only some parents give shows on their rows. */
interface CellAccess {
  readonly parents?: readonly string[];
}

export interface ColumnAccess extends CellAccess {
  readonly field: string;
}

export interface ComputedFieldAccess extends CellAccess {
  readonly function: string;
  /** The function is told who asks. */
  readonly session: boolean;
}

export interface RelationshipAccess {
  /** A table, or a remote schema. */
  readonly target: string;
  readonly kind: "object" | "array" | "remote schema";
  /** Pairs of columns; of a remote schema what is asked for. */
  readonly on: readonly string[];
}

interface WriteAccess {
  readonly backendOnly: boolean;
  /** URL of the webhook that is asked before. */
  readonly validation?: string;
}

export interface ValuesAccess extends WriteAccess {
  /** Columns that requests may set. */
  readonly columns: readonly string[];
  /** SQL by column. */
  readonly presets: ByName<string>;
  readonly check?: Condition;
}

export interface InsertAccess extends ValuesAccess {
  /** Tables whose rows can be inserted along, by relationship: what joins them is set, whatever the columns are. */
  readonly nested: ByName<string>;
}

export interface UpdateAccess extends ValuesAccess {
  readonly rows?: Condition;
  /** There is a check, if an empty one: then upserts are free of the check of the insert permission. */
  readonly hasCheck: boolean;
}

export interface DeleteAccess extends WriteAccess {
  readonly rows?: Condition;
}

export interface FunctionAccess {
  readonly exposedAs: "query" | "mutation";
  /** The table whose rows it gives. */
  readonly rows: string;
  /** What requests give. */
  readonly arguments: readonly string[];
  /** The function is told who asks. */
  readonly session: boolean;
}

/** Types by name. */
export type SchemaAccess = ByName<TypeAccess>;

export interface TypeAccess {
  /** Its members are root fields. */
  readonly isRoot?: true;
  readonly kind: "object" | "interface" | "union" | "input" | "enum" | "scalar";
  /** Fields, values of an enum, types of a union. */
  readonly members: ByName<MemberAccess>;
}

export interface MemberAccess {
  /** As GraphQL text. */
  readonly type?: string;
  /** Types as GraphQL text. */
  readonly arguments?: ByName<string>;
}

/** Planned when it is asked with values: there is no SQL to show. */
export type OperationAccess =
  | { readonly statements: ByName<readonly (StatementAccess | RequestAccess)[]> }
  | "planned when asked";

export interface StatementAccess {
  readonly source: string;
  readonly sql: string;
  /** Where the values of its parameters come from. */
  readonly parameters: readonly string[];
}

/** What a remote schema is asked. */
export interface RequestAccess {
  readonly remoteSchema: string;
  /** GraphQL text; a key that is joined by is written `<key 1>`. */
  readonly query: string;
  /** Where the values of its variables come from. */
  readonly parameters: readonly string[];
}
