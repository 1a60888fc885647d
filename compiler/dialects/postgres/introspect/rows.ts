/**
 * What the catalogue statement answers: one row per object, as a section name and a JSON array. The tuples here and
 * the `json_build_array` calls in `statement.ts` are two sides of one contract. Object identifiers arrive as text.
 */

import { invariant } from "../../../../runtime/values/errors.ts";

type Oid = string;

export type RelationRow = readonly [
  oid: Oid,
  schema: string,
  name: string,
  kind: "r" | "p" | "v" | "m" | "f",
  isPartition: boolean,
  comment: string | null,
  /** Bits 4, 8 and 16: the relation takes UPDATE, INSERT, DELETE (`pg_relation_is_updatable`). */
  writes: number,
  /** A trigger runs before statements. */
  statementTriggers: boolean,
  /** It inherits, or is inherited from. */
  inherits: boolean,
];

export type ColumnsRow = readonly [relation: Oid, columns: readonly ColumnRow[]];

export type ColumnRow = readonly [
  position: number,
  name: string,
  type: Oid,
  notNull: boolean,
  hasExpression: boolean,
  identity: "" | "a" | "d",
  generated: boolean,
  comment: string | null,
];

export type ConstraintRow = readonly [
  oid: Oid,
  relation: Oid,
  name: string,
  /** `i`: a unique index without a constraint. */
  kind: "p" | "u" | "f" | "i",
  columns: readonly number[],
  /** Of a foreign key; otherwise `0` and `null`. */
  foreignRelation: Oid,
  foreignColumns: readonly number[] | null,
];

export type FunctionRow = readonly [
  oid: Oid,
  schema: string,
  name: string,
  comment: string | null,
  volatility: "i" | "s" | "v",
  strict: boolean,
  variadic: boolean,
  returnsSet: boolean,
  returns: Oid,
  /** Types of all arguments, also of output ones; those in `modes` and `names`, where given, are parallel. */
  argumentTypes: readonly Oid[],
  modes: readonly ("i" | "o" | "b" | "v" | "t")[] | null,
  names: readonly string[] | null,
  /** How many input arguments, counted from the last, have a default. */
  defaults: number,
];

export type TypeRow = readonly [
  oid: Oid,
  schema: string,
  name: string,
  /** Both names, quoted where needed and joined with a dot. */
  qualifiedName: string,
  kind: "b" | "c" | "d" | "e" | "m" | "p" | "r",
  /** `0` unless the type is an array. */
  element: Oid,
  /** `0` unless the type is a domain. */
  base: Oid,
  notNull: boolean,
  hasDefault: boolean,
  /** The type is the row type of a table or view. */
  isRowType: boolean,
];

/** Of an enum type, in their order. */
export type LabelsRow = readonly [type: Oid, labels: readonly string[]];

/** Of a composite type that is no row type. */
export type FieldsRow = readonly [type: Oid, fields: readonly (readonly [name: string, type: Oid])[]];

/** The type of a range type's bounds. */
export type SubtypeRow = readonly [type: Oid, subtype: Oid];

/** The answer by sections, each in the order in which it came. */
export interface CatalogRows {
  readonly relation: readonly RelationRow[];
  readonly columns: readonly ColumnsRow[];
  readonly constraint: readonly ConstraintRow[];
  readonly function: readonly FunctionRow[];
  readonly type: readonly TypeRow[];
  readonly labels: readonly LabelsRow[];
  readonly fields: readonly FieldsRow[];
  readonly subtype: readonly SubtypeRow[];
}

/** Parses the answer of the catalogue statement. */
export function readCatalogRows(rows: readonly (readonly (string | null)[])[]): CatalogRows {
  const sections: Record<keyof CatalogRows, unknown[]> = {
    relation: [],
    columns: [],
    constraint: [],
    function: [],
    type: [],
    labels: [],
    fields: [],
    subtype: [],
  };
  for (const [section, json] of rows) {
    invariant(typeof section === "string" && typeof json === "string", "a row of the catalogue is not text");
    invariant(Object.hasOwn(sections, section), `the catalogue has no section ${section}`);
    sections[section as keyof CatalogRows].push(JSON.parse(json));
  }
  return sections as unknown as CatalogRows;
}
