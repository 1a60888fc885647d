/** Tables of write statements. */
import type { Column } from "./column.ts";

/** The table of a write statement. */
export interface WrittenTable {
  /** Quoted name with its schema. */
  readonly sql: string;
  /** All columns, if write statements list them. */
  readonly columns?: readonly Column[];
  readonly primaryKey?: readonly Column[];
  /** The table is partitioned. */
  readonly partitioned?: true;
}
