/**
 * Facts about a database that only `advise` reads. Requests do not need them, so they are part of saved shapes only; a
 * server reads them on demand.
 */
import type { QualifiedName } from "../catalog/model.ts";

export interface ReviewFacts {
  /** Valid indexes that can serve equality, by schema, table and name. */
  readonly indexes: readonly IndexFact[];
  /** Functions and procedures that run with the rights of their owner or of a user, by schema and name. */
  readonly ownerFunctions: readonly OwnerFunction[];
}

export interface IndexFact {
  readonly table: QualifiedName;
  readonly name: string;
  /** Key columns up to the first expression. */
  readonly columns: readonly string[];
  /** SQL condition of a partial index; absent: the index covers all rows. */
  readonly condition?: string;
  /** Collation of the first column; absent: the collation of the table's column. */
  readonly collation?: string;
  /** Operator class of the first column; absent: the default of its type. */
  readonly operatorClass?: string;
}

export interface OwnerFunction extends QualifiedName {
  /** Identifier in the database, as in the function's shape. */
  readonly id: number;
  /** Name of the user whose rights apply; absent: the owner. */
  readonly user?: string;
}
