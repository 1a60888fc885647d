/** What streams of subscriptions take: a cursor, and how much at once (`graphql-api.md` 2.2, 2.4, 7.6). */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { filterType } from "./filter-types.ts";
import { columnInput } from "./insert-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { EnumTypeDef, InputField, InputObjectTypeDef } from "./types.ts";

/** `batch_size`, `cursor`, `where`. */
export function streamArguments(types: TypeRegistry, view: TableView): ReadonlyMap<string, InputField> {
  const { naming } = view.table.source;
  const cursor = argument(() => cursorType(types, view), "cursor to stream the results returned by the query", {
    list: true,
    required: true,
  });
  const batchSize = "maximum number of rows returned in a single batch";
  return sortedMap([
    [naming.field("batch_size"), argument(() => types.scalar("Int"), batchSize, { required: true })],
    ["cursor", { ...cursor, nullableItems: true }],
    ["where", { ...argument(() => filterType(types, view), "filter the rows returned"), nullIsAbsent: true }],
  ]);
}

/** The column that a stream goes along, and where it starts. */
function cursorType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const name = naming.type(table.type, "stream_cursor_input");
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `Streaming cursor of the table "${table.displayName}"`,
    fields: lazy(() =>
      sortedMap([
        [
          naming.field("initial_value"),
          argument(() => cursorValueType(types, view), "Stream column input with initial value", { required: true }),
        ],
        ["ordering", { ...argument(() => cursorOrdering(types, view), "cursor ordering"), nullIsAbsent: true }],
      ]),
    ),
  }));
}

/** A value of one column: the plan refuses none, and several. */
function cursorValueType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table, columns } = view;
  const name = table.source.naming.type(table.type, "stream_cursor_value_input");
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: "Initial value of the column from where the streaming should start",
    fields: lazy(() =>
      sortedMap(columns.map((column): [string, InputField] => [column.field, columnInput(types, column)])),
    ),
  }));
}

function cursorOrdering(types: TypeRegistry, { table }: TableView): EnumTypeDef {
  const { naming } = table.source;
  const name = naming.type(naming.commonType("cursor_ordering"));
  return types.of(table.source).get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: "ordering argument of a cursor",
    values: new Map([
      [
        "ASC",
        { description: "ascending ordering of the cursor", meta: { kind: "cursor_ordering", descending: false } },
      ],
      [
        "DESC",
        { description: "descending ordering of the cursor", meta: { kind: "cursor_ordering", descending: true } },
      ],
    ]),
  }));
}
