/**
 * What the database of a source says of its native queries: each is asked about once, and again when it, its model or
 * the database may have changed. Input: the source and earlier answers; output: answers, by question.
 */

import { nestedModelIn, scalarIn } from "../../compiler/catalog/field-types.ts";
import type { NativeQuery, Source } from "../../compiler/catalog/model.ts";
import type { Dialect } from "../../compiler/dialects/dialect.ts";
import type { NativeQueryCheck, NativeQueryQuestion } from "../../compiler/shape/native-query.ts";
import type { DatabaseSource } from "../sources/source.ts";
import { EngineError } from "../values/errors.ts";

/** By the text of the question. */
export type NativeQueryAnswers = ReadonlyMap<string, NativeQueryCheck>;

export interface CheckedNativeQueries {
  readonly answers: NativeQueryAnswers;
  /** The same answers by root field. */
  readonly byQuery: ReadonlyMap<string, NativeQueryCheck>;
}

/** Asks what `known` does not answer. */
export async function checkNativeQueries(
  source: Source,
  { database, dialect }: { readonly database: DatabaseSource; readonly dialect: Dialect },
  known: NativeQueryAnswers,
): Promise<CheckedNativeQueries> {
  const answers = new Map<string, NativeQueryCheck>();
  const byQuery = new Map<string, NativeQueryCheck>();
  for (const query of source.native_queries) {
    const question = questionOf(source, dialect, query);
    const key = JSON.stringify(question);
    const answer = known.get(key) ?? answers.get(key) ?? (await ask(database, dialect, question));
    answers.set(key, answer);
    byQuery.set(query.root_field_name, answer);
  }
  return { answers, byQuery };
}

async function ask(
  database: DatabaseSource,
  dialect: Dialect,
  question: NativeQueryQuestion,
): Promise<NativeQueryCheck> {
  const query = (text: string) =>
    database.transaction({ readOnly: true, errors: "dml" }, (transaction) => transaction.query({ text }, []));
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
