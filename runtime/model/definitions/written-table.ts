/** Tables of write statements. */
import type { Column } from "./column.ts";
import type { Distribution } from "./distribution.ts";

/** The table of a write statement. */
export interface WrittenTable {
  /** Quoted name with its schema. */
  readonly sql: string;
  /** All columns, if write statements list them. */
  readonly columns?: readonly Column[];
  readonly primaryKey?: readonly Column[];
  /** The place of the rows in a distributed database; absent: the database is a single server. */
  readonly distribution?: Distribution;
  /** The table is partitioned. */
  readonly partitioned?: true;
}
