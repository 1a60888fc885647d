import { invariant } from "./errors.ts";

/** One property of a database, in a normalised form for comparing databases. */
export interface DatabaseFact {
  /** The schema and name of a table or function. */
  readonly object: readonly [string, string];
  /**
   * `["table"]`, `["column", name]`, `["key", name]`, `["foreign key", name]`, `["value", text]` of an enum table, or
   * `["function", types of the arguments]`. For the parts of definitions, see `runtime/server/sealed/drift.ts`.
   */
  readonly part: readonly string[];
  /** The kind of a relation; the type and nullability of a column; the columns of a key; the signature of a function. */
  readonly value: string;
  /** True for a column that inserts may omit. */
  readonly isOptional?: boolean;
}

/** The parts of functions and procedures; all other parts belong to relations. */
export const routineParts: ReadonlySet<string> = new Set([
  "function",
  "body",
  "function owner",
  "function owner rights",
  "procedure",
]);

/** Hashes of the SQL definitions in a database. */
export interface Definitions {
  /** Version of the server; hashes from different versions are not comparable. */
  readonly serverVersion: string;
  readonly facts: readonly DatabaseFact[];
}

export type DatabaseRow = readonly (string | null)[];

/** Converts a row with the columns schema, table or function, part, name and value to a fact. */
export function definitionFact([schema, object, part, name, value]: DatabaseRow): DatabaseFact {
  invariant(schema && object && part && value, "definitions have a schema, an object, a part and a value");
  return { object: [schema, object], part: name === null || name === undefined ? [part] : [part, name], value };
}

/** A table whose rows are the values of an enum. */
export interface EnumTable {
  readonly table: readonly [string, string];
  /** The column that holds the values. */
  readonly column: string;
}
