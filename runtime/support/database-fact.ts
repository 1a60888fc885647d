/** One thing that is so in a database, in the words in which two databases are compared. */
export interface DatabaseFact {
  /** Schema and name of a table or function. */
  readonly object: readonly [string, string];
  /**
   * `["table"]`, `["column", name]`, `["key", name]`, `["foreign key", name]`, `["value", text]` of an enum table, or
   * `["function", types of the arguments]`.
   */
  readonly part: readonly string[];
  /** The kind of relation; a column's type and what it takes; a key's columns; what a function takes and returns. */
  readonly value: string;
  /** A column that statements which write may leave out. */
  readonly isOptional?: boolean;
}

/** A table whose rows are values of an enum. */
export interface EnumTable {
  readonly table: readonly [string, string];
  /** The column that holds the values. */
  readonly column: string;
}
