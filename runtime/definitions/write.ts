/** What a role may write to a table: its insert, update and delete permission. Declared in the role's generated modules. */
import type { InputValidation } from "./input-validation.ts";
import type { RowFilter, SessionVariable } from "./row-filter.ts";
import type { Sql } from "./sql.ts";
import type { Column, Join } from "./table.ts";
import type { TableView } from "./view.ts";

/** A column that the permission itself sets. */
export interface Preset {
  /** Quoted name. */
  readonly column: string;
  readonly value: (session: SessionVariable) => Sql;
}

export function preset(column: string, value: Preset["value"]): Preset {
  return { column, value };
}

/** Rows of another table that are inserted along with a row. */
export interface NestedInsert {
  readonly kind: "object" | "array";
  readonly join: Join;
  readonly target: () => TableView;
}

/** The row of an object relationship. */
export function nestedRow(join: Join, target: () => TableView): NestedInsert {
  return { kind: "object", join, target };
}

/** Rows of an array relationship. */
export function nestedRows(join: Join, target: () => TableView): NestedInsert {
  return { kind: "array", join, target };
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

export function allowInsert(permission: {
  readonly columns: readonly Column[];
  readonly presets?: readonly Preset[];
  readonly check?: RowFilter;
  readonly nested?: Readonly<Record<string, NestedInsert>>;
  readonly validation?: InputValidation;
  readonly backendOnly?: boolean;
}): InsertPermission {
  return { presets: [], nested: {}, backendOnly: false, ...permission };
}

export interface UpdatePermission {
  /** The columns that a request may set. */
  readonly columns: readonly Column[];
  readonly presets: readonly Preset[];
  /** Rows that may be changed; absent: all. */
  readonly filter?: RowFilter;
  /** Holds for every row after the change; absent: no condition. */
  readonly check?: RowFilter;
  /** The permission has a check, be it one that always holds; without one, upserts obey the insert permission's. */
  readonly hasCheck: boolean;
  /** Asked about the arguments before anything is changed. */
  readonly validation?: InputValidation;
  readonly backendOnly: boolean;
}

export function allowUpdate(permission: {
  readonly columns: readonly Column[];
  readonly presets?: readonly Preset[];
  readonly filter?: RowFilter;
  readonly check?: RowFilter;
  readonly hasCheck?: boolean;
  readonly validation?: InputValidation;
  readonly backendOnly?: boolean;
}): UpdatePermission {
  return { presets: [], hasCheck: permission.check !== undefined, backendOnly: false, ...permission };
}

export interface DeletePermission {
  /** Rows that may be deleted; absent: all. */
  readonly filter?: RowFilter;
  /** Asked about the arguments before anything is deleted. */
  readonly validation?: InputValidation;
  readonly backendOnly: boolean;
}

export function allowDelete(
  permission: {
    readonly filter?: RowFilter;
    readonly validation?: InputValidation;
    readonly backendOnly?: boolean;
  } = {},
): DeletePermission {
  return { backendOnly: false, ...permission };
}
