/**
 * Rows of the catalogue statement: one row for each object, with a section name, a JSON array, and the identifier of
 * its relation or type. The tuples must match the `json_build_array` calls in `statement.ts`. Object identifiers are
 * texts.
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
  /** Bits 4, 8 and 16: the relation supports UPDATE, INSERT, DELETE (`pg_relation_is_updatable`). */
  writes: number,
  /** A statement-level BEFORE trigger exists. */
  statementTriggers: boolean,
  /** The table is a parent or child in inheritance. */
  inherits: boolean,
  /** A row-level BEFORE INSERT trigger or an INSERT rule exists. */
  insertTriggers: boolean,
  /** Row-level security applies to the session user. */
  hidesRows: boolean,
];

type ColumnsRow = readonly [relation: Oid, columns: readonly ColumnRow[]];

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
  /** `i`: a unique index without a constraint; `x`: a unique index with expressions or a condition. */
  kind: "p" | "u" | "f" | "i" | "x",
  columns: readonly number[],
  /** Foreign keys only; otherwise `0` and `null`. */
  foreignRelation: Oid,
  foreignColumns: readonly number[] | null,
  /** Existing rows may violate the constraint. */
  isUnchecked: boolean,
  /** The key cannot be the target of `on conflict`: it is deferrable, or WITHOUT OVERLAPS. */
  isNoArbiter: boolean,
  /** Absent for constraints and for indexes on plain columns without a condition. */
  texts?: IndexTexts,
];

/** SQL of the columns and expressions of an index, and of its condition. */
type IndexTexts = readonly [elements: readonly string[], condition: string | null];

/** A unique index with expressions or a condition; `columns` are the columns of its key. */
type PartialIndexRow = readonly [oid: Oid, relation: Oid, name: string, columns: readonly number[]];

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
  /** Types of all arguments, including output arguments; `modes` and `names` are parallel lists, if present. */
  argumentTypes: readonly Oid[],
  modes: readonly ("i" | "o" | "b" | "v" | "t")[] | null,
  names: readonly string[] | null,
  /** Number of trailing input arguments with a default. */
  defaults: number,
];

export type TypeRow = readonly [
  oid: Oid,
  schema: string,
  name: string,
  /** The qualified name, quoted where needed. */
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
  /** An enum, range or composite type of a role whose rights the session user does not have. */
  ownedByOthers: boolean,
];

/** Labels of an enum type, in their order. */
type LabelsRow = readonly [type: Oid, labels: readonly string[]];

/** Fields of a composite type that is not a row type. */
type FieldsRow = readonly [type: Oid, fields: readonly (readonly [name: string, type: Oid])[]];

type SubtypeRow = readonly [type: Oid, subtype: Oid];

/** Operators of a base type in one schema, sorted by name. */
export type OperatorsRow = readonly [
  type: Oid,
  /** Quoted where needed. */
  schema: string,
  isSchemaOfType: boolean,
  names: readonly string[],
];

/** A built-in type with casts or operators created in this database. */
type ConvertedRow = readonly [type: string];

/** The placement of the rows of a Citus table. */
export type DistributionRow = readonly [
  kind: "reference" | "distributed",
  /** `null`: the table has one shard. */
  column: string | null,
  colocation: number,
];

/** The expression of a virtual generated column. */
type VirtualRow = readonly [oid: Oid, relation: Oid, position: number];

export interface CatalogRows {
  readonly relation: readonly RelationRow[];
  readonly columns: readonly ColumnsRow[];
  readonly constraint: readonly ConstraintRow[];
  readonly function: readonly FunctionRow[];
  readonly type: readonly TypeRow[];
  readonly labels: readonly LabelsRow[];
  readonly fields: readonly FieldsRow[];
  readonly subtype: readonly SubtypeRow[];
  readonly operators: readonly OperatorsRow[];
  readonly converted: readonly ConvertedRow[];
  readonly partial: readonly PartialIndexRow[];
  readonly virtual: readonly VirtualRow[];
}

type PlainSection = "function" | "labels" | "fields" | "subtype" | "operators" | "converted" | "partial" | "virtual";

/** The parsed result. Rows of relations and types are parsed on demand, because there may be thousands. */
export interface CatalogAnswer extends Pick<CatalogRows, PlainSection> {
  readonly relations: ReadonlyMap<Oid, RelationAnswer>;
  /** JSON of one `TypeRow` each. */
  readonly types: ReadonlyMap<Oid, string>;
}

/** Sections with rows of relations; `virtual` and `distribution` are read by separate statements. */
type RelationSection = "relation" | "columns" | "constraint" | "virtual" | "distribution";

