/** Update and delete permissions in generated modules. */
import type { Column } from "./column.ts";
import type { InputValidation } from "./input-validation.ts";
import type { RowFilter, SessionVariable } from "./row-filter.ts";
import type { Sql } from "./sql.ts";

/** A column that the permission sets. */
export interface Preset {
  /** Quoted name. */
  readonly column: string;
  readonly value: (session: SessionVariable) => Sql;
}

export function preset(column: string, value: Preset["value"]): Preset {
  return { column, value };
}

export interface UpdatePermission {
  /** Columns that requests may set. */
  readonly columns: readonly Column[];
  readonly presets: readonly Preset[];
  /** Row filter; absent: all rows. */
  readonly filter?: RowFilter;
  /** Condition on every changed row; absent: none. */
  readonly check?: RowFilter;
  /** The permission has a check, which may always hold. Without one, upserts use the check of the insert permission. */
  readonly hasCheck: boolean;
  /** Validates the arguments before the update. */
  readonly validation?: InputValidation;
  readonly backendOnly: boolean;
  /** The permissions that a merged permission consists of; each has its own filter and check. */
  readonly parents?: readonly UpdatePermission[];
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
  /** Row filter; absent: all rows. */
  readonly filter?: RowFilter;
  /** Validates the arguments before the deletion. */
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
