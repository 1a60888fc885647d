/** Distances between vectors, by which requests filter and order rows. */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

export interface Distance {
  /** `cosine_distance`: operator `_cosine_distance`, and ordering `embedding_cosine_distance`. */
  readonly name: string;
  readonly description: string;
  /** Type of the distance. */
  readonly type: ScalarType;
  /** A form by which an index on `left` can be read in order, if the database has such indexes. */
  readonly sql: (left: Sql, right: Sql) => Sql;
}
