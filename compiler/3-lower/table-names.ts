/** Names of tables and native rows in the IR and in comments. */
import type { RowsName, TableRef } from "./ir.ts";

export function refTo(source: string, { schema, name, native }: RowsName): TableRef {
  return { source, schema, name, ...(native ? { native } : {}) };
}

const nativeLabels = { query: "native query", procedure: "stored procedure", model: "logical model" } as const;

/** Returns the name of a table for comments: `library.loan`, `native query recent_loans`. */
export const label = ({ schema, name, native }: RowsName): string => {
  if (native === undefined) return `${schema}.${name}`;
  return `${nativeLabels[native]} ${name}`;
};
