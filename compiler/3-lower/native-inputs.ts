/**
 * The parts of the Analysis behind native queries; see `inputs.ts`. A native query takes the place of a table: its
 * model gives the columns, the permissions of the model the views.
 */
import {
  type AnalyzedNativeQuery,
  type AnalyzedRelationship,
  type AnalyzedSource,
  type AnalyzedTable,
  qualifiedKey,
} from "../2-analyze/analysis.ts";
import type { ManualConfiguration, Relationship } from "../catalog/model.ts";
import { adminRole } from "./admin-role.ts";
import type { TableInputs, TableRelationshipInputs, ViewInputs } from "./inputs.ts";
import type { RowsName } from "./ir.ts";

/** What the root field of one native query comes from. */
export interface NativeRootInputs {
  readonly source: string;
  readonly table: RowsName;
  readonly field: string;
  readonly comment: string | undefined;
}

/** What stands in the place of the table's name. */
export function nativeName(rootField: string): RowsName {
  return { schema: "", name: rootField, native: true };
}

/** The native queries whose model a role may read. */
export function nativeQueriesOf(source: AnalyzedSource, role: string | null): readonly AnalyzedNativeQuery[] {
  if (role === null) return [];
  return [...source.nativeQueries.values()].filter(({ model }) => role === adminRole || model.select.has(role));
}

export function nativeRootInputs(source: AnalyzedSource, role: string): readonly NativeRootInputs[] {
  return nativeQueriesOf(source, role).map(({ query }) => ({
    source: source.name,
    table: nativeName(query.root_field_name),
    field: query.root_field_name,
    comment: query.description,
  }));
}

export function nativeTableInputs(source: AnalyzedSource, given: AnalyzedNativeQuery): TableInputs {
  const { query, model } = given;
  return {
    source: source.name,
    kind: source.source.kind,
    table: nativeName(query.root_field_name),
    graphqlName: model.name,
    displayName: model.name,
    description: undefined,
    columns: model.columns,
    primaryKey: [],
    constraints: [],
    relation: { kind: "table" },
    relationships: relationshipsOfQuery(source, query),
    computedFields: [],
    enumTables: {},
    query: given,
  };
}

export function nativeViewInputs(
  source: AnalyzedSource,
  { query, model }: AnalyzedNativeQuery,
  role: string,
): Omit<ViewInputs, "filterTables"> {
  const select = model.select.get(role);
  return {
    role,
    source: source.name,
    kind: source.source.kind,
    table: nativeName(query.root_field_name),
    columns: role === adminRole ? model.columns : (select?.columns ?? []),
    select,
    relationships: relationshipsOfQuery(source, query)
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

function relationshipsOfQuery(
  source: AnalyzedSource,
  { object_relationships, array_relationships }: AnalyzedNativeQuery["query"],
): readonly TableRelationshipInputs[] {
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
      ? { key: query, target: nativeName(query) }
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
