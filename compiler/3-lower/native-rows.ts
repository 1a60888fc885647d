/**
 * Native queries, stored procedures and nested logical models, which are lowered like tables: the columns come from
 * their logical model, the views from the permissions of the model.
 */
import type {
  AnalyzedModel,
  AnalyzedNativeQuery,
  AnalyzedSource,
  AnalyzedStoredProcedure,
} from "../2-analyze/analysis.ts";
import { adminRole } from "./admin-role.ts";
import type { RowsName } from "./ir.ts";

/** A source of rows that is not a table. */
export type NativeRows = AnalyzedNativeQuery | AnalyzedStoredProcedure | NestedRows;

/** A logical model of JSON values nested in other rows. */
interface NestedRows {
  readonly model: AnalyzedModel;
}

/** The inputs of the root field of a native query or stored procedure. */
export interface NativeRootInputs {
  readonly kind: "native_query" | "stored_procedure";
  readonly source: string;
  readonly table: RowsName;
  readonly field: string;
  readonly comment: string | undefined;
}

/** Returns the name under which the IR refers to native rows. */
export function nativeName(rows: NativeRows): RowsName {
  if ("query" in rows) return queryName(rows.query.root_field_name);
  return "procedure" in rows ? { schema: "", name: rows.field, native: "procedure" } : modelName(rows.model.name);
}

export function modelName(model: string): RowsName {
  return { schema: "", name: model, native: "model" };
}

/** Returns the logical models that columns of other models refer to. */
function nestedRowsOf({ logicalModels, nativeQueries }: AnalyzedSource): readonly NestedRows[] {
  const models = [...logicalModels.values(), ...[...nativeQueries.values()].map(({ model }) => model)];
  const names = new Set(models.flatMap(({ columns }) => columns.flatMap((column) => column.model?.name ?? [])));
  return [...logicalModels.values()].flatMap((model) => (names.has(model.name) ? [{ model }] : []));
}

export function queryName(rootField: string): RowsName {
  return { schema: "", name: rootField, native: "query" };
}

/** Returns the native rows of a source whose model a role may read. */
export function nativeRowsOf(source: AnalyzedSource, role: string | null): readonly NativeRows[] {
  if (role === null) return [];
  const all: readonly NativeRows[] = [
    ...source.nativeQueries.values(),
    ...source.storedProcedures.values(),
    ...nestedRowsOf(source),
  ];
  return all.filter(({ model }) => role === adminRole || model.select.has(role));
}

export function nativeRootInputs(source: AnalyzedSource, role: string): readonly NativeRootInputs[] {
  return nativeRowsOf(source, role).flatMap((rows): readonly NativeRootInputs[] => {
    const root = { source: source.name, table: nativeName(rows) };
    if ("query" in rows) {
      return [{ ...root, kind: "native_query", field: rows.query.root_field_name, comment: rows.query.description }];
    }
    if (!("procedure" in rows)) return [];
    return [{ ...root, kind: "stored_procedure", field: rows.field, comment: rows.procedure.description }];
  });
}
