/** Tables and views: catalogue rows → the Shape's tables with their columns and keys. */

import { invariant } from "../../../../runtime/values/errors.ts";
import type { ColumnShape, ForeignKeyShape, KeyShape, TableShape } from "../../../shape/shape.ts";
import { compareNames, compareText } from "../../text-order.ts";
import type { CatalogRows, ColumnRow, ConstraintRow, RelationRow } from "./rows.ts";
import type { TypeDictionary } from "./types.ts";

export function tableShapes(rows: CatalogRows, types: TypeDictionary): TableShape[] {
  const directory = directoryOf(rows);
  return rows.relation.map((row) => tableShape(row, directory, types)).sort(compareNames);
}

/** The rows by the relation they belong to. */
interface Directory {
  readonly relations: ReadonlyMap<string, RelationRow>;
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly constraints: ReadonlyMap<string, readonly ConstraintRow[]>;
}

function directoryOf(rows: CatalogRows): Directory {
  const constraints = new Map<string, ConstraintRow[]>();
  for (const row of rows.constraint) {
    const list = constraints.get(row[1]);
    if (list === undefined) constraints.set(row[1], [row]);
    else list.push(row);
  }
  return {
    relations: new Map(rows.relation.map((row) => [row[0], row])),
    columns: new Map(rows.columns),
    constraints,
  };
}

const relationKinds = {
  r: "table",
  p: "partitioned_table",
  v: "view",
  m: "materialized_view",
  f: "foreign_table",
} as const;

/** Bits of `pg_relation_is_updatable`: two to the power of the server's number for the command. */
const updateBit = 4;
const insertBit = 8;
const deleteBit = 16;

function tableShape(row: RelationRow, directory: Directory, types: TypeDictionary): TableShape {
  const [oid, schema, name, kind, isPartition, comment, writes, statementTriggers, inherits] = row;
  const constraints = directory.constraints.get(oid) ?? [];
  const keys = (wanted: "p" | "u" | "i") =>
    constraints
      .filter((constraint) => constraint[3] === wanted)
      .map((constraint) => keyShape(constraint, directory))
      .sort((left, right) => compareText(left.name, right.name));
  const indexes = keys("i");
  const columns = directory.columns.get(oid) ?? [];
  return {
    schema,
    name,
    id: Number(oid),
    kind: relationKinds[kind],
    comment,
    columns: columns.map((column) => columnShape(column, kind, types)),
    primaryKey: keys("p")[0] ?? null,
    uniqueKeys: keys("u"),
    ...(indexes.length > 0 ? { uniqueIndexes: indexes } : {}),
    foreignKeys: constraints
      .flatMap((constraint) => foreignKeyShapes(constraint, directory))
      .sort((left, right) => compareText(left.name, right.name)),
    insertable: (writes & insertBit) !== 0,
    updatable: (writes & updateBit) !== 0,
    deletable: (writes & deleteBit) !== 0,
    ...(statementTriggers ? { statementTriggers } : {}),
    ...(isPartition ? { isPartition } : {}),
    ...(inherits && kind === "r" && !isPartition ? { inherits } : {}),
  };
}

function columnShape(row: ColumnRow, kind: RelationRow[3], types: TypeDictionary): ColumnShape {
  const [position, name, type, notNull, hasExpression, identity, generated, comment] = row;
  const domain = types.domainRulesOf(type);
  // An outer join in a view yields NULL whatever the domain says.
  const isStored = kind !== "v" && kind !== "m";
  return {
    name,
    position,
    type: types.refOf(type),
    nullable: !(notNull || (isStored && domain.notNull)),
    hasDefault: !generated && (hasExpression || (isStored && domain.hasDefault)),
    identity: identity === "" ? null : identity === "a" ? "always" : "by_default",
    generated,
    comment,
  };
}

function keyShape(row: ConstraintRow, directory: Directory): KeyShape {
  const [, relation, name, , columns] = row;
  return { name, columns: columnNames(directory, relation, columns) };
}

/** None for a key into a schema that is not introspected: no relationship can follow it. */
function foreignKeyShapes(row: ConstraintRow, directory: Directory): ForeignKeyShape[] {
  const [oid, relation, name, kind, columns, foreignRelation, foreignColumns] = row;
  const target = directory.relations.get(foreignRelation);
  if (kind !== "f" || target === undefined) return [];
  return [
    {
      name,
      id: Number(oid),
      columns: columnNames(directory, relation, columns),
      foreignTable: { schema: target[1], name: target[2] },
      foreignColumns: columnNames(directory, foreignRelation, foreignColumns ?? []),
    },
  ];
}

function columnNames(directory: Directory, relation: string, positions: readonly number[]): string[] {
  const columns = directory.columns.get(relation) ?? [];
  return positions.map((position) => {
    const column = columns.find((candidate) => candidate[0] === position);
    invariant(column !== undefined, `relation ${relation} has no column at position ${position}`);
    return column[1];
  });
}
