/** Row filters of permissions. */
import { inParentheses, joinSql, type Sql } from "./sql.ts";

/** Returns a session variable as a parameter of the statement. Names are in lower case. */
export type SessionVariable = (name: string) => Sql;

/** Returns a condition over one row, given its alias. */
export type RowFilter = (row: Sql, session: SessionVariable) => Sql;

/** Returns the disjunction of row filters. */
export function anyRowOf(...filters: readonly RowFilter[]): RowFilter {
  return (row, session) => {
    const conditions = filters.map((filter) => inParentheses(filter(row, session)));
    return joinSql(conditions, " or ");
  };
}
