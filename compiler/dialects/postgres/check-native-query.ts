/**
 * Asks the server what a native query gives, without running it: the query stands on the side of an outer join that no
 * row can match, so that it is parsed and planned, and its columns have types but no values.
 */

import { EngineError } from "../../../runtime/support/errors.ts";
import { quoteIdentifier } from "../../../runtime/support/postgres/dialect.ts";
import type { NativeColumn, NativeQueryQuestion } from "../../1-introspect/native-query.ts";
import type { Query } from "../dialect.ts";

/**
 * The columns of the model that the query gives.
 * @param query runs each statement in a transaction of its own: one that is refused must not spoil the next
 * @throws the error of `query` when the server refuses the native query itself
 */
export async function checkNativeQuery(
  query: Query,
  question: NativeQueryQuestion,
): Promise<ReadonlyMap<string, NativeColumn>> {
  const rows = `FROM (SELECT 1) one LEFT JOIN (${withoutPlaceholders(question)}\n) given ON false`;
  await query(`SELECT 1 ${rows}`);
  const columns = new Map<string, NativeColumn>();
  for (const [name, type] of Object.entries(question.columns)) {
    const found = await firstCell(query, `SELECT pg_catalog.pg_typeof(given.${quoteIdentifier(name)})::text ${rows}`);
    if (found === null) continue;
    columns.set(name, { type: found, expected: await firstCell(query, `SELECT ${typeOf(type)}`) });
  }
  return columns;
}

/** Each placeholder is a NULL of the argument's type. */
function withoutPlaceholders({ code, arguments: types }: NativeQueryQuestion): string {
  return code
    .replace(/[\s;]+$/, "")
    .replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => `(NULL::${types[name] ?? "text"})`);
}

/** What the server calls a type that SQL can write in a cast. */
function typeOf(type: string): string {
  return `pg_catalog.pg_typeof(NULL::${type})::text`;
}

/** `null` when the statement is at fault: there is no such column, or no such type. */
async function firstCell(query: Query, statement: string): Promise<string | null> {
  try {
    const [row] = await query(statement);
    return row?.[0] ?? null;
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return null;
    throw error;
  }
}
