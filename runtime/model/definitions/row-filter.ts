/** Row filters of permissions. */

import { type Encoder, valueSlot } from "./parameters.ts";
import { inParentheses, joinSql, parameter, renderWith, type Sql } from "./sql.ts";

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

/**
 * Returns true if a condition on a row certainly reads no table: it contains neither a SELECT nor a call, because
 * functions of users may read tables.
 */
export function readsRowAlone(condition: Sql): boolean {
  const { text } = renderWith(condition, () => "$1");
  if (/\bselect\b/i.test(text)) return false;
  return [...text.matchAll(/([\w"]+)\s*\(/g)].every(([, word = ""]) => keywords.has(word.toLowerCase()));
}

/** Keywords that may precede a parenthesis. */
const keywords = new Set(["and", "or", "not", "in", "any", "all"]);

/** Encoder for texts that the type's input function parses. */
export const textAsIs: Encoder = { encode: (value) => String(value), code: { name: "textAsIs" } };

/**
 * Returns a constant as a parameter of the statement.
 * @param text parsed by the type's input function
 */
export function constant(text: string): Sql {
  return parameter(valueSlot({ kind: "constant", value: text }, textAsIs, "constant", "$"));
}
