/**
 * Native queries and stored procedures, which take the place of a table: their model gives the columns, the permissions
 * of the model the views.
 */
import type { AnalyzedNativeQuery, AnalyzedSource, AnalyzedStoredProcedure } from "../2-analyze/analysis.ts";
import { adminRole } from "./admin-role.ts";
import type { RowsName } from "./ir.ts";

/** What gives rows in place of a table. */
export type NativeRows = AnalyzedNativeQuery | AnalyzedStoredProcedure;

/** What the root field of one of them comes from. */
export interface NativeRootInputs {
  readonly kind: "native_query" | "stored_procedure";
  readonly source: string;
  readonly table: RowsName;
  readonly field: string;
  readonly comment: string | undefined;
}

/** What stands in the place of the table's name. */
export function nativeName(rows: NativeRows): RowsName {
  return "query" in rows
    ? queryName(rows.query.root_field_name)
    : { schema: "", name: rows.field, native: "procedure" };
}

export function queryName(rootField: string): RowsName {
  return { schema: "", name: rootField, native: "query" };
}

/** Those whose model a role may read. */
export function nativeRowsOf(source: AnalyzedSource, role: string | null): readonly NativeRows[] {
  if (role === null) return [];
  const all = [...source.nativeQueries.values(), ...source.storedProcedures.values()];
  return all.filter(({ model }) => role === adminRole || model.select.has(role));
}

export function nativeRootInputs(source: AnalyzedSource, role: string): readonly NativeRootInputs[] {
  return nativeRowsOf(source, role).map((rows): NativeRootInputs => {
    const root = { source: source.name, table: nativeName(rows) };
    return "query" in rows
      ? { ...root, kind: "native_query", field: rows.query.root_field_name, comment: rows.query.description }
      : { ...root, kind: "stored_procedure", field: rows.field, comment: rows.procedure.description };
  });
}
