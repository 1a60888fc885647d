/**
 * What a role can reach, as types that lead to one another: tables as it sees them, the schemas of remote servers, and
 * the relationships within a source and out of it. `view.ts`, `remote-relationship.ts` and `remote/remote-schema.ts`
 * make their values.
 */
import type { DocumentNode } from "graphql";
import type { Column } from "./column.ts";
import type { ComputedRows, ComputedValue } from "./function.ts";
import type { InputValidation } from "./input-validation.ts";
import type { RemoteServer } from "./remote/remote-server.ts";
import type { RowFilter } from "./row-filter.ts";
import type { ScalarType } from "./scalar-type.ts";
import type { Join, TableDefinition } from "./table.ts";
import type { DeletePermission, Preset, UpdatePermission } from "./write.ts";

/**
 * `visibleWithRow`: who may read a row may read all that the relationship leads to from it, because the target's
 * permission asks for no more than such a row. It says nothing of rows that were not read from the table under the role's
 * permission.
 */
export interface ObjectRelationship {
  readonly kind: "object";
  readonly join: Join;
  readonly target: () => TableView;
  /** The schema promises a row: a foreign key of NOT NULL columns. */
  readonly required: boolean;
  readonly visibleWithRow: boolean;
  readonly description: string;
}

export interface ArrayRelationship {
  readonly kind: "array";
  readonly join: Join;
  readonly target: () => TableView;
  /** The target's permission allows aggregates. */
  readonly aggregations: boolean;
  readonly visibleWithRow: boolean;
  readonly description: string;
}

export type Relationship = ObjectRelationship | ArrayRelationship;

/** A computed field that gives rows of a table the role may read. */
export interface ComputedTable {
  readonly kind: "rows";
  readonly call: ComputedRows;
  readonly target: () => TableView;
}

export type ComputedField = ComputedValue | ComputedTable;

/** Rows of another table that are inserted along with a row. */
export interface NestedInsert {
  readonly kind: "object" | "array";
  readonly join: Join;
  readonly target: () => TableView;
}

export interface InsertPermission {
  /** The columns that a request may set. */
  readonly columns: readonly Column[];
  readonly presets: readonly Preset[];
  /** Holds for every row as it was stored; absent: no condition. */
  readonly check?: RowFilter;
  /** By the name of the relationship. */
  readonly nested: Readonly<Record<string, NestedInsert>>;
  /** Asked about the rows before they are inserted. */
  readonly validation?: InputValidation;
  /** Only for requests that may use backend-only permissions. */
  readonly backendOnly: boolean;
}

/** A query root field of a table. */
export type QueryRoot = "select" | "select_by_pk" | "select_aggregate";

export interface TableView {
  readonly table: TableDefinition;
  /** The role has a select permission; without one it may only write. */
  readonly readable: boolean;
  /** The columns the role may read. */
  readonly columns: readonly Column[];
  readonly relationships: Readonly<Record<string, Relationship>>;
  /** Those that leave the source. */
  readonly remoteRelationships: RemoteRelationships;
  readonly computedFields: Readonly<Record<string, ComputedField>>;
  /** Rows the role may read; absent: all. */
  readonly visible?: RowFilter;
  /** The largest list that the permission allows. */
  readonly rowLimit?: number;
  /** The permission allows aggregates. */
  readonly aggregations: boolean;
  /** The query root fields that the permission leaves; absent: all. Data operations obey it, too. */
  readonly queryRoots?: readonly QueryRoot[];
  /** Absent: the role may not. */
  readonly insert?: InsertPermission;
  readonly update?: UpdatePermission;
  readonly delete?: DeletePermission;
}

/** A value of the left side by which the other side is found. */
export interface JoinKey {
  /**
   * What definitions call it: a column or computed field of a table, a field of a remote type as the role calls it, a
   * member of what an action answers.
   */
  readonly name: string;
  /** Of a table: what holds it. The role need not be allowed to read it. */
  readonly value?: Column | ComputedValue;
}

/** Rows of a table in another source, or in the same one. */
export interface ToSource {
  readonly kind: "source";
  readonly keys: readonly JoinKey[];
  /** Of the columns that the keys are compared with, in their order. */
  readonly types: readonly ScalarType[];
  /** From a row that holds keys, in columns named by `keyColumn`, to the table. */
  readonly relationship: Relationship;
}

/** What a remote server answers. */
export interface ToRemoteSchema {
  readonly kind: "remote_schema";
  readonly keys: readonly JoinKey[];
  readonly remote: () => RemoteSchema;
  /** From a field of the query root to the one whose value is joined. */
  readonly path: readonly RemoteStep[];
  /** One call answers for all keys of a level; absent: there is a call for each. */
  readonly batch?: RemoteBatch;
  readonly description?: string;
}

/** How a call whose value is a list answers for all keys: the list of one element with keys takes those of all. */
export interface RemoteBatch {
  /** Of the items that belong to one key. */
  readonly relationship: "object" | "array";
  /** The fields of an item that hold the keys, in their order and the server's names; absent: items have the order of keys. */
  readonly match?: readonly string[];
  /** Of `_entities`: the type of the items, as the server calls it. */
  readonly entity?: string;
}

/** A field on the way, in the server's names. */
export interface RemoteStep {
  readonly field: string;
  /** JSON as in the metadata: `"$id"` stands for a key, anything else for itself. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type RemoteRelationship = ToSource | ToRemoteSchema;

/** By the names of their fields. */
export type RemoteRelationships = Readonly<Record<string, RemoteRelationship>>;

/** What a role may ask of a remote server. */
export interface RemoteSchemaParts {
  /** The types as SDL, with the names that the role uses. */
  readonly types: string;
  /** The type that queries begin with. */
  readonly query: string;
  /** The type that mutations begin with; absent: there are none. */
  readonly mutation?: string;
  /** The type that subscriptions begin with; absent: there are none. */
  readonly subscription?: string;
  /** The server may have types that the role does not see. */
  readonly isPart?: true;
  /** Names that the server has for types, by those that the role uses; absent: the same. */
  readonly typeNames?: Readonly<Record<string, string>>;
  /** Names that the server has for fields, by type and name here; absent: the same. */
  readonly fieldNames?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Arguments that requests cannot give, by type and field. */
  readonly argumentPresets?: Readonly<Record<string, Readonly<Record<string, RemotePresets>>>>;
  /** Fields of input objects that requests cannot give, by type. */
  readonly inputPresets?: Readonly<Record<string, RemotePresets>>;
  /** What is joined to objects, by the names that the role uses for their types. */
  readonly relationships?: Readonly<Record<string, RemoteRelationships>>;
}

export type RemotePresets = Readonly<Record<string, RemotePreset>>;

/**
 * `literal`: as GraphQL text; `session`: the variable, and the type of the place as the server calls it; `object`: an input
 * object of presets.
 */
export type RemotePreset =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "object"; readonly fields: RemotePresets }
  | { readonly kind: "session"; readonly variable: string; readonly type: string };

export interface RemoteSchema extends RemoteSchemaParts {
  readonly server: RemoteServer;
  /** The types, parsed when they are first asked for. */
  readonly document: () => DocumentNode;
}
