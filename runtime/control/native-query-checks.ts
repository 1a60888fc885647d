/**
 * Validates native queries in the database of their source. A result is reused until the query, its model or the database
 * may have changed.
 */

import { nestedModelIn, scalarIn } from "../../compiler/catalog/field-types.ts";
import type { NativeQuery, Source } from "../../compiler/catalog/model.ts";
import type { Dialect, Query } from "../../compiler/dialects/dialect.ts";
import type { NativeQueryCheck, NativeQueryInput } from "../../compiler/shape/native-query.ts";
import { EngineError } from "../values/errors.ts";

/** Results by the JSON text of the checked input. */
export type NativeQueryChecks = ReadonlyMap<string, NativeQueryCheck>;

export interface CheckedNativeQueries {
  readonly checks: NativeQueryChecks;
  /** Results by root field. */
  readonly byRootField: ReadonlyMap<string, NativeQueryCheck>;
}

/**
 * Checks the native queries of a source for which `known` has no result.
 * @param query runs a statement so that its failure does not affect the next
 */
export async function checkNativeQueries(
  source: Source,
  { query, dialect }: { readonly query: Query; readonly dialect: Dialect },
  known: NativeQueryChecks,
): Promise<CheckedNativeQueries> {
  const checks = new Map<string, NativeQueryCheck>();
  const byRootField = new Map<string, NativeQueryCheck>();
  for (const native of source.native_queries) {
    const input = inputOf(source, dialect, native);
    const key = JSON.stringify(input);
    const result = known.get(key) ?? checks.get(key) ?? (await check(query, dialect, input));
    checks.set(key, result);
    byRootField.set(native.root_field_name, result);
  }
  return { checks, byRootField };
}

async function check(query: Query, dialect: Dialect, input: NativeQueryInput): Promise<NativeQueryCheck> {
  try {
    return { columns: await dialect.checkNativeQuery(query, input) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { error: { message: error.message, internal: error.internal } };
  }
}

function inputOf(
  source: Source,
  { documentType }: Dialect,
  { code, arguments: given = {}, returns }: NativeQuery,
): NativeQueryInput {
  const model = typeof returns === "string" ? source.logical_models.find(({ name }) => name === returns) : returns;
  return {
    code,
    arguments: Object.fromEntries(Object.entries(given).map(([name, { type }]) => [name, type])),
    columns: Object.fromEntries(
      (model?.fields ?? []).flatMap(({ name, type }) => {
        const named = nestedModelIn(type) ? documentType : scalarIn(type);
        return named === undefined ? [] : [[name, named] as const];
      }),
    ),
  };
}
