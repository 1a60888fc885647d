/** Conditions over one row, as permissions have them. */
import { inParentheses, joinSql, type Sql } from "./sql.ts";

/** The value of a session variable, as a parameter of the statement. Names are in lower case. */
export type SessionVariable = (name: string) => Sql;

/** A permission's row filter: a condition over one row, given what stands before the dot of its columns. */
export type RowFilter = (row: Sql, session: SessionVariable) => Sql;

/** The rows that at least one of the filters lets through. */
export function anyRowOf(...filters: readonly RowFilter[]): RowFilter {
  return (row, session) => {
    const conditions = filters.map((filter) => inParentheses(filter(row, session)));
    return joinSql(conditions, " or ");
  };
}
