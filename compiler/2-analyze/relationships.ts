/** Resolves relationships of the metadata to joins between two tables of the source. */

import type {
  ArrayUsing,
  ForeignKeyOnOther,
  ManualConfiguration,
  ObjectUsing,
  QualifiedName,
  Relationship,
} from "../catalog/model.ts";
import { joinedColumns } from "../dialects/dialect.ts";
import type { ForeignKeyShape, TableShape, TypeRef } from "../shape/shape.ts";
import { qualifiedKey } from "./analysis.ts";
import type { AnalyzedRelationship } from "./analyzed-table.ts";
import type { ObjectId } from "./object-id.ts";
import { reject, rejectDangling } from "./rejection.ts";
import { checkGraphqlName } from "./rules/tables.ts";
import type { SourceContext } from "./source-context.ts";
import type { NamedTables, TableBase } from "./tables.ts";

export interface ResolvedRelationship {
  readonly relationship: AnalyzedRelationship;
  readonly dependsOn: readonly ObjectId[];
}

interface Resolution extends Pick<ResolvedRelationship, "dependsOn"> {
  readonly target: TableBase;
  readonly mapping: AnalyzedRelationship["mapping"];
  readonly unique: boolean;
  readonly required: boolean;
  readonly origin: AnalyzedRelationship["origin"];
  readonly insertionOrder: AnalyzedRelationship["insertionOrder"];
}

/** Objects that a relationship is resolved against. */
export interface RelationshipScope {
  readonly context: SourceContext;
  readonly tables: NamedTables;
  readonly own: TableBase;
}

/**
 * Resolves one relationship. Returns `undefined` for a relationship to a native query, which does not join tables.
 * @throws Rejection
 */
export function resolveRelationship(
  scope: RelationshipScope,
  kind: "object" | "array",
  { name, using, comment }: Relationship<ObjectUsing | ArrayUsing>,
): ResolvedRelationship | undefined {
  checkGraphqlName(name);
  const resolution = resolve(scope, using);
  if (resolution === undefined) return undefined;
  const { target, mapping, unique, required, origin, insertionOrder, dependsOn } = resolution;
  const relationship: AnalyzedRelationship = {
    name,
    kind,
    comment: comment ?? undefined,
    target: target.key,
    mapping: mapping.map(({ local, remote }) =>
      joinedColumns(local, remote, scope.context.dialect, typeOf(scope.own, local), typeOf(target, remote)),
    ),
    unique,
    required,
    origin,
    insertionOrder: kind === "array" ? "after_parent" : insertionOrder,
  };
  return { relationship, dependsOn };
}

function resolve(scope: RelationshipScope, using: ObjectUsing | ArrayUsing): Resolution | undefined {
  if ("manual_configuration" in using) return manual(scope, using.manual_configuration);
  const on = using.foreign_key_constraint_on;
  if (typeof on === "string") return foreignKeyOfOwn(scope, [on]);
  return isList(on) ? foreignKeyOfOwn(scope, on) : foreignKeyOfOther(scope, on);
}

function isList(on: readonly string[] | ForeignKeyOnOther): on is readonly string[] {
  return Array.isArray(on);
}

function foreignKeyOfOwn({ context, tables, own }: RelationshipScope, columns: readonly string[]): Resolution {
  const key = onlyKey(own.shape.foreignKeys, columns);
  const target = trackedTable(context, tables, key.foreignTable);
  return {
    target,
    mapping: key.columns.map((local, i) => ({ local, remote: key.foreignColumns[i] ?? "" })),
    unique: true,
    required: alwaysLeadsToRow(own.shape, key, target.shape),
    origin: "foreign_key",
    insertionOrder: "before_parent",
    dependsOn: [foreignKeyId(own, key), tableId(target), ...columnIds(own, key.columns)],
  };
}

/**
 * Returns true if the foreign key of every row references a row. A foreign key does not apply to inheriting tables,
 * although queries of the parent table return their rows.
 */
function alwaysLeadsToRow({ columns, inherits }: TableShape, key: ForeignKeyShape, target: TableShape): boolean {
  if (key.isUnchecked || inherits || target.hidesRows) return false;
  return !columns.some(({ name, nullable }) => nullable && key.columns.includes(name));
}

