/** Lists of texts side by side, each a JSON list in one parameter. */
import type { ExactText, ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/**
 * A text out of JSON, as comparable as a parameter: `openjson` gives it a collation, which that of a column may
 * contradict; what was binary has none of its own, and takes that of the other side.
 */
const withoutCollation = (text: Sql): Sql => sql`convert(nvarchar(max), convert(varbinary(max), ${text}))`;

/** A text out of JSON that a column of this type is compared with: of exactly that type where it is known (`ofText`). */
export function comparableText(type: ScalarType, text: Sql): ExactText {
  return type.ofText?.(text) ?? { value: withoutCollation(text) };
}

/** The same as one expression: NULL for a text that no row can have. */
export function equatedText(type: ScalarType, text: Sql): Sql {
  const { value, isWhole } = comparableText(type, text);
  return isWhole ? sql`case when ${isWhole} then ${value} end` : value;
}

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
