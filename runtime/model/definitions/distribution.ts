/** Places of rows in a database that distributes tables over several servers. */

/** The place of a table's rows. */
export type Distribution =
  /** A copy on each server. */
  | { readonly kind: "reference" }
  | {
      readonly kind: "distributed";
      /** Quoted column whose value determines the server; absent: all rows are on one server. */
      readonly column?: string;
      /** Equal values of the columns of tables with the same number are on the same server. */
      readonly colocation: number;
    }
  /** Only on the server that plans statements. */
  | { readonly kind: "local" }
  /** Not known, as for views. */
  | { readonly kind: "unknown" };

/** The place of the rows of a FROM item; `values` are rows of a function or a parameter. */
export type Place = Distribution | { readonly kind: "values" };

/** Quoted columns that a join compares. */
export interface JoinedPair {
  readonly local: string;
  readonly remote: string;
}
