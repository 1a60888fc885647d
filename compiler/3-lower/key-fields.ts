import type { AnalyzedColumn } from "../2-analyze/analyzed-table.ts";

/** The fields of a key's columns; `undefined` unless there is a key and all its columns have one. */
export function keyFields(key: readonly AnalyzedColumn[]): readonly string[] | undefined {
  const fields = key.flatMap(({ field }) => (field === null ? [] : [field]));
  return fields.length > 0 && fields.length === key.length ? fields : undefined;
}
