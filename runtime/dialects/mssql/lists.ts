/** Lists of texts side by side, each a JSON list in one parameter. */
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/**
 * A text out of JSON, as comparable as a parameter: `openjson` gives it the collation of the database, which that of a
 * column may contradict; what was binary has none of its own, and takes that of the other side.
 */
export const withoutCollation = (text: Sql): Sql => sql`convert(nvarchar(max), convert(varbinary(max), ${text}))`;

export interface NamedList {
  readonly name: Sql;
  readonly values: Sql;
}

/** A SELECT whose n-th row has the n-th text of each list; the row's number, from 0, is `n`. */
export function rowsOfLists(lists: readonly NamedList[]): Sql {
  const sources = lists.map(({ values }, i) => {
    const list = sql`openjson(${values}) ${verbatim(`l${i + 1}`)}`;
    return i === 0 ? list : sql`join ${list} on ${verbatim(`l${i + 1}`)}.[key] = l1.[key]`;
  });
  const columns = lists.map(({ name }, i) => sql`${verbatim(`l${i + 1}.[value] as `)}${name}`);
  return sql`select cast(l1.[key] as int) as n, ${joinSql(columns, ", ")} from ${joinSql(sources, " ")}`;
}
