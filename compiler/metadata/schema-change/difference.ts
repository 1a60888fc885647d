/**
 * Compares two shapes of a source, before and after SQL ran, and returns the changes to tracked objects. Tables and
 * functions are matched by their identifier in the database, columns by position, foreign keys by identifier or by the
 * columns that they join.
 */

import { qualifiedKey } from "../../2-analyze/analysis.ts";
import type { QualifiedName, Source } from "../../catalog/model.ts";
import type { ForeignKeyShape, FunctionShape, Shape, TableShape } from "../../shape/shape.ts";

export interface SourceDifference {
  /**
   * Tracked tables that were in the database before and have changed. Tracked tables that were missing before are
   * skipped.
   */
  readonly tables: readonly TableDifference[];
  /** Tracked functions and functions of computed fields, by the `qualifiedKey` of their old name. */
  readonly functions: ReadonlyMap<string, FunctionDifference>;
}

export interface TableDifference {
  /** Name in the metadata. */
  readonly name: QualifiedName;
  readonly before: TableShape;
  /** Absent: the table was dropped, and the lists below are empty. */
  readonly after?: TableShape;
  readonly droppedColumns: readonly string[];
  /** Old name → new name. */
  readonly renamedColumns: ReadonlyMap<string, string>;
  /** Old names. */
  readonly retypedColumns: readonly string[];
  /** Old constraint names. */
  readonly droppedForeignKeys: readonly string[];
}

export interface FunctionDifference {
  readonly name: QualifiedName;
  readonly before: FunctionShape;
  /** Absent: the function was dropped. */
  readonly after?: FunctionShape;
  /** Several functions now have this name. */
  readonly overloaded: boolean;
}

export function differenceOf(source: Source, before: Shape, after: Shape): SourceDifference {
  return {
    tables: tableDifferences(source, before, after),
    functions: functionDifferences(source, before, after),
  };
}

// ---------------------------------------------------------------- tables

/** Tables of one shape by identifier and by name. */
class Directory {
  readonly byId: ReadonlyMap<number, TableShape>;
  readonly #tables: readonly TableShape[];
  #byName: ReadonlyMap<string, TableShape> | undefined;

  constructor({ tables }: Shape) {
    this.#tables = tables;
    this.byId = new Map(tables.map((table) => [table.id, table]));
  }

  /** Built on first use: needed only if a foreign key was dropped. */
  get byName(): ReadonlyMap<string, TableShape> {
    this.#byName ??= new Map(this.#tables.map((table) => [qualifiedKey(table), table]));
    return this.#byName;
  }
}

function tableDifferences(source: Source, before: Shape, after: Shape): readonly TableDifference[] {
  // Introspection reuses the objects of unchanged tables.
  const now = new Set(after.tables);
  const changed = new Map(
    before.tables.flatMap((table) => (now.has(table) ? [] : [[qualifiedKey(table), table] as const])),
  );
  if (changed.size === 0) return [];
  const [directoryBefore, directoryAfter] = [new Directory(before), new Directory(after)];
  return source.tables.flatMap(({ table: name }) => {
    const known = changed.get(qualifiedKey(name));
    return known === undefined ? [] : [tableDifference(name, known, directoryBefore, directoryAfter)];
  });
}

function tableDifference(name: QualifiedName, known: TableShape, before: Directory, after: Directory): TableDifference {
  const now = after.byId.get(known.id);
  if (now === undefined) {
    const noChanges = { droppedColumns: [], renamedColumns: new Map(), retypedColumns: [], droppedForeignKeys: [] };
    return { name, before: known, ...noChanges };
  }
  const columns = new Map(now.columns.map((column) => [column.position, column]));
  const droppedColumns: string[] = [];
  const renamedColumns = new Map<string, string>();
  const retypedColumns: string[] = [];
  for (const column of known.columns) {
    const same = columns.get(column.position);
    if (same === undefined) droppedColumns.push(column.name);
    else {
      if (same.name !== column.name) renamedColumns.set(column.name, same.name);
      if (same.type.sql !== column.type.sql) retypedColumns.push(column.name);
    }
  }
  const droppedForeignKeys = foreignKeysWithout(known, before, now, after);
  return { name, before: known, after: now, droppedColumns, renamedColumns, retypedColumns, droppedForeignKeys };
}

/** Returns the foreign keys that were dropped, without keys that were re-created between the same columns. */
function foreignKeysWithout(known: TableShape, before: Directory, now: TableShape, after: Directory): string[] {
  const ids = new Set(now.foreignKeys.map(({ id }) => id));
  const missing = known.foreignKeys.filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return [];
  const joins = new Set(now.foreignKeys.map((key) => joinOf(key, now, after)));
  return missing.filter((key) => !joins.has(joinOf(key, known, before))).map(({ name }) => name);
}

/** Identifies a foreign key by table identifiers and column positions, which a rename does not change. */
function joinOf({ columns, foreignTable, foreignColumns }: ForeignKeyShape, own: TableShape, all: Directory): string {
  const other = all.byName.get(qualifiedKey(foreignTable));
  const pairs = columns.map((column, i) => [positionOf(column, own), positionOf(foreignColumns[i], other)]);
  return JSON.stringify([other?.id ?? foreignTable, pairs.map((pair) => JSON.stringify(pair)).sort()]);
}

function positionOf(column: string | undefined, table: TableShape | undefined): number | string | undefined {
  return table?.columns.find(({ name }) => name === column)?.position ?? column;
}

// ---------------------------------------------------------------- functions

function functionDifferences(source: Source, before: Shape, after: Shape): ReadonlyMap<string, FunctionDifference> {
  const known = overloads(before);
  const now = overloads(after);
  const byId = new Map(after.functions.map((shape) => [shape.id, shape]));
  const differences = new Map<string, FunctionDifference>();
  for (const name of functionNames(source)) {
    const key = qualifiedKey(name);
    const [shape, ...others] = known.get(key) ?? [];
    // An overloaded name is ambiguous, and its object is already inconsistent.
    if (shape === undefined || others.length > 0) continue;
    const same = byId.get(shape.id);
    const overloaded = same !== undefined && now.get(qualifiedKey(same))?.length !== 1;
    differences.set(key, { name, before: shape, ...(same !== undefined && { after: same }), overloaded });
  }
  return differences;
}

function overloads({ functions }: Shape): ReadonlyMap<string, readonly FunctionShape[]> {
  const groups = new Map<string, FunctionShape[]>();
  for (const shape of functions) {
    const key = qualifiedKey(shape);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [shape]);
    else group.push(shape);
  }
  return groups;
}

/** Returns the functions that the metadata of the source names. */
function functionNames({ functions, tables }: Source): readonly QualifiedName[] {
  const computed = tables.flatMap(({ computed_fields }) =>
    computed_fields.map(({ definition }) => definition.function),
  );
  return [...functions.map((tracked) => tracked.function), ...computed];
}
