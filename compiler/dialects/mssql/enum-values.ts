/** Enum tables: which columns hold the values, and the rows themselves. */

import { quoteIdentifier } from "../../../runtime/model/dialects/mssql/quote.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import { compareText } from "../../../runtime/values/text-order.ts";
import type { QualifiedName } from "../../catalog/model.ts";
import type { EnumValueShape, TableShape } from "../../shape/shape.ts";
import type { EnumColumns, Query } from "../dialect.ts";

const texts: ReadonlySet<string> = new Set(["char", "varchar", "nchar", "nvarchar"]);

/** The primary key if it is one column of text, and the other column if it is the only one and of text. */
export function enumColumns(table: TableShape): EnumColumns | undefined {
  const key = table.primaryKey?.columns;
  if (key === undefined || key.length !== 1) return undefined;
  const value = table.columns.find((column) => column.name === key[0]);
  if (value === undefined || !texts.has(value.type.name)) return undefined;
  const [comment, ...more] = table.columns.filter((column) => column !== value);
  const hasComment = comment !== undefined && more.length === 0 && texts.has(comment.type.name);
  return { value: value.name, comment: hasComment ? comment.name : null };
}

/** Reads the values and their comments, ordered by value. Rejects with the error of `query`. */
export async function readEnumValues(
  query: Query,
  table: QualifiedName,
  columns: EnumColumns,
): Promise<readonly EnumValueShape[]> {
  const comment = columns.comment === null ? "null" : quoteIdentifier(columns.comment);
  const from = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
  const rows = await query(`select ${quoteIdentifier(columns.value)} as [value], ${comment} as [comment] from ${from}`);
  return rows
    .map(([value, text]) => {
      invariant(typeof value === "string", "a primary key is NULL");
      return { value, comment: text ?? null };
    })
    .sort((left, right) => compareText(left.value, right.value));
}
