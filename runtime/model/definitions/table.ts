/** What all roles share of a table: its columns, its key, and how its relationships join. */
import type { Alias, Column } from "./column.ts";
import type { Dialect, WrittenTable } from "./dialect.ts";
import type { JsonDocument } from "./json-document.ts";
import type { Naming } from "./naming.ts";
import type { NativeRows } from "./native-query.ts";
import type { ScalarType } from "./scalar-type.ts";
import { type Sql, sql } from "./sql.ts";

/** One source of the metadata, as its tables name it. */
export interface SourceDefinition {
  readonly name: string;
  readonly dialect: Dialect;
  readonly naming: Naming;
  /** The experimental feature `hide_aggregation_predicates`. */
  readonly hidesAggregatePredicates?: true;
}

export function defineSource(definition: SourceDefinition): SourceDefinition {
  return definition;
}

export interface TableDefinition extends WrittenTable {
  readonly source: SourceDefinition;
  /** GraphQL base name: the object type, and the stem of the other types' names. */
  readonly type: string;
  /** Name in descriptions: with its schema unless that is the default one. */
  readonly displayName: string;
  readonly description?: string;
  readonly primaryKey: readonly Column[];
  /** The primary key, unique constraints and unique indexes. */
  readonly constraints: readonly Constraint[];
  /** What gives the rows, in place of a table. */
  readonly query?: NativeRows;
  /** Triggers may run before a statement looks at rows: what they are to know has to be set before. */
  readonly earlyTriggers?: true;
  /** Triggers or rules may leave out rows of an insert. */
  readonly mayLeaveOutRows?: true;
}

/** @param definition its `description` stands in place of the automatic one; `""`: none */
export function defineTable({
  description,
  ...definition
}: Omit<TableDefinition, "constraints"> & Partial<Pick<TableDefinition, "constraints">>): TableDefinition {
  const text = description ?? (definition.query ? "" : automaticDescription(definition.displayName));
  return { constraints: [], ...definition, ...(text === "" ? {} : { description: text }) };
}

/** Describes a table of which neither the metadata nor the database says anything. */
export const automaticDescription = (displayName: string): string => `columns and relationships of "${displayName}"`;

/** What `on_conflict` can name. */
export interface Constraint {
  readonly name: string;
  /** Quoted name. */
  readonly sql: string;
  /** Names of its columns in the database, for descriptions. */
  readonly columns: readonly string[];
  /** It is an index: an insert has to name its columns instead. */
  readonly isIndex?: true;
  readonly partial?: PartialIndex;
}

/** What an insert has to name of an index with expressions or a condition. */
interface PartialIndex {
  /** SQL of its columns and expressions. */
  readonly elements: readonly string[];
  /** SQL that holds for the rows in it; absent: all rows. */
  readonly condition?: string;
}

export function constraint(name: string, sql: string, columns: readonly string[]): Constraint {
  return { name, sql, columns };
}

/** @param sql its quoted name @param partial where it has expressions or a condition */
export function uniqueIndex(name: string, sql: string, columns: readonly string[], partial?: PartialIndex): Constraint {
  return { name, sql, columns, isIndex: true, ...(partial && { partial }) };
}

/** How two tables join. */
export interface Join {
  readonly on: (from: Alias, to: Alias) => Sql;
  /** The joined columns of the other table are a key of it: at most one row matches. */
  readonly unique: boolean;
  /** How rows of both tables are inserted together; absent: one of them takes no rows. */
  readonly insert?: JoinInsert;
  /** The other rows are in a column of this one. */
  readonly document?: JsonDocument;
}

export function joinOn(on: Join["on"], options: Omit<Join, "on">): Join {
  return { on, ...options };
}

/** Nothing is compared. */
export function documentJoin(document: JsonDocument): Join {
  return { on: () => sql``, unique: false, document };
}

/** Which row of a nested insert comes first, and what of it the second takes over. */
export interface JoinInsert {
  /** The other table's row is inserted before or after the row of this one. */
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

/** The other table's row comes first: it is what this one refers to. */
export function insertBefore(copies: readonly ColumnCopy[]): JoinInsert {
  return { order: "before", copies };
}

/** The other table's rows come after: they refer to this one. */
export function insertAfter(copies: readonly ColumnCopy[]): JoinInsert {
  return { order: "after", copies };
}

export function copyColumn(from: string, to: string, type: ScalarType): ColumnCopy {
  return { from, to, type };
}
