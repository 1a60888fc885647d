/**
 * A table as one role sees it. Generated modules declare views; `schema/` derives the role's GraphQL types from
 * them, `select/` the SQL.
 */

import type { Column } from "./column.ts";
import type { ComputedRows, ComputedValue } from "./function.ts";
import type { InputValidation } from "./input-validation.ts";
import { wholeSessionSlot } from "./parameters.ts";
import type { RemoteRelationships } from "./remote-relationship.ts";
import type { RowFilter } from "./row-filter.ts";
import { parameter, type Sql } from "./sql.ts";
import type { Join, TableDefinition } from "./table.ts";
import type { DeletePermission, Preset, UpdatePermission } from "./write.ts";

/** All session variables as one JSON object, as a parameter. */
export const wholeSession: Sql = parameter(wholeSessionSlot);

/**
 * `visibleWithRow`: who may read a row may read all that the relationship leads to from it, because the target's
 * permission asks for no more than such a row. It says nothing of rows that were not read from the table under the role's
 * permission.
 */
export interface ObjectRelationship {
  readonly kind: "object";
  readonly join: Join;
  readonly target: () => TableView;
  /** The schema promises a row: a foreign key of NOT NULL columns (`graphql-api.md` 2.4). */
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

export function tableView(
  table: TableDefinition,
  view: {
    readonly readable?: boolean;
    readonly columns?: readonly Column[];
    readonly relationships?: Readonly<Record<string, Relationship>>;
    readonly remoteRelationships?: RemoteRelationships;
    readonly computedFields?: Readonly<Record<string, ComputedField>>;
    readonly visible?: RowFilter;
    readonly rowLimit?: number;
    readonly aggregations?: boolean;
    readonly queryRoots?: readonly QueryRoot[];
    readonly insert?: InsertPermission;
    readonly update?: UpdatePermission;
    readonly delete?: DeletePermission;
  },
): TableView {
  return {
    table,
    readable: true,
    columns: [],
    relationships: {},
    remoteRelationships: {},
    computedFields: {},
    aggregations: false,
    ...view,
  };
}

/** The columns of the primary key, as the role sees them; it may write by a key that it may not read. */
export function keyColumns({ table, columns }: TableView): readonly Column[] {
  return table.primaryKey.map((key) => columns.find(({ field }) => field === key.field) ?? key);
}

/** Whether the role may not read all columns of the primary key in all rows: ids and cursors must not show them. */
export function hasHiddenKey({ table, columns }: TableView): boolean {
  return table.primaryKey.some((key) => {
    const column = columns.find(({ field }) => field === key.field);
    return column === undefined || column.visible !== undefined;
  });
}

/** The relationships that filters and orderings can follow: from table to table. */
export function tableRelationships({ table, relationships }: TableView): readonly (readonly [string, Relationship])[] {
  if (table.query) return [];
  return Object.entries(relationships).filter(([, { target }]) => target().table.query === undefined);
}

/** One row of another table, or none. */
export function toOne(
  join: Join,
  target: () => TableView,
  options: { readonly required?: boolean; readonly visibleWithRow?: boolean; readonly description?: string } = {},
): ObjectRelationship {
  const { required = false, visibleWithRow = false, description = "An object relationship" } = options;
  return { kind: "object", join, target, required, visibleWithRow, description };
}

/** Rows of another table. */
export function toMany(
  join: Join,
  target: () => TableView,
  options: { readonly aggregations?: boolean; readonly visibleWithRow?: boolean; readonly description?: string } = {},
): ArrayRelationship {
  const { aggregations = false, visibleWithRow = false, description = "An array relationship" } = options;
  return { kind: "array", join, target, aggregations, visibleWithRow, description };
}

/** Rows that a function gives for a row, as far as the role may read them. */
export function toRows(call: ComputedRows, target: () => TableView): ComputedTable {
  return { kind: "rows", call, target };
}
