/** Parts of the input types of `_related` that inserts and updates share. */
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { filterType } from "./filter-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

export type Named = readonly [string, InputField];

/** Returns the type of a selection of rows. */
export function rowsType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  return input(types, view, "rel_rows_input", "a selection of rows of table", () => [whereField(types, view)]);
}

export function whereField(types: TypeRegistry, view: TableView): Named {
  return ["where", argument(() => filterType(types, view), "filter the related rows", { required: true })];
}

/** Returns an input type of a table. @param description followed by the name of the table */
export function input(
  types: TypeRegistry,
  { table }: TableView,
  suffix: string,
  description: string,
  fields: () => Iterable<Named>,
): InputObjectTypeDef {
  const name = table.source.naming.type(table.type, suffix);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `${description} "${table.displayName}"`,
    fields: lazy(() => sortedMap(fields())),
  }));
}
