/** Calls of native queries: the arguments of a field → the rows that stand after FROM (`sql-generation.md` 9). */
import type { NativeQuery } from "../native-query.ts";
import type { SelectedField } from "../operation/selection.ts";
import { type Sql, sql, verbatim } from "../sql.ts";
import type { TableView } from "../view.ts";
import { operand } from "./context.ts";
import type { Origin } from "./scope.ts";

/** Where the rows of a view come from, if it is that of a native query. */
export function nativeOrigin({ table: { query } }: TableView, field: SelectedField): Pick<Origin, "rows"> {
  return query ? { rows: rowsOfQuery(query, field) } : {};
}

/** The query as a derived table; a comment may end it. */
function rowsOfQuery({ arguments: args, rows }: NativeQuery, field: SelectedField): Sql {
  const input = field.args.get("args");
  const given = new Map(input?.kind === "object" ? input.members.map(({ name, value }) => [name, value]) : []);
  const values = args.map(({ name, type }) => {
    const value = given.get(name);
    return sql`(${value ? operand(value, type) : type.operand(verbatim("null"))})`;
  });
  return sql`(${rows(...values)}\n)`;
}
