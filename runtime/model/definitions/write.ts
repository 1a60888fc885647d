/** What a role may change of a table: its update and delete permission. Declared in the role's generated modules. */
import type { Column } from "./column.ts";
import type { InputValidation } from "./input-validation.ts";
import type { RowFilter, SessionVariable } from "./row-filter.ts";
import type { Sql } from "./sql.ts";

/** A column that the permission itself sets. */
export interface Preset {
  /** Quoted name. */
  readonly column: string;
  readonly value: (session: SessionVariable) => Sql;
}

export function preset(column: string, value: Preset["value"]): Preset {
  return { column, value };
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
