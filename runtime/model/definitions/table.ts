/** Tables in generated modules, without permissions: columns, keys, and joins. */
import type { Alias, Column } from "./column.ts";
import type { Dialect } from "./dialect.ts";
import type { JoinedPair } from "./distribution.ts";
import type { JsonDocument } from "./json-document.ts";
import type { Naming } from "./naming.ts";
import type { NativeRows } from "./native-query.ts";
import type { ScalarType } from "./scalar-type.ts";
import { type Sql, sql } from "./sql.ts";
import type { WrittenTable } from "./written-table.ts";

export interface SourceDefinition {
  readonly name: string;
  readonly dialect: Dialect;
  readonly naming: Naming;
  /** The experimental feature `hide_aggregation_predicates`. */
  readonly hidesAggregatePredicates?: true;
  /**
   * Types of the schema with the names of generated types, which are then left out or, for aggregate predicates, have the
   * prefix and suffix of the source's types; absent: none.
   */
  readonly takenTypes?: readonly string[];
}

export function defineSource(definition: SourceDefinition): SourceDefinition {
  return definition;
}

export interface TableDefinition extends WrittenTable {
  readonly source: SourceDefinition;
  /** GraphQL base name: the object type, and the prefix of other type names. */
  readonly type: string;
  /** Name in descriptions, qualified unless it is in the default schema. */
  readonly displayName: string;
  readonly description?: string;
  readonly primaryKey: readonly Column[];
  /** The primary key, unique constraints and unique indexes. */
  readonly constraints: readonly Constraint[];
  /** Row source other than a table. */
  readonly query?: NativeRows;
  /** Triggers may run before a statement processes rows, so session settings must be set before the statement. */
  readonly earlyTriggers?: true;
  /** Triggers or rules may skip rows of an insert. */
  readonly mayLeaveOutRows?: true;
}

/**
 * Declares a table.
 * @param definition `description` replaces the generated one; `""` removes it
 */
export function defineTable({
  description,
  ...definition
}: Omit<TableDefinition, "constraints"> & Partial<Pick<TableDefinition, "constraints">>): TableDefinition {
  const text = description ?? (definition.query ? "" : automaticDescription(definition.displayName));
  return { constraints: [], ...definition, ...(text === "" ? {} : { description: text }) };
}

/** Returns the description of a table that has none in the metadata and the database. */
export const automaticDescription = (displayName: string): string => `columns and relationships of "${displayName}"`;

/** A target of `on_conflict`. */
export interface Constraint {
  readonly name: string;
  /** Quoted name. */
  readonly sql: string;
  /** Database names of its columns, for descriptions. */
  readonly columns: readonly string[];
  /** An index, whose columns an insert must list instead of its name. */
  readonly isIndex?: true;
  readonly partial?: PartialIndex;
}

/** A unique index with expressions or a condition, which an insert must repeat. */
interface PartialIndex {
  /** SQL of its columns and expressions. */
  readonly elements: readonly string[];
  /** SQL condition of the index; absent: it covers all rows. */
  readonly condition?: string;
}

export function constraint(name: string, sql: string, columns: readonly string[]): Constraint {
  return { name, sql, columns };
}

/**
 * Declares a unique index as a target of conflicts.
 * @param sql its quoted name
 * @param partial for an index with expressions or a condition
 */
export function uniqueIndex(name: string, sql: string, columns: readonly string[], partial?: PartialIndex): Constraint {
  return { name, sql, columns, isIndex: true, ...(partial && { partial }) };
}

export interface Join {
  readonly on: (from: Alias, to: Alias) => Sql;
  /** The compared columns, in sources of distributed databases. */
  readonly columns?: readonly JoinedPair[];
  /** The joined columns of the other table include a key: at most one row matches. */
  readonly unique: boolean;
  /** Inserts rows of both tables together; absent if one of them is not insertable. */
  readonly insert?: JoinInsert;
  /** The other rows are in a JSON column of this one. */
  readonly document?: JsonDocument;
}

export function joinOn(on: Join["on"], options: Omit<Join, "on">): Join {
  return { on, ...options };
}

/** Joins the rows in a JSON column, without a condition. */
export function documentJoin(document: JsonDocument): Join {
  return { on: () => sql``, unique: false, document };
}

/** Order of the two rows of a nested insert, and the columns that are copied from the first to the second. */
export interface JoinInsert {
  /** The row of the other table is inserted before or after this one. */
  readonly order: "before" | "after";
  readonly copies: readonly ColumnCopy[];
}

export interface ColumnCopy {
  /** Quoted name of the first row's column. */
  readonly from: string;
  /** Quoted name of the second row's column, and its type. */
  readonly to: string;
  readonly type: ScalarType;
}

/** Inserts the other table's row first, because this one references it. */
export function insertBefore(copies: readonly ColumnCopy[]): JoinInsert {
  return { order: "before", copies };
}

/** Inserts the other table's rows afterwards, because they reference this one. */
export function insertAfter(copies: readonly ColumnCopy[]): JoinInsert {
  return { order: "after", copies };
}

export function copyColumn(from: string, to: string, type: ScalarType): ColumnCopy {
  return { from, to, type };
}
