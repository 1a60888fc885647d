/** Converts catalogue rows to tables of a shape, with their columns and keys. */

import { isDeepStrictEqual } from "node:util";
import { invariant } from "../../../../runtime/values/errors.ts";
import { compareNames, compareText } from "../../../../runtime/values/text-order.ts";
import type {
  ColumnShape,
  DistributionShape,
  ForeignKeyShape,
  TableShape,
  UniqueIndexShape,
} from "../../../shape/shape.ts";
import type { CatalogAnswer, ColumnRow, ConstraintRow, DistributionRow, RelationAnswer, RelationRow } from "./rows.ts";
import type { TypeDictionary } from "./types.ts";

type Relations = CatalogAnswer["relations"];

/** @param known tables of a previous shape, which are reused if unchanged */
export function tableShapes(
  { relations }: Pick<CatalogAnswer, "relations">,
  types: TypeDictionary,
  known: readonly TableShape[],
): TableShape[] {
  const current = new CatalogParts(relations, types);
  const before = new Map(known.map((table) => [String(table.id), table]));
  return Array.from(relations.keys(), (oid) => {
    const earlier = before.get(oid);
    const parts = earlier && partsByTable.get(earlier);
    if (earlier && parts?.every((part) => current.isSame(part))) {
      for (const part of parts) if (part.kind === "type") types.refOf(part.oid);
      return earlier;
    }
    const built = tableShape(oid, relations, types);
    const table = earlier && isDeepStrictEqual(earlier, built) ? earlier : built;
    partsByTable.set(table, partsOf(oid, relations, current));
    return table;
  }).sort(compareNames);
}

// ---------------------------------------------------------------- reuse of unchanged tables

/** Catalogue text of a relation or type from which a table is built. */
interface Part {
  readonly kind: "relation" | "type";
  readonly oid: string;
  readonly text: string;
}

/** Parts of introspected tables. A table with unchanged parts is reused without parsing. */
const partsByTable = new WeakMap<TableShape, readonly Part[]>();

/** Returns the parts of a table: the table itself, the targets of its foreign keys, and the types of its columns. */
function partsOf(oid: string, relations: Relations, parts: CatalogParts): readonly Part[] {
  const { constraints, columns } = relationOf(relations, oid);
  const foreign = constraints.flatMap(([, , , kind, , target]) => (kind === "f" ? [target] : []));
  return [
    ...Array.from(new Set([oid, ...foreign]), (each) => parts.part("relation", each)),
    ...Array.from(new Set(columns.map(([, , type]) => type)), (each) => parts.part("type", each)),
  ];
}

class CatalogParts {
  readonly #relations: Relations;
  readonly #types: TypeDictionary;
  readonly #parts = { relation: new Map<string, Part>(), type: new Map<string, Part>() };
  /** Cached, because many tables have columns of the same type. */
  readonly #compared = new Map<Part, boolean>();

  constructor(relations: Relations, types: TypeDictionary) {
    this.#relations = relations;
    this.#types = types;
  }

  part(kind: Part["kind"], oid: string): Part {
    let part = this.#parts[kind].get(oid);
    if (part === undefined) {
      const text = kind === "type" ? this.#types.textOf(oid) : (this.#relations.get(oid)?.text ?? "");
      part = { kind, oid, text };
      this.#parts[kind].set(oid, part);
    }
    return part;
  }

  isSame(earlier: Part): boolean {
    let isSame = this.#compared.get(earlier);
    if (isSame === undefined) {
      isSame = this.part(earlier.kind, earlier.oid).text === earlier.text;
      this.#compared.set(earlier, isSame);
    }
    return isSame;
  }
}

// ---------------------------------------------------------------- one table

function relationOf(relations: Relations, oid: string): RelationAnswer {
  const relation = relations.get(oid);
  invariant(relation !== undefined, `relation ${oid} is not in the catalogue`);
  return relation;
}

const relationKinds = {
  r: "table",
  p: "partitioned_table",
  v: "view",
  m: "materialized_view",
  f: "foreign_table",
} as const;

/** Bits of `pg_relation_is_updatable`: two to the power of the server's command number. */
const updateBit = 4;
const insertBit = 8;
const deleteBit = 16;

