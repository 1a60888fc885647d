/** What a role may insert into a table, alone and along with rows of others. Declared in the role's generated modules. */
import type { Column } from "./column.ts";
import type { InputValidation } from "./input-validation.ts";
import type { RowFilter } from "./row-filter.ts";
import type { Join } from "./table.ts";
import type { InsertPermission, NestedInsert, TableView } from "./view.ts";
import type { Preset } from "./write.ts";

/** The row of an object relationship. */
export function nestedRow(join: Join, target: () => TableView): NestedInsert {
  return { kind: "object", join, target };
}

/** Rows of an array relationship. */
export function nestedRows(join: Join, target: () => TableView): NestedInsert {
  return { kind: "array", join, target };
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
