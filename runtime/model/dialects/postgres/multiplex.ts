/**
 * One query for many sets of values → one statement (`sql-generation.md` 12.1). The values of each parameter travel as
 * one array of the parameter's own type, so that conditions compare columns with typed values and indexes stay usable.
 */
import type { MultiplexedStatement } from "../../definitions/dialect.ts";
import { joinSql, renderWith, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { textList } from "./writes.ts";

/** A row of values, and its columns: `v.p1` stands where the query by itself has `$1`. */
const row = "v";

export function multiplex(columns: readonly Sql[], from?: Sql): MultiplexedStatement {
  const named = columns.map((column, i) => sql`${column} as ${verbatim(`c${i + 1}`)}`);
  const query = renderWith(selectRow(named, from), (number) => `${row}.p${number}`);
  if (query.slots.length === 0) {
    return { text: `select 1 as n, q.* from (${query.text}) q`, slots: [], values: () => [] };
  }
  const lists = query.casts.map((cast, i) => `$${i + 1}::${elementType(cast)}[]`);
  const names = query.casts.map((_, i) => `p${i + 1}`);
  return {
    text:
      `select ${row}.n, q.* from unnest(${lists.join(", ")}) with ordinality as ${row}(${names.join(", ")}, n) ` +
      `cross join lateral (${query.text}) q`,
    slots: query.slots,
    values: (sets) => query.slots.map((_, i) => textList(sets.map((set) => set[i] ?? null))),
  };
}

function selectRow(columns: readonly Sql[], from: Sql | undefined): Sql {
  const list = joinSql(columns, ", ");
  return from ? sql`select ${list} from ${from}` : sql`select ${list}`;
}

/** Arrays have no arrays of their own: they travel as texts, and are cast where they are used, like what has no cast. */
function elementType(cast: string): string {
  return cast === "" || cast.endsWith("[]") ? "text" : cast.slice(2);
}
