/** What `build` and `diff` know of access besides what the compiler tells. */
import { accessOf } from "../../compiler/access/access-of.ts";
import type { Access } from "../../compiler/access/model.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { type ApiLimits, limitOf } from "../execute/guard/api-limits.ts";
import type { AnalyzedProgram } from "./compile/analyze-input.ts";

export function accessOfProgram({
  analysis,
  program,
  planned,
}: Pick<AnalyzedProgram, "analysis" | "program" | "planned">): Access {
  // Its shape was checked when it came in.
  const limits = analysis.catalog.api_limits as ApiLimits;
  const limitsOf = (role: string) =>
    Object.fromEntries(
      limitNames.flatMap((name): (readonly [string, Json])[] => {
        const limit = limitOf(limits, name, role);
        if (limit === undefined) return [];
        return [[name, typeof limit === "number" ? limit : { ...limit, unique_params: limit.unique_params ?? null }]];
      }),
    );
  return accessOf({ analysis, program, planned, limitsOf });
}

const limitNames = ["batch_limit", "depth_limit", "node_limit", "rate_limit", "time_limit"] as const;
