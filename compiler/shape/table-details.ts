/**
 * Details of one table for administrators. Requests do not need them, so they are read on demand and are not part of a
 * shape.
 */

export interface TableDetails {
  readonly indexes: readonly IndexDetails[];
  /** Check and exclusion constraints, by name. Keys are in the shape. */
  readonly constraints: readonly ConstraintDetails[];
  /** Query of a view; `null` for tables, and if the database does not disclose it. */
  readonly viewDefinition: string | null;
  /** Number of rows by the statistics of the database; `null` if it has none. */
  readonly estimatedRows: number | null;
  /** Values of columns whose type is a PostgreSQL enum, or a domain over one, by column name. */
  readonly enumValues: Readonly<Record<string, readonly string[]>>;
}

export interface IndexDetails {
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  /** Definition as printed by the database, or as its tools print it. */
  readonly definition: string;
}

export interface ConstraintDetails {
  readonly name: string;
  readonly type: "check" | "exclusion";
  /** Definition as printed by the database. */
  readonly definition: string;
}
