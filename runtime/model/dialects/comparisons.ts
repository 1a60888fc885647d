/** Comparisons with the same SQL in all databases. */
import { type Sql, sql, verbatim } from "../definitions/sql.ts";

export type Condition = (left: Sql, right: Sql) => Sql;

export const infix = (symbol: string): Condition => {
  const operator = verbatim(` ${symbol} `);
  return (left, right) => sql`${left}${operator}${right}`;
};

export interface Comparison {
  readonly name: string;
  readonly sql: Condition;
  /** Infix operator, if the comparison is one. */
  readonly symbol?: string;
  readonly description?: string;
  readonly isPattern?: true;
}

/** Returns a comparison by an infix operator. */
export const comparison = (name: string, symbol: string, description?: string): Comparison => ({
  name,
  symbol,
  sql: infix(symbol),
  ...(description === undefined ? {} : { description }),
});

export const pattern = (name: string, symbol: string, description: string): Comparison => ({
  ...comparison(name, symbol, description),
  isPattern: true,
});

export const comparisons: readonly Comparison[] = [
  comparison("_eq", "="),
  comparison("_gt", ">"),
  comparison("_gte", ">="),
  comparison("_lt", "<"),
  comparison("_lte", "<="),
  comparison("_neq", "<>"),
];
