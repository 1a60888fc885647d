/** Descriptions inferred from database comments. */
import type { AnalysisOptions } from "./analysis.ts";

/**
 * Returns the comment of a database object as a description; `undefined` if it has none or if inference is disabled.
 */
export function inferredDescription(
  comment: string | null,
  { inferDescriptions = true }: Pick<AnalysisOptions, "inferDescriptions">,
): string | undefined {
  return inferDescriptions ? (comment ?? undefined) : undefined;
}
