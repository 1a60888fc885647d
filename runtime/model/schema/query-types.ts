/** Root fields of queries and subscriptions. */
import { invariant } from "../../values/errors.ts";
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { FunctionRoot, LiveRoot, NodeRoot, RootField, StreamRoot } from "../definitions/roots.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { filterType } from "./filter-types.ts";
import { functionArguments } from "./function-types.ts";
import { groupField } from "./group-types.ts";
import { columnInput } from "./insert-types.ts";
import {
  aggregateType,
  connectionField,
  groupedTypes,
  keyArguments,
  listArguments,
  objectType,
} from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { nodeField } from "./relay-types.ts";
import type { EnumTypeDef, InputField, InputObjectTypeDef, OutputField } from "./types.ts";

export function subscriptionField(types: TypeRegistry, root: LiveRoot | NodeRoot): OutputField {
  return root.kind === "select_stream" ? streamField(types, root) : queryField(types, root);
}

function streamField(types: TypeRegistry, root: StreamRoot): OutputField {
  const { view } = root;
  return {
    type: () => objectType(types, view()),
    list: true,
    required: true,
    description: () => rootDescription(root),
    args: lazy(() => streamArguments(types, view())),
    meta: { kind: "stream", root },
  };
}

export function queryField(types: TypeRegistry, root: RootField | NodeRoot): OutputField {
  if (root.kind === "node") {
    invariant(types.relay, "only the Relay schema has nodes");
    return nodeField(types, types.relay, root, objectType);
  }
  const { view } = root;
  const field = { description: () => rootDescription(root), meta: { kind: "root", root } } as const;
  switch (root.kind) {
    case "select_many":
    case "native_query":
    case "stored_procedure":
      return {
        ...field,
        type: () => objectType(types, view()),
        list: true,
        required: true,
        args: lazy(() => listArguments(types, view())),
      };
    case "select_by_pk":
      return {
        ...field,
        type: () => objectType(types, view()),
        list: false,
        required: false,
        args: lazy(() => keyArguments(types, view())),
      };
    case "select_aggregate":
      return {
        ...field,
        type: () => aggregateType(types, view()),
        list: false,
        required: true,
        args: lazy(() => listArguments(types, view())),
      };
    case "select_group":
      return { ...field, ...groupField(types, view(), groupedTypes) };
    case "select_connection":
      return { ...field, ...connectionField(types, view()) };
    case "function":
    case "function_aggregate":
    case "function_connection":
      return { ...field, ...functionField(types, root) };
  }
}

function rootDescription(root: LiveRoot): string | undefined {
  if (root.description !== undefined) return root.description === "" ? undefined : root.description;
  const table = `"${root.view().table.displayName}"`;
  switch (root.kind) {
    case "native_query":
    case "stored_procedure":
      return undefined;
    case "select_many":
    case "select_connection":
      return `fetch data from the table: ${table}`;
    case "select_by_pk":
      return `fetch data from the table: ${table} using primary key columns`;
    case "select_aggregate":
      return `fetch aggregated fields from the table: ${table}`;
    case "select_group":
      return `fetch groups of rows with their aggregates from the table: ${table}`;
    case "select_stream":
      return `fetch data from the table in a streaming manner: ${table}`;
    case "function":
    case "function_connection":
      return `execute function "${root.function.function.displayName}" which returns ${table}`;
    case "function_aggregate": {
      const { displayName } = root.function.function;
      return `execute function "${displayName}" and query aggregates on result of table type ${table}`;
    }
  }
}

// Arguments of streaming subscriptions: a cursor and the batch size.

/** Returns `batch_size`, `cursor`, `where`. */
function streamArguments(types: TypeRegistry, view: TableView): ReadonlyMap<string, InputField> {
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

/** Returns the input type of a cursor: the column that the stream follows, and its initial value. */
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

/** Returns the input type with the value of one column. Planning refuses an input without a value or with several. */
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

type FieldType = Pick<OutputField, "type" | "list" | "required" | "args" | "cursors">;

export function functionField(types: TypeRegistry, { kind, view, function: call }: FunctionRoot): FieldType {
  const args = lazy(() => sortedMap([...listArguments(types, view()), ...functionArguments(types, call)]));
  if (kind === "function_connection") {
    const connection = connectionField(types, view());
    const own = lazy(() => sortedMap([...connection.args(), ...functionArguments(types, call)]));
    return { ...connection, args: own };
  }
  if (kind === "function_aggregate") {
    return { type: () => aggregateType(types, view()), list: false, required: true, args };
  }
  const isList = call.function.returnsSet;
  return { type: () => objectType(types, view()), list: isList, required: isList, args };
}
