/** Enum tables: which columns hold the values, and the rows themselves. */

import { quoteIdentifier } from "../../../../runtime/model/dialects/postgres/quote.ts";
import { invariant } from "../../../../runtime/values/errors.ts";
import { compareText } from "../../../../runtime/values/text-order.ts";
import type { QualifiedName } from "../../../catalog/model.ts";
import type { EnumValueShape, TableShape } from "../../../shape/shape.ts";
import type { EnumColumns, Query } from "../../dialect.ts";

/**
 * The primary key if it is one column of type `text`, and the other column if it is the only one and of type `text`.
 * What else is wrong with the table is for analysis to say; without such a key its rows are not read, so that a
 * large table marked by mistake does no harm.
 */
export function enumColumns(table: TableShape): EnumColumns | undefined {
  const key = table.primaryKey?.columns;
  if (key === undefined || key.length !== 1) return undefined;
  const value = table.columns.find((column) => column.name === key[0]);
  if (value === undefined || !isText(value)) return undefined;
  const [comment, ...more] = table.columns.filter((column) => column !== value);
  const hasComment = comment !== undefined && more.length === 0 && isText(comment);
  return { value: value.name, comment: hasComment ? comment.name : null };
}

function isText({ type }: TableShape["columns"][number]): boolean {
  return type.schema === "pg_catalog" && type.name === "text";
}

/** Reads the values and their comments, ordered by value. Rejects with the error of `query`. */
export async function readEnumValues(
  query: Query,
  table: QualifiedName,
  columns: EnumColumns,
): Promise<readonly EnumValueShape[]> {
  const comment = columns.comment === null ? "NULL" : quoteIdentifier(columns.comment);
  const rows = await query(
    `SELECT ${quoteIdentifier(columns.value)}, ${comment} FROM ${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`,
  );
  return rows
    .map(([value, text]) => {
      invariant(typeof value === "string", "a primary key is NULL");
      return { value, comment: text ?? null };
    })
    .sort((left, right) => compareText(left.value, right.value));
}
