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
  DataUpdateRows,
  JsonRow,
  RowUpdate,
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
  const many = list(item);
  return choose<readonly T[]>(
    () => [one, many],
    (input) => (Array.isArray(input) ? many : one),
  );
}

const onConflict: z.ZodType<DataOnConflict> = object({
  about: {
    action: "`ignore` keeps the existing row, `update` changes it to the new values.",
    constraint: "Name of the unique constraint.",
    constraint_on: "Columns of the unique constraint, instead of its name.",
  },
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
  about: {
    column: "Column, or a path through object relationships such as `author.name`.",
    type: "Direction. Default: `asc`.",
    nulls: "Position of `null`. Default: `last` if ascending, `first` if descending.",
  },
  required: { column: text },
  optional: { type: oneOf(["asc", "desc"]), nulls: oneOf(["first", "last"]) },
});
const order: z.ZodType<DataOrder> = choose<DataOrder>(
  () => [shortOrder, longOrder],
  (input) => (typeof input === "string" ? shortOrder : longOrder),
);

const relatedColumns: z.ZodType<DataSelection & { readonly name: string; readonly alias?: string }> = object({
  about: {
    name: "Relationship whose rows are selected.",
    columns: "Columns of the related rows, in the same form.",
    alias: "Name in the response. Default: the name of the relationship.",
    where: "Condition for the rows, as the argument `where` in GraphQL. Default: all rows.",
    order_by: 'Order of the rows: `"+column"`, `"-column"`, or an object; several in a list.',
    limit: "Maximum number of rows.",
    offset: "Number of rows to skip.",
  },
  required: { name: text, columns: list(z.lazy(() => column)) },
  optional: { alias: text, where: row, order_by: oneOrMany(order), limit: int, offset: int },
});
const column: z.ZodType<DataColumn> = choose<DataColumn>(
  () => [text, relatedColumns],
  (input) => (isObject(input) ? relatedColumns : text),
);

const insertArguments = (kind: SourceKind): z.ZodType<Omit<DataInsert, "type">> =>
  object({
    about: {
      table: "A tracked table or view.",
      source: "Source with the table.",
      objects: "Rows to insert: values by column.",
      on_conflict: "Handling of rows that violate a unique constraint. Default: the operation fails.",
      returning: "Columns of the affected rows to return. Default: none.",
    },
    required: { ...ofDataTable(kind), objects: list(row) },
    defaulted: inSource,
    optional: { on_conflict: onConflict, returning: names },
  });

const rowOrNone = row.default({});

const updateArguments = (kind: SourceKind): z.ZodType<Omit<DataUpdate, "type">> =>
  object({
    about: {
      table: "A tracked table or view.",
      source: "Source with the table.",
      where: "Condition for the rows, as the argument `where` in GraphQL.",
      $set: "New values by column.",
      values: "Alias of `$set`, whose values have precedence.",
      $inc: "Numbers to add, by column.",
      $mul: "Factors by column.",
      $default: "Columns that get their default.",
      returning: "Columns of the affected rows to return. Default: none.",
    },
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

const maxUpdates = 1000;

const rowUpdate: z.ZodType<RowUpdate> = object({
  about: {
    where: "Condition that must match exactly one row, as the argument `where` in GraphQL.",
    $set: "New values by column.",
  },
  required: { where: row, $set: row },
});

const updateRowsArguments = (kind: SourceKind): z.ZodType<Omit<DataUpdateRows, "type">> =>
  object({
    about: {
      table: "A tracked table or view.",
      source: "Source with the table.",
      updates: `Changes of one row each, from 1 to ${maxUpdates}, which run in order.`,
      returning: "Columns of the changed rows to return, in the order of `updates`. Default: none.",
    },
    required: {
      ...ofDataTable(kind),
      updates: list(rowUpdate).refine(
        ({ length }) => length >= 1 && length <= maxUpdates,
        `expected from 1 to ${maxUpdates} updates`,
      ),
    },
    defaulted: inSource,
    optional: { returning: names },
  });

const deleteArguments = (kind: SourceKind): z.ZodType<Omit<DataDelete, "type">> =>
  object({
    about: {
      table: "A tracked table or view.",
      source: "Source with the table.",
      where: "Condition for the rows, as the argument `where` in GraphQL.",
      returning: "Columns of the affected rows to return. Default: none.",
    },
    required: { ...ofDataTable(kind), where: row },
    defaulted: inSource,
    optional: { returning: names },
  });

const selectArguments = (kind: SourceKind): z.ZodType<Omit<DataSelect, "type">> =>
  object({
    about: {
      table: "A tracked table or view.",
      source: "Source with the table.",
      columns: 'Columns to return; `"*"` for all, and an object for the rows of a relationship.',
      where: "Condition for the rows, as the argument `where` in GraphQL. Default: all rows.",
      order_by: 'Order of the rows: `"+column"`, `"-column"`, or an object; several in a list.',
      limit: "Maximum number of rows.",
      offset: "Number of rows to skip.",
    },
    required: { ...ofDataTable(kind), columns: list(column) },
    defaulted: inSource,
    optional: { where: row, order_by: oneOrMany(order), limit: int, offset: int },
  });

const countArguments = (kind: SourceKind): z.ZodType<Omit<DataCount, "type">> =>
  object({
    about: {
      table: "A tracked table or view.",
      source: "Source with the table.",
      where: "Condition for the rows, as the argument `where` in GraphQL. Default: all rows.",
      distinct: "Columns whose distinct values are counted. Default: rows are counted.",
    },
    required: ofDataTable(kind),
    defaulted: inSource,
    optional: { where: row, distinct: names },
  });

export const dataOperations = [
  dataOperation(
    "insert",
    "Inserts rows with the permissions of the caller's role.",
    insertArguments,
    (input): DataInsert => ({ type: "insert", ...input }),
  ),
  dataOperation(
    "update",
    "Changes rows with the permissions of the caller's role.",
    updateArguments,
    (input): DataUpdate => ({ type: "update", ...input }),
  ),
  dataOperation(
    "update_rows",
    "Changes single rows in one transaction with the permissions of the caller's role. If a condition matches no row or several, no row is changed.",
    updateRowsArguments,
    (input): DataUpdateRows => ({ type: "update_rows", ...input }),
  ),
  dataOperation(
    "delete",
    "Deletes rows with the permissions of the caller's role.",
    deleteArguments,
    (input): DataDelete => ({ type: "delete", ...input }),
  ),
  dataOperation(
    "select",
    "Returns rows with the permissions of the caller's role.",
    selectArguments,
    (input): DataSelect => ({ type: "select", ...input }),
  ),
  dataOperation(
    "count",
    "Returns the number of rows that the caller's role may read.",
    countArguments,
    (input): DataCount => ({ type: "count", ...input }),
  ),
];

function dataOperation<I>(
  name: DataOperation["type"],
  about: string,
  input: (kind: SourceKind) => z.ZodType<I>,
  bind: (input: I) => DataOperation,
): Operation {
  return operation(name, {
    about,
    effect: "data",
    endpoints: { query: [1], sql: true },
    input,
    call: (input, { path }) => ({ effect: "data", operation: name, input: bind(input), path }),
  });
}
