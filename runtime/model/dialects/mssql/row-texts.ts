/**
 * Rows of a table as JSON texts, which later statements restore. Members are named by the position of their column: for
 * a dot in an alias, FOR JSON would create a nested object.
 */

import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";
import { columnsOf } from "./kept-rows.ts";
import { textOfValue } from "./scalars.ts";

/** Returns the name of a column's member. */
export const member = (index: number): Sql => verbatim(`c${index + 1}`);

export function rowsAsText(_: Sql, rows: Sql, table: WrittenTable): Sql {
  const columns = columnsOf(table).map(
    ({ sql: name, type }, i) => sql`${textOfValue(type, verbatim(name))} as ${member(i)}`,
  );
  return sql`isnull((select ${joinSql(columns, ", ")} from ${rows} for json path, include_null_values), N'[]')`;
}

/** Restores rows from text with their column types. */
export function rowsFromText(texts: readonly Sql[], table: WrittenTable): Sql {
  return sql`(${joinSql(
    texts.map((text) => rowsOfJson(text, table)),
    " union all ",
  )})`;
}

/** Returns a SELECT of the rows in the text of a list, or of the row in the text of an object. */
export function rowsOfJson(text: Sql, table: WrittenTable): Sql {
  const columns = columnsOf(table);
  const named = joinSql(
    columns.map(({ sql: name, type }) => sql`${type.operand(verbatim(`j.${name}`))} as ${verbatim(name)}`),
    ", ",
  );
  const schema = columns.map(({ sql: name }, i) => `${name} nvarchar(max) '$.c${i + 1}'`).join(", ");
  return sql`select ${named} from openjson(${text}) with (${verbatim(schema)}) j`;
}
