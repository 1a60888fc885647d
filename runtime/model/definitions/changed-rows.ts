/** SQL for rows that exist already, and for rows before and after a write. All names are quoted. */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

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

/** SQL of inserts that find existing rows. */
export interface FindDialect {
  /**
   * Returns a statement with four texts: the number of inserted rows, these rows, the existing rows that the role may
   * read, and existing rows for which this is not determined yet, because the statement does not see the rows that they
   * relate to.
   */
  findOrInsert(parts: FindOrInsertParts): Sql;
  /** Returns the rows in such a text that meet a condition, as one value. */
  rowsWhere(text: Sql, row: Sql, condition: Sql, table: { readonly sql: string }): Sql;
}

/** SQL for rows before and after a write. Rows are texts; NULL: no row. */
export interface ChangeDialect {
  rowText(row: Sql, table: { readonly sql: string }): Sql;
  /** The row before an update that has the part `previous`, in RETURNING. */
  readonly previous: Sql;
  /**
   * Returns the condition of an upsert that keeps the row before its update for `replaced`. It holds for every row.
   * @param text NULL if the role may not read the row
   */
  keepReplaced(text: Sql): Sql;
  /** Condition of the proposed rows of such an upsert. It holds for every row. */
  readonly beforeRow: Sql;
  /** The text kept for a row, in RETURNING, in a form that `wasInserted` and `replacedRow` read. */
  readonly replaced: Sql;
  wasInserted(replaced: Sql): Sql;
  replacedRow(replaced: Sql): Sql;
  /** Aggregates one value of each row to one text, in order. */
  valuesAsText(value: Sql): Sql;
  /** Returns the rows `(inserted, old, new)` in three such texts, concatenated, for use in FROM. */
  fromTexts(parts: readonly ChangeTexts[], alias: Sql): Sql;
  /** Returns the rows `(inserted, old, new)` of rows that were inserted, or found unchanged, for use in FROM. */
  fromRows(rows: Sql, row: Sql, inserted: boolean, table: { readonly sql: string }): Sql;
  /** Returns the row in a text, for use in FROM; no row for NULL. */
  rowFromText(text: Sql, table: { readonly sql: string }): Sql;
}

export interface ChangeTexts {
  readonly inserted: Sql;
  readonly old: Sql;
  readonly new: Sql;
}
