import type { AnalyzedColumn } from "../2-analyze/analyzed-table.ts";

/** Returns the field names of a key's columns; `undefined` without a key, or if a column is not in the schema. */
export function keyFields(key: readonly AnalyzedColumn[]): readonly string[] | undefined {
  const fields = key.flatMap(({ field }) => (field === null ? [] : [field]));
  return fields.length > 0 && fields.length === key.length ? fields : undefined;
}
