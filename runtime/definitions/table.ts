/** What all roles share of a table: its columns, its key, and how its relationships join. */
import type { Dialect } from "./dialect.ts";
import type { Naming } from "./naming.ts";
import type { NativeRows } from "./native-query.ts";
import type { RowFilter, SessionVariable } from "./row-filter.ts";
import type { ScalarType } from "./scalar-type.ts";
import { allOf, type Sql, sql, verbatim } from "./sql.ts";

/** A row source in a statement: what stands before the dot of a column. */
export type Alias = Sql;

export interface Column {
  /** Name in the GraphQL schema. */
  readonly field: string;
  /** Quoted name in the database. */
  readonly sql: string;
  readonly type: ScalarType;
  readonly nullable: boolean;
  readonly description?: string;
  /** The rows where the role may read it; absent: all that it sees. Elsewhere it is NULL. */
  readonly visible?: RowFilter;
}

export function column(
  field: string,
  sql: string,
  type: ScalarType,
  options: { readonly nullable?: boolean; readonly description?: string } = {},
): Column {
  const { nullable = false, description } = options;
  return { field, sql, type, nullable, ...(description === undefined ? {} : { description }) };
}

/**
 * A column of which an inherited role sees only some rows: those of the parents that may read it
 * (`permissions-and-auth.md` 13). In SQL, `case when <rows> then <column> end`.
 */
export function visibleWhere(column: Column, rows: RowFilter): Column {
  return { ...column, nullable: true, visible: rows };
}

/** The value of a column as the role sees it. Whatever a request reads of a column it reads through this. */
export function columnValue(column: Column, row: Alias, session: SessionVariable): Sql {
  return whereVisible(column, sql`${row}.${verbatim(column.sql)}`, row, session);
}

/** Whether the role sees this value in a column. Of a hidden cell that is not so, and an index on the column serves. */
export function columnEquals(column: Column, row: Alias, value: Sql, session: SessionVariable): Sql {
  const equal = sql`${row}.${verbatim(column.sql)} = ${value}`;
  return allOf([equal, column.visible?.(row, session)]) ?? equal;
}

/** A value that belongs to a row, or NULL where the role may not read it. */
export function whereVisible(
  { visible }: { readonly visible?: RowFilter },
  value: Sql,
  row: Alias,
  session: SessionVariable,
): Sql {
  return visible ? sql`(case when ${visible(row, session)} then ${value} end)` : value;
}

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

export interface TableDefinition {
  readonly source: SourceDefinition;
  /** Quoted name with its schema, as it stands after FROM. */
  readonly sql: string;
  /** GraphQL base name: the object type, and the stem of the other types' names. */
  readonly type: string;
  /** Name in descriptions: with its schema unless that is the default one. */
  readonly displayName: string;
  readonly description?: string;
  readonly primaryKey: readonly Column[];
  /** The primary key and the unique constraints. */
  readonly constraints: readonly Constraint[];
  /** All columns, where statements that write name them. */
  readonly columns?: readonly Column[];
  /** Its rows are those of its partitions. */
  readonly partitioned?: true;
  /** What gives the rows, in place of a table. */
  readonly query?: NativeRows;
  /** Triggers may run before a statement looks at rows: what they are to know has to be set before. */
  readonly earlyTriggers?: true;
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
}

export function constraint(name: string, sql: string, columns: readonly string[]): Constraint {
  return { name, sql, columns };
}

/** How two tables join. */
export interface Join {
  readonly on: (from: Alias, to: Alias) => Sql;
  /** The joined columns of the other table are a key of it: at most one row matches. */
  readonly unique: boolean;
  /** How rows of both tables are inserted together; absent: one of them takes no rows. */
  readonly insert?: JoinInsert;
}

export function joinOn(on: Join["on"], options: Omit<Join, "on">): Join {
  return { on, ...options };
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
