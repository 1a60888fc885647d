/** Parallel lists of texts, each a JSON list in one parameter. */
import type { ExactText, ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/**
 * Removes the collation of a text, so that it compares like a parameter: the collation of `openjson` may conflict with
 * that of a column. A text converted from binary takes the collation of the other side.
 */
export const withoutCollation = (text: Sql): Sql => sql`convert(nvarchar(max), convert(varbinary(max), ${text}))`;

/** Returns a text from JSON for comparison with a column of this type, converted to that type if it is known (`ofText`). */
export function comparableText(type: ScalarType, text: Sql): ExactText {
  return type.ofText?.(text) ?? { value: withoutCollation(text) };
}

/** Returns `comparableText` as one expression: NULL for a text that no row can contain. */
export function equatedText(type: ScalarType, text: Sql): Sql {
  const { value, isWhole } = comparableText(type, text);
  return isWhole ? sql`case when ${isWhole} then ${value} end` : value;
}

export interface NamedList {
  readonly name: Sql;
  readonly values: Sql;
}

/** Returns a SELECT whose n-th row has the n-th text of each list; `n` is the row number, counted from 0. */
export function rowsOfLists(lists: readonly NamedList[]): Sql {
  const sources = lists.map(({ values }, i) => {
    const list = sql`openjson(${values}) ${verbatim(`l${i + 1}`)}`;
    return i === 0 ? list : sql`join ${list} on ${verbatim(`l${i + 1}`)}.[key] = l1.[key]`;
  });
  const columns = lists.map(({ name }, i) => sql`${verbatim(`l${i + 1}.[value] as `)}${name}`);
  return sql`select cast(l1.[key] as int) as n, ${joinSql(columns, ", ")} from ${joinSql(sources, " ")}`;
}
