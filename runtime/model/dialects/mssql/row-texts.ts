/** Rows of a table as JSON texts, which later statements restore. */

import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";
import { columnsOf } from "./kept-rows.ts";
import { textOfValue } from "./scalars.ts";

export function rowsAsText(_: Sql, rows: Sql, table: WrittenTable): Sql {
  const columns = columnsOf(table).map(({ sql: name, type }) => {
    const value = verbatim(name);
    return sql`${textOfValue(type, value)} as ${value}`;
  });
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
  const schema = columns.map(({ sql: name }) => `${name} nvarchar(max) ${jsonPath(name)}`).join(", ");
  return sql`select ${named} from openjson(${text}) with (${verbatim(schema)}) j`;
}

/** Converts `[first name]` to `'$."first name"'`. */
function jsonPath(quoted: string): string {
  const name = quoted.slice(1, -1).replaceAll("]]", "]");
  return `'$.${JSON.stringify(name).replaceAll("'", "''")}'`;
}