export class RelationAnswer {
  readonly #rows: Record<RelationSection, string[]> = {
    relation: [],
    columns: [],
    constraint: [],
    virtual: [],
    distribution: [],
  };
  #row: RelationRow | undefined;
  #columns: readonly ColumnRow[] | undefined;

  add(section: RelationSection, json: string): void {
    this.#rows[section].push(json);
  }

  /** All rows as text; equal texts mean an unchanged relation. */
  get text(): string {
    const { relation, columns, constraint, virtual, distribution } = this.#rows;
    return [...relation, ...columns, ...constraint, ...virtual, ...distribution].join("\n");
  }

  get row(): RelationRow {
    const [json] = this.#rows.relation;
    invariant(json !== undefined, "the catalogue has columns or keys of no relation");
    this.#row ??= JSON.parse(json) as RelationRow;
    return this.#row;
  }

  get columns(): readonly ColumnRow[] {
    this.#columns ??= this.#rows.columns.flatMap((json) => (JSON.parse(json) as ColumnsRow)[1]);
    return this.#columns;
  }

  /** SQL of virtual generated columns by position. */
  get virtual(): ReadonlyMap<number, string> {
    return new Map(this.#rows.virtual.map((json) => JSON.parse(json) as [position: number, text: string]));
  }

  get distribution(): DistributionRow | undefined {
    const [json] = this.#rows.distribution;
    return json === undefined ? undefined : (JSON.parse(json) as DistributionRow);
  }

  get constraints(): readonly ConstraintRow[] {
    return this.#rows.constraint.map((json) => JSON.parse(json) as ConstraintRow);
  }
}

export function readCatalogRows(rows: readonly (readonly (string | null)[])[]): CatalogAnswer {
  const parsed: Record<PlainSection, unknown[]> = {
    function: [],
    labels: [],
    fields: [],
    subtype: [],
    operators: [],
    converted: [],
    partial: [],
    virtual: [],
  };
  const relations = new Map<Oid, RelationAnswer>();
  const types = new Map<Oid, string>();
  for (const [section, json, id] of rows) {
    invariant(typeof section === "string" && typeof json === "string", "a row of the catalogue is not text");
    switch (section) {
      case "relation":
      case "columns":
      case "constraint": {
        const oid = identifier(id);
        const known = relations.get(oid) ?? new RelationAnswer();
        relations.set(oid, known);
        known.add(section, json);
        break;
      }
      case "type":
        types.set(identifier(id), json);
        break;
      default:
        invariant(Object.hasOwn(parsed, section), `the catalogue has no section ${section}`);
        parsed[section as keyof typeof parsed].push(JSON.parse(json));
    }
  }
  return { ...(parsed as unknown as Pick<CatalogRows, keyof typeof parsed>), relations, types };
}

/**
 * Adds unique indexes with expressions or a condition to their tables.
 * @param rows their identifiers and texts
 */
export function addIndexTexts(
  { relations, partial }: Pick<CatalogAnswer, "relations" | "partial">,
  rows: readonly (readonly (string | null)[])[],
): void {
  const texts = new Map(rows.map(([oid, json]) => [oid, JSON.parse(json ?? "null") as IndexTexts]));
  for (const [oid, relation, name, columns] of partial) {
    const own = texts.get(oid);
    if (own === undefined) continue; // The index may have been dropped, if each statement has its own snapshot.
    const row: ConstraintRow = [oid, relation, name, "x", columns, "0", null, false, false, own];
    relations.get(relation)?.add("constraint", JSON.stringify(row));
  }
}

/**
 * Adds the expressions of virtual generated columns.
 * @param rows their identifiers and texts
 */
export function addExpressionTexts(
  { relations, virtual }: Pick<CatalogAnswer, "relations" | "virtual">,
  rows: readonly (readonly (string | null)[])[],
): void {
  const texts = new Map(rows.map(([oid, text]) => [oid, text] as const));
  for (const [oid, relation, position] of virtual) {
    const text = texts.get(oid);
    if (text) relations.get(relation)?.add("virtual", `[${position},${text}]`);
  }
}

/**
 * Adds the placement of Citus tables.
 * @param rows their identifiers, kinds, distribution columns and colocation groups
 */
export function addDistributions(
  { relations }: Pick<CatalogAnswer, "relations">,
  rows: readonly (readonly (string | null)[])[],
): void {
  for (const [oid, kind, column, colocation] of rows) {
    relations.get(oid ?? "")?.add("distribution", JSON.stringify([kind, column, Number(colocation)]));
  }
}

function identifier(id: string | null | undefined): Oid {
  invariant(typeof id === "string", "a row of the catalogue does not say what it is about");
  return id;
}
