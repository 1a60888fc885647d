/** Columns of tables, and how statements read them as a role may. */
import type { RowFilter, SessionVariable } from "./row-filter.ts";
import { compared, type ScalarType } from "./scalar-type.ts";
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
  /** Computed by a function that reads tables: statements that write cannot return it. */
  readonly readsData?: true;
  readonly description?: string;
  /** The rows where the role may read it; absent: all that it sees. Elsewhere it is NULL. */
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
 * A column of which an inherited role sees only some rows: those of the parents that may read it. In SQL, `case when
 * <rows> then <column> end`.
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
  const equal = compared(sql`${row}.${verbatim(column.sql)}`, "=", value, column.type);
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
