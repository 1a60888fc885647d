/** Uses of indexes, and whether the database serves them with one. */
import type { AnalyzedRelationship, Predicate } from "../2-analyze/analyzed-table.ts";

/** A comparison with a session variable. */
export type Comparison = Extract<Predicate, { kind: "compare" }>;

/** A comparison or join that needs an index, recognized by identity. */
export type IndexUse = Comparison | AnalyzedRelationship;

/** Results of `EXPLAIN` for the uses of one source. */
export interface VerifiedUses {
  /** True if an index serves the use. Uses without a result have none. */
  readonly served: ReadonlyMap<IndexUse, boolean>;
  /** Estimated numbers of rows of small tables, by the key of the table. */
  readonly smallTables: ReadonlyMap<string, number>;
  /** Reason why some uses have no result. */
  readonly incomplete?: string;
}