function foreignKeyOfOther({ context, tables, own }: RelationshipScope, on: ForeignKeyOnOther): Resolution {
  const target = tables.get(qualifiedKey(on.table));
  if (target === undefined) return context.rejectNoTable(on.table, tables.values());
  const ownKey = qualifiedKey(own.table.table);
  const pointing = target.shape.foreignKeys.filter(({ foreignTable }) => qualifiedKey(foreignTable) === ownKey);
  const key = onlyKey(pointing, on.columns ?? (on.column === undefined ? [] : [on.column]));
  return {
    target,
    mapping: key.columns.map((remote, i) => ({ local: key.foreignColumns[i] ?? "", remote })),
    unique: includesKey(target.shape, key.columns),
    required: false,
    origin: "foreign_key_of_other",
    insertionOrder: "after_parent",
    dependsOn: [tableId(target), foreignKeyId(target, key), ...columnIds(target, key.columns)],
  };
}

function manual(
  { context, tables, own }: RelationshipScope,
  { remote_table, column_mapping, insertion_order }: ManualConfiguration,
): Resolution | undefined {
  if (remote_table === undefined) return undefined;
  const target = trackedTable(context, tables, remote_table);
  const mapping = Object.entries(column_mapping).map(([local, remote]) => ({ local, remote }));
  const locals = mapping.map(({ local }) => local);
  const remotes = mapping.map(({ remote }) => remote);
  checkColumns(own, locals);
  checkColumns(target, remotes);
  for (const { local, remote } of mapping) {
    context.checkEquality(
      { name: `column "${local}" of table "${own.displayName}"`, type: typeOf(own, local) },
      { name: `column "${remote}" of table "${target.displayName}"`, type: typeOf(target, remote) },
    );
  }
  return {
    target,
    mapping,
    unique: includesKey(target.shape, remotes),
    required: false,
    origin: "manual",
    insertionOrder: insertion_order ?? "before_parent",
    dependsOn: [tableId(target), ...columnIds(own, locals), ...columnIds(target, remotes)],
  };
}

/** Returns the only foreign key over exactly these columns, in any order. */
function onlyKey(keys: readonly ForeignKeyShape[], columns: readonly string[]): ForeignKeyShape {
  const wanted = new Set(columns);
  const [key, ...more] = keys.filter(
    (each) => each.columns.length === wanted.size && each.columns.every((column) => wanted.has(column)),
  );
  if (key === undefined) return reject("no foreign constraint exists on the given column(s)");
  if (more.length > 0) return reject("more than one foreign key constraint exists on the given column(s)");
  return key;
}

/** Returns true if the columns identify at most one row. */
export function includesKey({ primaryKey, uniqueKeys }: TableShape, columns: readonly string[]): boolean {
  const joined = new Set(columns);
  const keys = primaryKey === null ? uniqueKeys : [primaryKey, ...uniqueKeys];
  return keys.some((key) => key.columns.every((column) => joined.has(column)));
}

function trackedTable(context: SourceContext, tables: NamedTables, name: QualifiedName): TableBase {
  return (
    tables.get(qualifiedKey(name)) ??
    rejectDangling(`table "${context.print(name)}" is not tracked`, context.tableId(name))
  );
}

function checkColumns({ shape, displayName }: TableBase, columns: readonly string[]): void {
  for (const column of columns) {
    if (!shape.columns.some(({ name }) => name === column))
      rejectDangling(`table "${displayName}" has no field named "${column}"`);
  }
}

function typeOf({ shape }: TableBase, column: string): TypeRef | undefined {
  return shape.columns.find(({ name }) => name === column)?.type;
}

function tableId({ source, table }: TableBase): ObjectId {
  return { kind: "table", source, table: table.table };
}

function columnIds({ source, table }: TableBase, columns: readonly string[]): readonly ObjectId[] {
  return columns.map((column) => ({ kind: "column", source, table: table.table, column }));
}

function foreignKeyId({ source, table }: TableBase, { name }: ForeignKeyShape): ObjectId {
  return { kind: "foreign_key", source, table: table.table, constraint: name };
}
