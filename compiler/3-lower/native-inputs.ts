/**
 * The parts of the Analysis behind native queries and stored procedures; see `inputs.ts`. They take the place of a
 * table: their model gives the columns, the permissions of the model the views.
 */
import {
  type AnalyzedNativeQuery,
  type AnalyzedRelationship,
  type AnalyzedSource,
  type AnalyzedStoredProcedure,
  type AnalyzedTable,
  qualifiedKey,
} from "../2-analyze/analysis.ts";
import type { ManualConfiguration, Relationship } from "../catalog/model.ts";
import { adminRole } from "./admin-role.ts";
import type { TableInputs, TableRelationshipInputs, ViewInputs } from "./inputs.ts";
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

function queryName(rootField: string): RowsName {
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

export function nativeTableInputs(source: AnalyzedSource, given: NativeRows): TableInputs {
  const { model } = given;
  return {
    source: source.name,
    kind: source.source.kind,
    table: nativeName(given),
    graphqlName: model.name,
    displayName: model.name,
    description: undefined,
    columns: model.columns,
    primaryKey: [],
    constraints: [],
    relation: { kind: "table" },
    relationships: relationshipsOfRows(source, given),
    computedFields: [],
    enumTables: {},
    query: given,
  };
}

export function nativeViewInputs(
  source: AnalyzedSource,
  rows: NativeRows,
  role: string,
): Omit<ViewInputs, "filterTables"> {
  const { model } = rows;
  const select = model.select.get(role);
  return {
    role,
    source: source.name,
    kind: source.source.kind,
    table: nativeName(rows),
    columns: role === adminRole ? model.columns : (select?.columns ?? []),
    select,
    relationships: relationshipsOfRows(source, rows)
      .filter(({ target }) => isReadable(source, target, role))
      .map(({ relationship, target }) => ({ relationship, target, aggregations: false })),
    computedFields: [],
    readable: true,
    writes: {},
  };
}

/** Relationships of a table to native queries. */
export function relationshipsToQueries(source: AnalyzedSource, { table }: AnalyzedTable): TableRelationshipInputs[] {
  const toQueries = (kind: "object" | "array") =>
    table[`${kind}_relationships`].flatMap((relationship) => {
      const { using } = relationship;
      if (!("manual_configuration" in using) || using.manual_configuration.remote_native_query === undefined) return [];
      return joined(source, kind, { ...relationship, using: using.manual_configuration });
    });
  return [...toQueries("object"), ...toQueries("array")];
}

/** Those of them to queries that a role may read. */
export function readableQueries(
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): readonly TableRelationshipInputs[] {
  return relationshipsToQueries(source, table).filter(({ target }) => isReadable(source, target, role));
}

/** Stored procedures have none. */
function relationshipsOfRows(source: AnalyzedSource, rows: NativeRows): readonly TableRelationshipInputs[] {
  if (!("query" in rows)) return [];
  const { object_relationships, array_relationships } = rows.query;
  return [
    ...object_relationships.flatMap((relationship) => joined(source, "object", relationship)),
    ...array_relationships.flatMap((relationship) => joined(source, "array", relationship)),
  ];
}

/** Nothing where the other side is not in the schema. */
function joined(
  source: AnalyzedSource,
  kind: "object" | "array",
  { name, comment, using }: Relationship<ManualConfiguration>,
): TableRelationshipInputs[] {
  const { remote_table: table, remote_native_query: query, column_mapping } = using;
  const found = targetOf(source, table, query);
  if (found === undefined) return [];
  const relationship: AnalyzedRelationship = {
    name,
    kind,
    comment: comment ?? undefined,
    target: found.key,
    mapping: Object.entries(column_mapping).map(([local, remote]) => ({ local, remote })),
    unique: false,
    required: false,
    origin: "manual",
    insertionOrder: "after_parent",
  };
  return [{ relationship, target: found.target, copies: undefined }];
}

function targetOf(
  source: AnalyzedSource,
  table: ManualConfiguration["remote_table"],
  query: string | undefined,
): { readonly key: string; readonly target: RowsName } | undefined {
  if (table === undefined) {
    return query !== undefined && source.nativeQueries.has(query)
      ? { key: query, target: queryName(query) }
      : undefined;
  }
  const key = qualifiedKey(table);
  const found = source.tables.get(key);
  return found && found.graphqlName !== null ? { key, target: found.table.table } : undefined;
}

function isReadable(source: AnalyzedSource, target: RowsName, role: string): boolean {
  if (role === adminRole) return true;
  const select = target.native
    ? source.nativeQueries.get(target.name)?.model.select
    : source.tables.get(qualifiedKey(target))?.select;
  return select?.has(role) === true;
}
