/** Distances of SQL Server 2025 (https://learn.microsoft.com/sql/t-sql/functions/vector-distance-transact-sql). */
import type { Distance } from "../../definitions/distance.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { distancesOf } from "../distances.ts";
import { mssql } from "./scalars.ts";

const metrics = { l2_distance: "euclidean", cosine_distance: "cosine", inner_product_distance: "dot" };

/** Returns the distances of values of a type; none for a type that is no vector. */
export function distances(type: ScalarType): readonly Distance[] {
  if (type.cast !== "vector") return [];
  const forms = Object.entries(metrics).map(([name, metric]) => {
    const opening = verbatim(`vector_distance('${metric}', `);
    return [name, (left: Sql, right: Sql) => sql`${opening}${left}, ${right})`] as const;
  });
  return distancesOf(mssql("float"), Object.fromEntries(forms));
}
