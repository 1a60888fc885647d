/** Arguments of the JSON data operations, which run like GraphQL requests. */
import * as z from "zod";
import type {
  DataColumn,
  DataCount,
  DataDelete,
  DataInsert,
  DataOnConflict,
  DataOperation,
  DataOrder,
  DataSelect,
  DataSelection,
  DataTable,
  DataUpdate,
  JsonRow,
} from "../../../runtime/values/data-operation.ts";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { SourceKind } from "../../catalog/model.ts";
import { choose, list, mapOf, object, oneOf } from "../../catalog/schema/combinators.ts";
import { int, json, text } from "../../catalog/schema/scalars.ts";
import { inSource, ofTable } from "../arguments.ts";
import { print } from "../lookups.ts";
import { type Operation, operation } from "../operation.ts";

/** Returns the argument `table`, with the table's name for messages. */
const ofDataTable = (kind: SourceKind): { readonly table: z.ZodType<DataTable> } => ({
  table: ofTable(kind).table.transform((table) => ({ ...table, displayName: print(kind, table) })),
});

const row: z.ZodType<JsonRow> = mapOf(json);
const names = list(text);

/** Returns a schema that accepts one item or a list. */
function oneOrMany<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  const one = item.transform((value): readonly T[] => [value]);
  return choose<readonly T[]>((input) => (Array.isArray(input) ? list(item) : one));
}

const onConflict: z.ZodType<DataOnConflict> = object({
  required: { action: oneOf(["ignore", "update"]) },
  optional: { constraint: text, constraint_on: oneOrMany(text) },
});

/** `"col"`, `"+col"`, `"-col"`. */
const shortOrder = text.transform((written, context): DataOrder => {
  const [, sign, column] = /^([+-]?)([^+-].*)$/s.exec(written) ?? [];
  if (column !== undefined) return { column, type: sign === "-" ? "desc" : "asc" };
  const message = "string format for 'order_by' entry : {+/-}column Eg : +posted";
  context.issues.push({ code: "custom", message, input: written });
  return z.NEVER;
});
const longOrder: z.ZodType<DataOrder> = object({
  required: { column: text },
  optional: { type: oneOf(["asc", "desc"]), nulls: oneOf(["first", "last"]) },
});
const order: z.ZodType<DataOrder> = choose<DataOrder>((input) => (typeof input === "string" ? shortOrder : longOrder));

const relatedColumns: z.ZodType<DataSelection & { readonly name: string; readonly alias?: string }> = object({
  required: { name: text, columns: list(z.lazy(() => column)) },
  optional: { alias: text, where: row, order_by: oneOrMany(order), limit: int, offset: int },
});
const column: z.ZodType<DataColumn> = choose<DataColumn>((input) => (isObject(input) ? relatedColumns : text));

const insertArguments = (kind: SourceKind): z.ZodType<Omit<DataInsert, "type">> =>
  object({
    required: { ...ofDataTable(kind), objects: list(row) },
    defaulted: inSource,
    optional: { on_conflict: onConflict, returning: names },
  });

const rowOrNone = row.default({});

const updateArguments = (kind: SourceKind): z.ZodType<Omit<DataUpdate, "type">> =>
  object({
    required: { ...ofDataTable(kind), where: row },
    defaulted: {
      ...inSource,
      $set: rowOrNone,
      values: rowOrNone,
      $inc: rowOrNone,
      $mul: rowOrNone,
      $default: names.default([]),
    },
    optional: { returning: names },
  }).transform(({ values, $set, ...rest }) => ({ ...rest, $set: { ...values, ...$set } }));

const deleteArguments = (kind: SourceKind): z.ZodType<Omit<DataDelete, "type">> =>
  object({ required: { ...ofDataTable(kind), where: row }, defaulted: inSource, optional: { returning: names } });

const selectArguments = (kind: SourceKind): z.ZodType<Omit<DataSelect, "type">> =>
  object({
    required: { ...ofDataTable(kind), columns: list(column) },
    defaulted: inSource,
    optional: { where: row, order_by: oneOrMany(order), limit: int, offset: int },
  });

const countArguments = (kind: SourceKind): z.ZodType<Omit<DataCount, "type">> =>
  object({ required: ofDataTable(kind), defaulted: inSource, optional: { where: row, distinct: names } });

export const dataOperations = [
  dataOperation("insert", insertArguments, (input): DataInsert => ({ type: "insert", ...input })),
  dataOperation("update", updateArguments, (input): DataUpdate => ({ type: "update", ...input })),
  dataOperation("delete", deleteArguments, (input): DataDelete => ({ type: "delete", ...input })),
  dataOperation("select", selectArguments, (input): DataSelect => ({ type: "select", ...input })),
  dataOperation("count", countArguments, (input): DataCount => ({ type: "count", ...input })),
];

function dataOperation<I>(
  name: DataOperation["type"],
  input: (kind: SourceKind) => z.ZodType<I>,
  bind: (input: I) => DataOperation,
): Operation {
  return operation(name, {
    effect: "data",
    endpoints: { query: [1], sql: true },
    input,
    call: (input, { path }) => ({ effect: "data", operation: name, input: bind(input), path }),
  });
}
