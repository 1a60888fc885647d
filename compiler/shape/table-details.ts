/** What people want to know of one table, and requests do not need: no part of a Shape, read when it is asked for. */

export interface TableDetails {
  readonly indexes: readonly IndexDetails[];
  /** Check constraints and those that exclude; by name. Keys are in the Shape. */
  readonly constraints: readonly ConstraintDetails[];
  /** The query of a view; `null`: it is none, or the database does not show it. */
  readonly viewDefinition: string | null;
}

export interface IndexDetails {
  readonly name: string;
  readonly unique: boolean;
  /** It stands for the primary key. */
  readonly primary: boolean;
  /** As the database writes it, or as its tools do. */
  readonly definition: string;
}

export interface ConstraintDetails {
  readonly name: string;
  readonly type: "check" | "exclusion";
  /** As the database writes it. */
  readonly definition: string;
}