function tableShape(oid: string, relations: Relations, types: TypeDictionary): TableShape {
  const { row, columns, constraints, virtual, distribution } = relationOf(relations, oid);
  const [, schema, name, kind, isPartition, comment, writes, statementTriggers, inherits, insertTriggers, hidesRows] =
    row;
  const keys = (...wanted: readonly ConstraintRow[3][]) =>
    constraints
      .filter((constraint) => wanted.includes(constraint[3]))
      .map((constraint) => keyShape(constraint, columns))
      .sort((left, right) => compareText(left.name, right.name));
  const indexes = keys("i", "x");
  return {
    schema,
    name,
    id: Number(oid),
    kind: relationKinds[kind],
    comment,
    columns: columns.map((column) => columnShape(column, kind, types, virtual.get(column[0]))),
    primaryKey: keys("p")[0] ?? null,
    uniqueKeys: keys("u"),
    ...(indexes.length > 0 ? { uniqueIndexes: indexes } : {}),
    foreignKeys: constraints
      .flatMap((constraint) => foreignKeyShapes(constraint, columns, relations))
      .sort((left, right) => compareText(left.name, right.name)),
    insertable: (writes & insertBit) !== 0,
    updatable: (writes & updateBit) !== 0,
    deletable: (writes & deleteBit) !== 0,
    ...(statementTriggers ? { statementTriggers } : {}),
    ...(insertTriggers ? { insertTriggers } : {}),
    ...(isPartition ? { isPartition } : {}),
    ...(inherits && kind === "r" && !isPartition ? { inherits } : {}),
    ...(hidesRows ? { hidesRows } : {}),
    ...(distribution ? { distribution: distributionShape(distribution) } : {}),
  };
}

function distributionShape([kind, column, colocation]: DistributionRow): DistributionShape {
  return kind === "reference" ? { kind } : { kind, ...(column === null ? {} : { column }), colocation };
}

function columnShape(
  row: ColumnRow,
  kind: RelationRow[3],
  types: TypeDictionary,
  virtual: string | undefined,
): ColumnShape {
  const [position, name, type, notNull, hasExpression, identity, generated, comment] = row;
  const domain = types.domainRulesOf(type);
  // An outer join in a view can return NULL even for a NOT NULL domain.
  const isStored = kind !== "v" && kind !== "m";
  return {
    name,
    position,
    type: types.refOf(type),
    nullable: !(notNull || (isStored && domain.notNull)),
    hasDefault: !generated && (hasExpression || (isStored && domain.hasDefault)),
    identity: identity === "" ? null : identity === "a" ? "always" : "by_default",
    generated,
    ...(virtual === undefined ? {} : { virtual }),
    comment,
  };
}

function keyShape(
  [, relation, name, , positions, , , , isNoArbiter, texts]: ConstraintRow,
  columns: readonly ColumnRow[],
): UniqueIndexShape {
  const [elements, condition] = texts ?? [];
  return {
    name,
    columns: columnNames(relation, columns, positions),
    ...(isNoArbiter ? { isNoArbiter } : {}),
    ...(elements ? { elements } : {}),
    ...(condition != null ? { condition } : {}),
  };
}

/** Builds a foreign key; empty if its target schema is not introspected, because no relationship can use it. */
function foreignKeyShapes(
  [oid, relation, name, kind, positions, foreignRelation, foreignPositions, isUnchecked]: ConstraintRow,
  columns: readonly ColumnRow[],
  relations: Relations,
): ForeignKeyShape[] {
  const target = relations.get(foreignRelation);
  if (kind !== "f" || target === undefined) return [];
  return [
    {
      name,
      id: Number(oid),
      columns: columnNames(relation, columns, positions),
      foreignTable: { schema: target.row[1], name: target.row[2] },
      foreignColumns: columnNames(foreignRelation, target.columns, foreignPositions ?? []),
      ...(isUnchecked ? { isUnchecked } : {}),
    },
  ];
}

function columnNames(relation: string, columns: readonly ColumnRow[], positions: readonly number[]): string[] {
  return positions.map((position) => {
    const column = columns.find((candidate) => candidate[0] === position);
    invariant(column !== undefined, `relation ${relation} has no column at position ${position}`);
    return column[1];
  });
}
