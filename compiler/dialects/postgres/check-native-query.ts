/**
 * Asks the server what a native query gives, without running it: the query stands on the side of an outer join that no
 * row can match, so that it is parsed and planned, and its columns have types but no values.
 */

import { quoteIdentifier } from "../../../runtime/model/dialects/postgres/quote.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { fillArguments } from "../../catalog/native-code.ts";
import type { NativeColumn, NativeQueryQuestion } from "../../shape/native-query.ts";
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
  const expected = Object.entries(question.columns);
  const cells = expected.flatMap(([name, type]) => [typeOfColumn(name), typeOf(type)]);
  // One statement, unless something in it is refused: then it has to be found out what.
  const together = cells.length === 0 ? [] : await row(query, `SELECT ${cells.join(", ")} ${rows}`);
  const columns = new Map<string, NativeColumn>();
  for (const [index, [name, type]] of expected.entries()) {
    const found = together?.[2 * index] ?? (await cell(query, `SELECT ${typeOfColumn(name)} ${rows}`));
    if (found === null) continue;
    const named = together?.[2 * index + 1] ?? (await cell(query, `SELECT ${typeOf(type)}`));
    columns.set(name, { type: found, expected: named });
  }
  return columns;
}

/** Each placeholder is a NULL of the argument's type. */
function withoutPlaceholders({ code, arguments: types }: NativeQueryQuestion): string {
  return fillArguments(code, (name) => `(NULL::${types[name] ?? "text"})`);
}

function typeOfColumn(name: string): string {
  return `pg_catalog.pg_typeof(given.${quoteIdentifier(name)})::text`;
}

/** What the server calls a type that SQL can write in a cast. */
function typeOf(type: string): string {
  return `pg_catalog.pg_typeof(NULL::${type})::text`;
}

async function cell(query: Query, statement: string): Promise<string | null> {
  return (await row(query, statement))?.[0] ?? null;
}

/** `undefined` when the statement is at fault: there is no such column, or no such type. */
async function row(query: Query, statement: string): Promise<readonly (string | null)[] | undefined> {
  try {
    const [first] = await query(statement);
    return first;
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return undefined;
    throw error;
  }
}
