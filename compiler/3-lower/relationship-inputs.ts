/** The parts of the Analysis behind relationships within a source: of tables, native queries and nested models. */
import { type AnalyzedSource, qualifiedKey } from "../2-analyze/analysis.ts";
import type { AnalyzedColumn, AnalyzedRelationship, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { ManualConfiguration, Relationship } from "../catalog/model.ts";
import { joinedColumns } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { TypeRef } from "../shape/shape.ts";
import { adminRole } from "./admin-role.ts";
import type { RowsName } from "./ir.ts";
import { modelName, type NativeRows, queryName } from "./native-rows.ts";

export interface RelationshipInputs {
  readonly relationship: AnalyzedRelationship;
  readonly target: RowsName;
  /** The columns that a nested insert copies to its second row; `undefined` if the table is not insertable. */
  readonly copies: readonly ColumnCopy[] | undefined;
  /** The JSON column that holds the target rows: a list, or a single row. */
  readonly document?: { readonly column: string; readonly list: boolean; readonly members: readonly AnalyzedColumn[] };
}

/** A column of the first row and a column of the second, with the type of the latter. */
interface ColumnCopy {
  readonly from: string;
  readonly to: string;
  readonly type: TypeRef;
}

export function relationshipsToTables(source: AnalyzedSource, table: AnalyzedTable): RelationshipInputs[] {
  return [...table.relationships.values()].flatMap((relationship) => {
    const target = targetInSchema(source, relationship);
    if (!target) return [];
    return [{ relationship, target: target.table.table, copies: columnCopies(table, relationship, target) }];
  });
}

/** Returns the target table of a relationship if it is in the GraphQL schema. */
export function targetInSchema(source: AnalyzedSource, { target }: AnalyzedRelationship): AnalyzedTable | undefined {
  const table = source.tables.get(target);
  return table && table.graphqlName !== null ? table : undefined;
}

function columnCopies(
  table: AnalyzedTable,
  { mapping, insertionOrder }: AnalyzedRelationship,
  target: AnalyzedTable,
): readonly ColumnCopy[] | undefined {
  if (!table.shape.insertable) return undefined;
  const before = insertionOrder === "before_parent";
  const second = before ? table : target;
  return mapping.flatMap(({ local, remote }) => {
    const [from, to] = before ? [remote, local] : [local, remote];
    const column = second.columns.find(({ name }) => name === to);
    return column ? [{ from, to, type: column.shape.type }] : [];
  });
}

export function relationshipsToQueries(
  source: AnalyzedSource,
  { table, columns }: AnalyzedTable,
): RelationshipInputs[] {
  const toQueries = (kind: "object" | "array") =>
    table[`${kind}_relationships`].flatMap((relationship) => {
      const { using } = relationship;
      if (!("manual_configuration" in using) || using.manual_configuration.remote_native_query === undefined) return [];
      return joined(source, kind, { ...relationship, using: using.manual_configuration }, columnTypes(columns));
    });
  return [...toQueries("object"), ...toQueries("array")];
}

/** Returns the relationships of a table to native queries that a role may read. */
export function readableQueries(
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): readonly RelationshipInputs[] {
  return relationshipsToQueries(source, table).filter(({ target }) => isReadable(source, target, role));
}

/** Returns the relationships of native rows. Only native queries have relationships to anything but nested models. */
export function relationshipsOfRows(source: AnalyzedSource, rows: NativeRows): readonly RelationshipInputs[] {
  const nested = rows.model.columns.flatMap((column) => nestedIn(source, column));
  if (!("query" in rows)) return nested;
  const { object_relationships, array_relationships } = rows.query;
  const own = columnTypes(rows.model.columns);
  return [
    ...nested,
    ...object_relationships.flatMap((relationship) => joined(source, "object", relationship, own)),
    ...array_relationships.flatMap((relationship) => joined(source, "array", relationship, own)),
  ];
}

function nestedIn(source: AnalyzedSource, { field, name, model, description }: AnalyzedColumn): RelationshipInputs[] {
  const target = model && source.logicalModels.get(model.name);
  if (field === null || model === undefined || target === undefined) return [];
  const relationship: AnalyzedRelationship = {
    name: field,
    kind: model.list ? "array" : "object",
    comment: description,
    target: model.name,
    mapping: [],
    unique: false,
    required: false,
    origin: "manual",
    insertionOrder: "after_parent",
  };
  const document = { column: name, list: model.list, members: target.columns };
  return [{ relationship, target: modelName(model.name), copies: undefined, document }];
}

/** Returns the inputs of a manually configured relationship; none if its target is not in the schema. */
function joined(
  source: AnalyzedSource,
  kind: "object" | "array",
  { name, comment, using }: Relationship<ManualConfiguration>,
  own: ReadonlyMap<string, TypeRef>,
): RelationshipInputs[] {
  const { remote_table: table, remote_native_query: query, column_mapping } = using;
  const found = targetOf(source, table, query);
  if (found === undefined) return [];
  const relationship: AnalyzedRelationship = {
    name,
    kind,
    comment: comment ?? undefined,
    target: found.key,
    mapping: Object.entries(column_mapping).map(([local, remote]) =>
      joinedColumns(local, remote, dialectOf(source.source.kind), own.get(local), found.types.get(remote)),
    ),
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
): { readonly key: string; readonly target: RowsName; readonly types: ReadonlyMap<string, TypeRef> } | undefined {
  if (table === undefined) {
    const native = query === undefined ? undefined : source.nativeQueries.get(query);
    return query !== undefined && native
      ? { key: query, target: queryName(query), types: columnTypes(native.model.columns) }
      : undefined;
  }
  const key = qualifiedKey(table);
  const found = source.tables.get(key);
  return found && found.graphqlName !== null
    ? { key, target: found.table.table, types: columnTypes(found.columns) }
    : undefined;
}

const columnTypes = (columns: readonly AnalyzedColumn[]): ReadonlyMap<string, TypeRef> =>
  new Map(columns.map(({ name, shape }) => [name, shape.type]));

/** Returns true if a role may read the target of a relationship. */
export function isReadable(source: AnalyzedSource, target: RowsName, role: string): boolean {
  if (role === adminRole) return true;
  const select = target.native
    ? (target.native === "model" ? source.logicalModels.get(target.name) : source.nativeQueries.get(target.name)?.model)
        ?.select
    : source.tables.get(qualifiedKey(target))?.select;
  return select?.has(role) === true;
}
