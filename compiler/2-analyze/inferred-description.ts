/** Whether comments of database objects describe what the schema makes of them. */
import type { AnalysisOptions } from "./analysis.ts";

/** The comment of a database object as a description; `undefined`: it has none, or is not to be shown. */
export function inferredDescription(
  comment: string | null,
  { inferDescriptions = true }: Pick<AnalysisOptions, "inferDescriptions">,
): string | undefined {
  return inferDescriptions ? (comment ?? undefined) : undefined;
}
