/**
 * One query for many sets of values → one statement (`sql-generation.md` 13.8). All sets travel as one JSON list, of
 * which `openjson` makes a row each: the number of the set, then its values as texts, which have to be as comparable as
 * the parameters that they stand for (`lists.ts`).
 */
import type { MultiplexedStatement } from "../../definitions/dialect.ts";
import { joinSql, renderWith, type Sql, sql, verbatim } from "../../definitions/sql.ts";

export function multiplex(columns: readonly Sql[]): MultiplexedStatement {
  const named = columns.map((column, i) => sql`${column} as ${verbatim(`c${i + 1}`)}`);
  const query = renderWith(
    sql`select ${joinSql(named, ", ")}`,
    (number) => `convert(nvarchar(max), convert(varbinary(max), v.p${number}))`,
  );
  if (query.slots.length === 0) {
    return { text: `select 1 as n, q.* from (${query.text}) q`, slots: [], values: () => [] };
  }
  const values = query.slots.map((_, i) => `p${i + 1} nvarchar(max) '$[${i + 1}]'`);
  return {
    text:
      `select v.n, q.* from openjson(@p1) with (n int '$[0]', ${values.join(", ")}) v ` +
      `cross apply (${query.text}) q`,
    slots: query.slots,
    values: (sets) => [JSON.stringify(sets.map((set, i) => [i + 1, ...set]))],
  };
}
