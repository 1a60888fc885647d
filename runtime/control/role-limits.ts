/** The API limits that apply to a role. */
import type { ByName } from "../../compiler/access/model.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { type ApiLimits, limitOf } from "../execute/guard/api-limits.ts";

/** Returns the API limits of a role by name. */
export function limitsOf({ api_limits }: Pick<Catalog, "api_limits">, role: string): ByName<Json> {
  // Validated when the metadata was read.
  const limits = api_limits as ApiLimits;
  return Object.fromEntries(
    limitNames.flatMap((name): (readonly [string, Json])[] => {
      const limit = limitOf(limits, name, role);
      if (limit === undefined) return [];
      return [[name, typeof limit === "number" ? limit : { ...limit, unique_params: limit.unique_params ?? null }]];
    }),
  );
}

const limitNames = ["batch_limit", "depth_limit", "node_limit", "rate_limit", "time_limit"] as const;
