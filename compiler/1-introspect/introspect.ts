/**
 * Phase 1: introspects a database through an injected query function. Input: the dialect of the source and the tables
 * that the metadata declares as enums; output: the shape, including the rows of these tables.
 */

import type { QualifiedName } from "../catalog/model.ts";
import type { Dialect, Query } from "../dialects/dialect.ts";
import type { Shape, TableShape } from "../shape/shape.ts";

/**
 * Introspects one source. All statements should run in one transaction, which may be read-only. Enum tables that are
 * missing or have no suitable key get no `enumValues`, and analysis reports the reason. Rejects with the error of
 * `query`, including errors while reading the rows of an enum table.
 */
export async function introspect(
  dialect: Dialect,
  query: Query,
  enumTables: readonly QualifiedName[] = [],
  known?: Shape,
): Promise<Shape> {
  return withEnums(dialect, query, await dialect.introspect(query, known), enumTables);
}

/** A shape, with a fingerprint to detect changes of the database. */
export interface FingerprintedShape {
  readonly shape: Shape;
  /** Fingerprint of the shape without the rows of enum tables; `undefined` if the dialect does not support it. */
  readonly fingerprint: string | undefined;
}

/**
 * Introspects a source again. Reads the catalogue only if its fingerprint is unavailable or differs from the
 * fingerprint of `known`. Unchanged tables may be the same objects as in `known`.
 */
export async function reintrospect(
  dialect: Dialect,
  query: Query,
  enumTables: readonly QualifiedName[],
  known: FingerprintedShape | undefined | Promise<FingerprintedShape | undefined>,
): Promise<FingerprintedShape> {
  // The fingerprint is read before the catalogue, so that changes in between are detected next time.
  const [fingerprint, seen] = await Promise.all([dialect.fingerprint?.(query), known]);
  if (seen === undefined || fingerprint === undefined || fingerprint !== seen.fingerprint) {
    return { shape: await introspect(dialect, query, enumTables, seen?.shape), fingerprint };
  }
  return { shape: await withEnums(dialect, query, seen.shape, enumTables), fingerprint };
}

/** Returns the shape with `enumValues` for exactly these tables. */
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

/** Returns a key for the table. JSON keeps it unambiguous, because both parts of a name may contain any character. */
function keyOf(table: QualifiedName): string {
  return JSON.stringify([table.schema, table.name]);
}
