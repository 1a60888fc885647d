/** SQL for rows that exist already, and for rows before and after a write. All names are quoted. */

import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";
import type { WrittenTable } from "./written-table.ts";

/** Parts of an INSERT that finds the rows that exist already instead of changing them. */
export interface FindOrInsertParts {
  readonly table: { readonly sql: string };
  /** Alias of the row in conditions. */
  readonly row: Sql;
  readonly columns: readonly {
    readonly name: string;
    /** @param row the row of `rows` */
    readonly value: (row: Sql) => Sql;
  }[];
  /** Lists of texts with one element for each row; at least one list. */
  readonly rows: readonly { readonly name: string; readonly values: Sql }[];
  readonly user?: Sql | undefined;
  /** Conflict target, as of an upsert. */
  readonly constraint:
    | { readonly name: string }
    | { readonly columns: readonly string[]; readonly condition?: string | undefined };
  /** Columns of the constraint with their proposed values; absent if the database determines one of them. */
  readonly key?: readonly KeyValue[] | undefined;
  /** A column of the table. */
  readonly anyColumn: string;
  /** Returns the condition on rows that the role may read; `undefined`: all rows. */
  readonly visible: (row: Sql) => Sql | undefined;
  /** Condition that every inserted row must meet. */
  readonly check?: Sql | undefined;
  /** Returns an alias that is unique within the statement. */
  readonly alias: () => Sql;
}

export interface KeyValue {
  readonly name: string;
  /** Absent if the column has no name in the GraphQL schema. */
  readonly type?: ScalarType | undefined;
  readonly value: (row: Sql) => Sql;
}

/** Outputs of a statement that inserts or finds rows, computed from these rows. */
export interface FoundOutputs {
  /** Quoted names of the columns that the outputs read. */
  readonly columns: readonly string[];
  /** Names of further columns, if the outputs read them: true for inserted rows, and the row as text. */
  readonly change?: { readonly inserted: Sql; readonly text: Sql } | undefined;
  /**
   * @param rows name of the rows: inserted rows, then existing ones that the role may read
   * @param inserted name of the inserted rows
   */
  readonly outputs: (rows: Sql, inserted: Sql) => readonly Sql[];
}

/** SQL of inserts that find existing rows. */
export interface FindDialect {
  /**
   * Returns a statement that computes the outputs itself. The condition on rows that the role may read must not depend
   * on other tables, because the statement may return rows that are newer than its snapshot of these tables.
   */
  findAndRead(parts: FindOrInsertParts, outputs: FoundOutputs): Sql;
  /**
   * Returns a statement with four texts: the number of inserted rows, these rows, the existing rows that the role may
   * read, and existing rows for which this is not determined yet, because the statement does not see the rows that they
   * relate to.
   */
  findOrInsert(parts: FindOrInsertParts): Sql;
  /** Returns the rows in such a text that meet a condition, as one value. */
  rowsWhere(text: Sql, row: Sql, condition: Sql, table: { readonly sql: string }): Sql;
  /** Returns the rows `(inserted, old, new)` of rows that were inserted, or found unchanged, for use in FROM. */
  changesOf(rows: Sql, row: Sql, inserted: boolean, table: { readonly sql: string }): Sql;
}

/** How a statement writes rows. `upsert`: it inserts or updates each row; `lock`: it leaves the rows unchanged. */
export type WriteKind = "insert" | "upsert" | "update" | "delete" | "lock";

/** The rows before and after a write, as part of its statement. */
export interface ChangeParts {
  /** Name of the change of each row in RETURNING. */
  readonly name: Sql;
  /** Condition that the role may read the row before the write; absent: it may read all rows. */
  readonly visible?: Sql | undefined;
}

/** SQL for rows before and after a write. */
export interface ChangeDialect {
  /**
   * Aggregates the changes of a statement to one text.
   * @param rows name of the written rows
   */
  asText(kind: WriteKind, parts: ChangeParts, rows: Sql, table: WrittenTable): Sql;
  /**
   * Returns the rows `(inserted, old, new)` in the statement itself, for use in FROM; absent if another statement must
   * read them.
   * @param rows name of the written rows
   */
  fromWritten?(parts: ChangeParts, rows: Sql): Sql;
  /** Returns the rows `(inserted, old, new)` in such a text, for use in FROM. `old` and `new` are texts; NULL: no row. */
  fromText(text: Sql): Sql;
  /** Returns the row in a text, for use in FROM; no row for NULL. */
  rowFromText(text: Sql, table: WrittenTable): Sql;
}
