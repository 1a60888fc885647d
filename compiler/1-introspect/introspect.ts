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
): Promise<Shape> {
  const shape = await dialect.introspect(query);
  if (enumTables.length === 0) return shape;
  const isEnum = new Set(enumTables.map(keyOf));
  const tables: TableShape[] = [];
  for (const table of shape.tables) {
    tables.push(isEnum.has(keyOf(table)) ? await withEnumValues(dialect, query, table) : table);
  }
  return { ...shape, tables };
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
