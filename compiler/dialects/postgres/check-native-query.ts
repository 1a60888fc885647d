/**
 * Validates native queries without executing them: the query is the inner side of an outer join that matches no row, so
 * it is parsed and planned, and its columns have types but no values.
 */

import { quoteIdentifier } from "../../../runtime/model/dialects/postgres/quote.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { fillArguments } from "../../catalog/native-code.ts";
import type { NativeColumn, NativeQueryInput } from "../../shape/native-query.ts";
import type { Query } from "../dialect.ts";

/**
 * Returns the types of the model's columns in the result of the query.
 * @param query runs each statement in a separate transaction, so that a failure does not affect the next statement
 * @throws the error of `query` if the server refuses the native query itself
 */
export async function checkNativeQuery(
  query: Query,
  input: NativeQueryInput,
): Promise<ReadonlyMap<string, NativeColumn>> {
  const rows = `FROM (SELECT 1) one LEFT JOIN (${withoutPlaceholders(input)}\n) given ON false`;
  await query(`SELECT 1 ${rows}`);
  const expected = Object.entries(input.columns);
  const cells = expected.flatMap(([name, type]) => [typeOfColumn(name), typeOf(type)]);
  // Describes all columns in one statement. If it fails, tries each column separately to find the cause.
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

/** Replaces each placeholder by a NULL of the argument's type. */
function withoutPlaceholders({ code, arguments: types }: NativeQueryInput): string {
  return fillArguments(code, (name) => `(NULL::${types[name] ?? "text"})`);
}

function typeOfColumn(name: string): string {
  return `pg_catalog.pg_typeof(given.${quoteIdentifier(name)})::text`;
}

/** Returns SQL for the server's name of a type. */
function typeOf(type: string): string {
  return `pg_catalog.pg_typeof(NULL::${type})::text`;
}

async function cell(query: Query, statement: string): Promise<string | null> {
  return (await row(query, statement))?.[0] ?? null;
}

/** Returns the first row; `undefined` if the statement is invalid, because it contains an unknown column or type. */
async function row(query: Query, statement: string): Promise<readonly (string | null)[] | undefined> {
  try {
    const [first] = await query(statement);
    return first;
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return undefined;
    throw error;
  }
}
