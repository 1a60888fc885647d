/** What of the metadata is accepted and not acted on, as lines for people. */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { metadataNotices } from "../../compiler/2-analyze/notices.ts";

/** An Analysis is never changed. */
const known = new WeakMap<Analysis, readonly string[]>();

export function noticeLines(analysis: Analysis): readonly string[] {
  let lines = known.get(analysis);
  if (lines === undefined) {
    lines = metadataNotices(analysis.catalog, analysis.options).map(({ path, message }) => `${path}: ${message}`);
    known.set(analysis, lines);
  }
  return lines;
}
