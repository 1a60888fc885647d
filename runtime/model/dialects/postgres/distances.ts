/** Distances of pgvector, by its operators: only these use an index on the column. */
import type { Distance } from "../../definitions/distance.ts";
import { operatorName, type ScalarType } from "../../definitions/scalar-type.ts";
import { infix } from "../comparisons.ts";
import { distancesOf } from "../distances.ts";
import { pg } from "./scalars.ts";

const symbols = { l2_distance: "<->", cosine_distance: "<=>", inner_product_distance: "<#>", l1_distance: "<+>" };

const vectors: ReadonlySet<string> = new Set(["vector", "halfvec", "sparsevec"]);

/** Returns the distances of values of a type; none for a type that is no vector. */
export function distances(type: ScalarType): readonly Distance[] {
  if (!vectors.has(type.graphql) || type.element !== undefined || !isBaseType(type)) return [];
  const forms = Object.entries(symbols).map(([name, symbol]) => [name, infix(operatorName(symbol, type))] as const);
  return distancesOf(pg("float8"), Object.fromEntries(forms));
}

/** Returns false for an enum or a range with the name of a vector. */
function isBaseType({ code }: ScalarType): boolean {
  const [, options] = code?.arguments ?? [];
  return typeof options !== "object" || !("category" in options);
}
