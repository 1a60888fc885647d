/** Comparisons that every kind of database writes alike. */
import { type Sql, sql, verbatim } from "../definitions/sql.ts";

export type Condition = (left: Sql, right: Sql) => Sql;

export const infix = (symbol: string): Condition => {
  const operator = verbatim(` ${symbol} `);
  return (left, right) => sql`${left}${operator}${right}`;
};

export interface Comparison {
  readonly name: string;
  readonly sql: Condition;
  readonly description?: string;
  readonly isPattern?: true;
}

/** A comparison with a pattern. */
export const pattern = (name: string, symbol: string, description: string): Comparison => ({
  name,
  sql: infix(symbol),
  description,
  isPattern: true,
});

export const comparisons: readonly Comparison[] = [
  { name: "_eq", sql: infix("=") },
  { name: "_gt", sql: infix(">") },
  { name: "_gte", sql: infix(">=") },
  { name: "_lt", sql: infix("<") },
  { name: "_lte", sql: infix("<=") },
  { name: "_neq", sql: infix("<>") },
];
