/**
 * Phase 1: database → Shape, through an injected query function. Input: the source's dialect and which of its
 * tables the metadata calls enums; output: the Shape with the rows of those tables.
 */

import type { QualifiedName } from "../catalog/model.ts";
import type { Dialect, Query } from "../dialects/dialect.ts";
import type { Shape, TableShape } from "../shape/shape.ts";

/**
 * Reads the Shape of one source. All statements should run in one transaction, which may be read-only. Enum tables
 * that are missing or whose key cannot be an enum's get no `enumValues`: analysis explains why. Rejects with the
 * error of `query`, also when the rows of an enum table may not be read.
 */
export async function introspect(
  dialect: Dialect,
  query: Query,
  enumTables: readonly QualifiedName[] = [],
  known?: Shape,
): Promise<Shape> {
  return withEnums(dialect, query, await dialect.introspect(query, known), enumTables);
}

/** What was seen of a database, and by what it can be told that nothing of it has changed. */
export interface SeenShape {
  readonly shape: Shape;
  /** Of all that the Shape was made from but the rows of enum tables; `undefined`: the dialect has none. */
  readonly fingerprint: string | undefined;
}

/**
 * As `introspect`; reads the catalogue only where its fingerprint is another one than that of `known`, or `known` has none.
 * Tables that look the same may be the same objects as there.
 */
export async function introspectAgain(
  dialect: Dialect,
  query: Query,
  enumTables: readonly QualifiedName[],
  known: SeenShape | undefined | Promise<SeenShape | undefined>,
): Promise<SeenShape> {
  // Before the catalogue is read: what changes in between is seen the next time.
  const [fingerprint, seen] = await Promise.all([dialect.fingerprint?.(query), known]);
  if (seen === undefined || fingerprint === undefined || fingerprint !== seen.fingerprint) {
    return { shape: await introspect(dialect, query, enumTables, seen?.shape), fingerprint };
  }
  return { shape: await withEnums(dialect, query, seen.shape, enumTables), fingerprint };
}

/** With the rows of these tables and of no others. */
async function withEnums(
  dialect: Dialect,
  query: Query,
  shape: Shape,
  enumTables: readonly QualifiedName[],
): Promise<Shape> {
  if (enumTables.length === 0 && shape.tables.every(({ enumValues }) => enumValues === undefined)) return shape;
  const isEnum = new Set(enumTables.map(keyOf));
  const tables: TableShape[] = [];
  for (const table of shape.tables) {
    const { enumValues, ...plain } = table;
    const own = enumValues === undefined ? table : plain;
    const now: TableShape = isEnum.has(keyOf(table)) ? await withEnumValues(dialect, query, own) : own;
    tables.push(JSON.stringify(now.enumValues) === JSON.stringify(enumValues) ? table : now);
  }
  return tables.every((table, i) => table === shape.tables[i]) ? shape : { ...shape, tables };
}

async function withEnumValues(dialect: Dialect, query: Query, table: TableShape): Promise<TableShape> {
  const columns = dialect.enumColumns(table);
  if (columns === undefined) return table;
  return { ...table, enumValues: await dialect.readEnumValues(query, table, columns) };
}

/** JSON, because any character may stand in either part of a name. */
function keyOf(table: QualifiedName): string {
  return JSON.stringify([table.schema, table.name]);
}
