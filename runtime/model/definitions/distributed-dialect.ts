/** Forms of statements in a database that distributes tables over several servers. */
import type { JoinedPair, Place } from "./distribution.ts";
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";
import type { WrittenTable } from "./written-table.ts";

/** Values of the column that determines the servers of written rows. */
export interface ShardKeys {
  /** Quoted. */
  readonly column: string;
  readonly type: ScalarType;
  /** Lists, as `valuesAsText` writes them. */
  readonly texts: readonly Sql[];
}

/** Rows that the database selects apart from the statement, by the columns that join them. */
interface RowsApart {
  /** Alias of the rows. */
  readonly row: Sql;
  readonly from: Sql;
  readonly where: Sql | undefined;
  /** Quoted columns. */
  readonly keys: readonly string[];
}

export interface ListsApart extends RowsApart {
  /** JSON of a row. */
  readonly value: Sql;
  readonly orderBy: readonly Sql[];
  readonly limit: Sql | undefined;
  readonly offset: Sql | undefined;
}

export interface DistributedDialect {
  /** Returns true if a statement can join rows at two places by a condition, in FROM or in a correlated sub-select. */
  joins(from: Place, to: Place, columns: readonly JoinedPair[]): boolean;
  /**
   * Returns rows as a FROM item.
   * @param first true to keep one row for each combination of the keys
   */
  rowsApart(rows: RowsApart, first: boolean): Sql;
  /** Returns the JSON list of the rows with the same keys, in the column `v` beside the keys, as a FROM item. */
  listsApart(rows: ListsApart): Sql;
  /**
   * Returns aggregates of the rows with the same keys as a JSON object, in the column `v` beside the keys.
   * @param columns columns of the aggregated rows, beside the keys
   * @param object JSON object of the aggregates
   * @param alias alias of the aggregated rows in the object
   */
  aggregatesApart(rows: RowsApart, columns: readonly Sql[], object: Sql, alias: Sql): Sql;
  /** Returns the condition that the values of a row are among the rows of a SELECT; false if one of them is NULL. */
  isAmong(values: readonly Sql[], rows: Sql): Sql;
  /**
   * Returns a condition from which the database derives no servers. A write fails instead of changing no row if two of
   * its conditions lead to different servers.
   */
  everywhere(condition: Sql): Sql;
  /** Returns the condition that the values of a row are among the rows of a SELECT, which restricts rows apart. */
  restricts(values: readonly Sql[], rows: Sql): Sql;
  /** Name of the column with the number of a written row, by which selections of written rows are ordered. */
  readonly rowPlace: Sql;
  /**
   * Returns the place of written rows that a later statement reads.
   * @param isGone true if the statement deleted the rows
   */
  placeOfWritten(table: WrittenTable, isGone: boolean): Place;
}
