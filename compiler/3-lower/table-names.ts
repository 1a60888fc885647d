/** How the IR and comments name a table, or what takes its place. */
import type { RowsName, TableRef } from "./ir.ts";

export function refTo(source: string, { schema, name, native }: RowsName): TableRef {
  return { source, schema, name, ...(native ? { native } : {}) };
}

const nativeLabels = { query: "native query", procedure: "stored procedure", model: "logical model" } as const;

/** How comments name a table. */
export const label = ({ schema, name, native }: RowsName): string => {
  if (native === undefined) return `${schema}.${name}`;
  return `${nativeLabels[native]} ${name}`;
};
