/**
 * What the database of a source says of its native queries: each is asked about once, and again when it, its model or
 * the database may have changed. Input: the source and earlier answers; output: answers, by question.
 */

import { nestedModelIn, scalarIn } from "../../compiler/catalog/field-types.ts";
import type { NativeQuery, Source } from "../../compiler/catalog/model.ts";
import type { Dialect, Query } from "../../compiler/dialects/dialect.ts";
import type { NativeQueryCheck, NativeQueryQuestion } from "../../compiler/shape/native-query.ts";
import { EngineError } from "../values/errors.ts";

/** By the text of the question. */
export type NativeQueryAnswers = ReadonlyMap<string, NativeQueryCheck>;

export interface CheckedNativeQueries {
  readonly answers: NativeQueryAnswers;
  /** The same answers by root field. */
  readonly byQuery: ReadonlyMap<string, NativeQueryCheck>;
}

/**
 * Asks what `known` does not answer.
 * @param query runs a statement so that its failure does not affect the next
 */
export async function checkNativeQueries(
  source: Source,
  { query, dialect }: { readonly query: Query; readonly dialect: Dialect },
  known: NativeQueryAnswers,
): Promise<CheckedNativeQueries> {
  const answers = new Map<string, NativeQueryCheck>();
  const byQuery = new Map<string, NativeQueryCheck>();
  for (const native of source.native_queries) {
    const question = questionOf(source, dialect, native);
    const key = JSON.stringify(question);
    const answer = known.get(key) ?? answers.get(key) ?? (await ask(query, dialect, question));
    answers.set(key, answer);
    byQuery.set(native.root_field_name, answer);
  }
  return { answers, byQuery };
}

async function ask(query: Query, dialect: Dialect, question: NativeQueryQuestion): Promise<NativeQueryCheck> {
  try {
    return { columns: await dialect.checkNativeQuery(query, question) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { error: { message: error.message, internal: error.internal } };
  }
}

function questionOf(
  source: Source,
  { documentType }: Dialect,
  { code, arguments: given = {}, returns }: NativeQuery,
): NativeQueryQuestion {
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
