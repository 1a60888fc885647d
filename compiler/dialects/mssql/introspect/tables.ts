/** Converts catalogue rows to tables of a shape, sorted. */
import { invariant } from "../../../../runtime/values/errors.ts";
import { compareNames, compareText } from "../../../../runtime/values/text-order.ts";
import type { ColumnShape, ForeignKeyShape, KeyShape, TableShape } from "../../../shape/shape.ts";
import type { CatalogRows, ColumnRow, ForeignKeyRow, KeyRow, RelationRow } from "./rows.ts";
import { typeOfColumn } from "./types.ts";

interface Directory {
  readonly relations: ReadonlyMap<number, RelationRow>;
  readonly columns: ReadonlyMap<number, readonly ColumnRow[]>;
  readonly keys: ReadonlyMap<number, readonly KeyRow[]>;
  readonly foreignKeys: ReadonlyMap<number, readonly ForeignKeyRow[]>;
}

export function tableShapes(rows: CatalogRows): readonly TableShape[] {
  const directory: Directory = {
    relations: new Map(rows.relations.map((row) => [row.id, row])),
    columns: groupBy(rows.columns, (row) => row.relation),
    keys: groupBy(rows.keys, (row) => row.relation),
    foreignKeys: groupBy(rows.foreignKeys, (row) => row.relation),
  };
  return rows.relations.map((row) => tableShape(row, directory)).sort(compareNames);
}

/**
 * Builds a table. Views count as writable: the server refuses statements that it cannot run, or an INSTEAD OF trigger
 * handles them.
 */
function tableShape({ id, schema, name, kind, comment, hidesRows }: RelationRow, directory: Directory): TableShape {
  const keys = groupBy(directory.keys.get(id) ?? [], (row) => row.name);
  const keysOf = (wanted: KeyRow["kind"]): readonly KeyShape[] =>
    [...keys.values()]
      .filter(([first]) => first?.kind === wanted)
      .map((rows) => keyShape(id, rows, directory))
      .sort((left, right) => compareText(left.name, right.name));
  const foreignKeys = groupBy(directory.foreignKeys.get(id) ?? [], (row) => row.id);
  return {
    schema,
    name,
    id,
    kind: kind === "U" ? "table" : "view",
    comment,
    columns: (directory.columns.get(id) ?? []).map(columnShape),
    primaryKey: keysOf("PK")[0] ?? null,
    uniqueKeys: keysOf("UQ"),
    foreignKeys: [...foreignKeys.values()]
      .flatMap((rows) => foreignKeyShapes(rows, directory))
      .sort((left, right) => compareText(left.name, right.name)),
    insertable: true,
    updatable: true,
    deletable: true,
    ...(hidesRows && { hidesRows: true as const }),
  };
}

function columnShape(row: ColumnRow): ColumnShape {
  return {
    name: row.name,
    position: row.position,
    type: typeOfColumn(row),
    nullable: row.nullable,
    hasDefault: row.hasDefault,
    identity: row.identity ? "always" : null,
    // Only the server writes a rowversion, like a computed column.
    generated: row.computed || row.generated !== 0 || row.type === "timestamp",
    ...(row.readsData && { readsData: true as const }),
    comment: row.comment,
  };
}

function keyShape(relation: number, rows: readonly KeyRow[], directory: Directory): KeyShape {
  const [first] = rows;
  invariant(first, "a key has columns");
  return { name: first.name, columns: rows.map(({ position }) => columnName(relation, position, directory)) };
}

/** Builds a foreign key; empty if its target schema is not introspected, because no relationship can use it. */
function foreignKeyShapes(rows: readonly ForeignKeyRow[], directory: Directory): ForeignKeyShape[] {
  const [first] = rows;
  invariant(first, "a foreign key has columns");
  const target = directory.relations.get(first.target);
  if (!target) return [];
  return [
    {
      name: first.name,
      id: first.id,
      columns: rows.map(({ position }) => columnName(first.relation, position, directory)),
      foreignTable: { schema: target.schema, name: target.name },
      foreignColumns: rows.map(({ targetPosition }) => columnName(first.target, targetPosition, directory)),
      ...(first.isUnchecked && { isUnchecked: true as const }),
    },
  ];
}

function columnName(relation: number, position: number, directory: Directory): string {
  const column = directory.columns.get(relation)?.find((row) => row.position === position);
  invariant(column, `relation ${relation} has no column at position ${position}`);
  return column.name;
}

function groupBy<Row, Key>(rows: readonly Row[], key: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}
