/** Columns of tables, and their values in statements under a role's permission. */
import type { RowFilter, SessionVariable } from "./row-filter.ts";
import { compared, type ScalarType } from "./scalar-type.ts";
import { allOf, type Sql, sql, verbatim } from "./sql.ts";

/** Alias of a row source in a statement. */
export type Alias = Sql;

export interface Column {
  /** Name in the GraphQL schema. */
  readonly field: string;
  /** Quoted name in the database. */
  readonly sql: string;
  readonly type: ScalarType;
  readonly nullable: boolean;
  /** Computed by a function that reads tables: write statements cannot return it. */
  readonly readsData?: true;
  readonly description?: string;
  /** Rows in which the role may read the column; in other rows it is NULL. Absent: all visible rows. */
  readonly visible?: RowFilter;
}

export function column(
  field: string,
  sql: string,
  type: ScalarType,
  { nullable = false, ...more }: { readonly nullable?: boolean } & Pick<Column, "readsData" | "description"> = {},
): Column {
  return { field, sql, type, nullable, ...more };
}

/**
 * Restricts a column of an inherited role to the rows of the parents that may read it. In SQL:
 * `case when <rows> then <column> end`.
 */
export function visibleWhere(column: Column, rows: RowFilter): Column {
  return { ...column, nullable: true, visible: rows };
}

/**
 * Returns the value of a column as visible to the role. All reads of a column by a request go through this function.
 */
export function columnValue(column: Column, row: Alias, session: SessionVariable): Sql {
  return whereVisible(column, sql`${row}.${verbatim(column.sql)}`, row, session);
}

/**
 * Returns the condition that a column visible to the role has this value; false for a hidden cell. It can use an index
 * on the column.
 */
export function columnEquals(column: Column, row: Alias, value: Sql, session: SessionVariable): Sql {
  const equal = compared(sql`${row}.${verbatim(column.sql)}`, "=", value, column.type);
  return allOf([equal, column.visible?.(row, session)]) ?? equal;
}

/** Returns a value of a row, or NULL where the role may not read it. */
export function whereVisible(
  { visible }: { readonly visible?: RowFilter },
  value: Sql,
  row: Alias,
  session: SessionVariable,
): Sql {
  return visible ? sql`(case when ${visible(row, session)} then ${value} end)` : value;
}
