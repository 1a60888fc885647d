/** One thing that is so in a database, in the words in which two databases are compared. */
export interface DatabaseFact {
  /** Schema and name. */
  readonly table: readonly [string, string];
  /** `["table"]`, `["column", name]` or `["key", name]`. */
  readonly part: readonly string[];
  /** The kind of relation; a column's type and what it takes; a key's columns. */
  readonly value: string;
  /** A column that statements which write may leave out. */
  readonly isOptional?: boolean;
}
