/** Insert permissions in generated modules, with nested inserts into other tables. */
import type { Column } from "./column.ts";
import type { InputValidation } from "./input-validation.ts";
import type { RowFilter } from "./row-filter.ts";
import type { Join } from "./table.ts";
import type { InsertPermission, NestedInsert, TableView } from "./view.ts";
import type { Preset } from "./write.ts";

/** Declares the nested row of an object relationship. */
export function nestedRow(join: Join, target: () => TableView): NestedInsert {
  return { kind: "object", join, target };
}

/** Declares the nested rows of an array relationship. */
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
