/** How the IR and comments name a table, or what takes its place. */
import type { RowsName, TableRef } from "./ir.ts";

export function refTo(source: string, { schema, name, native }: RowsName): TableRef {
  return { source, schema, name, ...(native ? { native } : {}) };
}

/** How comments name a table. */
export const label = ({ schema, name, native }: RowsName): string => {
  if (native === undefined) return `${schema}.${name}`;
  return native === "query" ? `native query ${name}` : `stored procedure ${name}`;
};
