/**
 * Types that refer to one another: views of tables for a role, remote schemas, and the relationships within and between
 * sources. `view.ts`, `remote-relationship.ts` and `remote/remote-schema.ts` create their values.
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
 * `visibleWithRow`: a role that may read a row may also read all its related rows, because the filter of the target's
 * permission follows from the row filter. Applies only to rows read from the table under the role's permission.
 */
export interface ObjectRelationship {
  readonly kind: "object";
  readonly join: Join;
  readonly target: () => TableView;
  /** The related row always exists: a foreign key of NOT NULL columns. */
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

/** A computed field that returns readable rows of a table. */
export interface ComputedTable {
  readonly kind: "rows";
  readonly call: ComputedRows;
  readonly target: () => TableView;
}

export type ComputedField = ComputedValue | ComputedTable;

/** Rows of another table that are inserted together with a row. */
export interface NestedInsert {
  readonly kind: "object" | "array";
  readonly join: Join;
  readonly target: () => TableView;
}

export interface InsertPermission {
  /** Columns that requests may set. */
  readonly columns: readonly Column[];
  readonly presets: readonly Preset[];
  /** Condition on every stored row; absent: none. */
  readonly check?: RowFilter;
  /** By relationship. */
  readonly nested: Readonly<Record<string, NestedInsert>>;
  /** Validates the rows before they are inserted. */
  readonly validation?: InputValidation;
  /** Requires a request that may use backend-only permissions. */
  readonly backendOnly: boolean;
  /** The permissions that a merged permission consists of; each has its own check. */
  readonly parents?: readonly InsertPermission[];
}

export type QueryRoot = "select" | "select_by_pk" | "select_aggregate";

export interface TableView {
  readonly table: TableDefinition;
  /** The role has a select permission; otherwise it may only write. */
  readonly readable: boolean;
  /** Columns that the role may read. */
  readonly columns: readonly Column[];
  readonly relationships: Readonly<Record<string, Relationship>>;
  /** Relationships to other sources and remote schemas. */
  readonly remoteRelationships: RemoteRelationships;
  readonly computedFields: Readonly<Record<string, ComputedField>>;
  /** Row filter; absent: all rows. */
  readonly visible?: RowFilter;
  /** Maximum number of rows in a list. */
  readonly rowLimit?: number;
  /** The permission allows aggregates. */
  readonly aggregations: boolean;
  /** Query root fields that the permission enables, also for data operations; absent: all. */
  readonly queryRoots?: readonly QueryRoot[];
  /** Absent if not permitted. */
  readonly insert?: InsertPermission;
  readonly update?: UpdatePermission;
  readonly delete?: DeletePermission;
}

/** A value of the left side of a join. */
export interface JoinKey {
  /**
   * Name in definitions: a column or computed field of a table, a field of a remote type in the role's schema, or a
   * member of an action's output.
   */
  readonly name: string;
  /** Tables only: the column or computed field. The role need not be permitted to read it. */
  readonly value?: Column | ComputedValue;
}

/** Rows of a table, usually in another source. */
export interface ToSource {
  readonly kind: "source";
  readonly keys: readonly JoinKey[];
  /** Types of the columns that are compared with the keys, in order. */
  readonly types: readonly ScalarType[];
  /** Relationship from a row with keys, in columns named by `keyColumn`, to the table. */
  readonly relationship: Relationship;
}

/** A field of a remote schema. */
export interface ToRemoteSchema {
  readonly kind: "remote_schema";
  readonly keys: readonly JoinKey[];
  readonly remote: () => RemoteSchema;
  /** Path from a field of the query root to the joined field. */
  readonly path: readonly RemoteStep[];
  /** Fetches the values of all keys of a level with one call; absent: one call for each key. */
  readonly batch?: RemoteBatch;
  readonly description?: string;
}

/**
 * A call that returns the results of all keys as a list: the list in the arguments whose element is a key receives all
 * keys.
 */
export interface RemoteBatch {
  /** Number of items for each key. */
  readonly relationship: "object" | "array";
  /** Upstream names of the item fields that contain the keys, in order; absent: items are in the order of keys. */
  readonly match?: readonly string[];
  /** `_entities` only: upstream name of the item type. */
  readonly entity?: string;
}

/** A step of a path, with upstream names. */
export interface RemoteStep {
  readonly field: string;
  /** JSON as in the metadata: `"$id"` is a key, other values are literals. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type RemoteRelationship = ToSource | ToRemoteSchema;

/** By field name. */
export type RemoteRelationships = Readonly<Record<string, RemoteRelationship>>;

/** The parts of a remote schema that a role may use. */
export interface RemoteSchemaParts {
  /** Types in SDL, with the names of the role's schema. */
  readonly types: string;
  /** Query root type. */
  readonly query: string;
  /** Mutation root type; absent: no mutations. */
  readonly mutation?: string;
  /** Subscription root type; absent: no subscriptions. */
  readonly subscription?: string;
  /** The remote schema may have more types than the role's schema. */
  readonly isPart?: true;
  /** Upstream type names by name in the role's schema; absent: the same. */
  readonly typeNames?: Readonly<Record<string, string>>;
  /** Upstream field names by type and name in the role's schema; absent: the same. */
  readonly fieldNames?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Preset arguments, which requests cannot set, by type and field. */
  readonly argumentPresets?: Readonly<Record<string, Readonly<Record<string, RemotePresets>>>>;
  /** Preset fields of input objects, which requests cannot set, by type. */
  readonly inputPresets?: Readonly<Record<string, RemotePresets>>;
  /** Relationships of objects, by type name in the role's schema. */
  readonly relationships?: Readonly<Record<string, RemoteRelationships>>;
}

export type RemotePresets = Readonly<Record<string, RemotePreset>>;

/**
 * `literal`: in GraphQL syntax; `session`: the variable, and the upstream type of its position; `object`: an input
 * object of presets.
 */
export type RemotePreset =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "object"; readonly fields: RemotePresets }
  | { readonly kind: "session"; readonly variable: string; readonly type: string };

export interface RemoteSchema extends RemoteSchemaParts {
  readonly server: RemoteServer;
  /** The types, parsed on first use. */
  readonly document: () => DocumentNode;
}
