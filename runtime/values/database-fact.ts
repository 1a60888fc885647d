/** How databases are compared: by what is so in each of them. */
import { invariant } from "./errors.ts";

/** One thing that is so in a database, in the words in which two databases are compared. */
export interface DatabaseFact {
  /** Schema and name of a table or function. */
  readonly object: readonly [string, string];
  /**
   * `["table"]`, `["column", name]`, `["key", name]`, `["foreign key", name]`, `["value", text]` of an enum table, or
   * `["function", types of the arguments]`; of definitions, see `runtime/server/sealed/drift.ts`.
   */
  readonly part: readonly string[];
  /** The kind of relation; a column's type and what it takes; a key's columns; what a function takes and returns. */
  readonly value: string;
  /** A column that statements which write may leave out. */
  readonly isOptional?: boolean;
}

/** Parts of functions and procedures; all others are of relations. */
export const routineParts: ReadonlySet<string> = new Set([
  "function",
  "body",
  "function owner",
  "function owner rights",
  "procedure",
]);

/** The SQL inside a database, as hashes. */
export interface Definitions {
  /** Hashes that servers of two versions made cannot be compared. */
  readonly serverVersion: string;
  readonly facts: readonly DatabaseFact[];
}

export type DatabaseRow = readonly (string | null)[];

/** A row of schema, table or function, part, name and value. */
export function definitionFact([schema, object, part, name, value]: DatabaseRow): DatabaseFact {
  invariant(schema && object && part && value, "the catalogue names its objects");
  return { object: [schema, object], part: name === null || name === undefined ? [part] : [part, name], value };
}

/** A table whose rows are values of an enum. */
export interface EnumTable {
  readonly table: readonly [string, string];
  /** The column that holds the values. */
  readonly column: string;
}
