/** Compares texts line by line. */
import { diffArrays, type StructuredPatch, structuredPatch } from "diff";

const contextLines = 3;
/** Texts with more differing lines are shown as replaced, because a search for common lines would take too long. */
const maxEdits = 1000;

export interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Returns the hunks of a unified diff with their `@@` lines; empty for equal texts. */
export function unifiedHunks(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const options = { context: contextLines, maxEditLength: maxEdits };
  const patch = structuredPatch("", "", before, after, "", "", options) ?? replaced(before, after);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** Returns one hunk that removes all lines of `before` and adds all lines of `after`. */
function replaced(before: string, after: string): Pick<StructuredPatch, "hunks"> {
  const [removed] = structuredPatch("", "", before, "", "", "").hunks;
  const [added] = structuredPatch("", "", "", after, "", "").hunks;
  const lines = [...(removed?.lines ?? []), ...(added?.lines ?? [])];
  const [oldLines, newLines] = [removed?.oldLines ?? 0, added?.newLines ?? 0];
  return { hunks: [{ oldStart: 1, oldLines, newStart: 1, newLines, lines }] };
}

/** Returns all lines of both texts. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  if (parts === undefined) return [...marked("-", before), ...marked("+", after)];
  return parts.flatMap(({ added, removed, value }) => marked(added ? "+" : removed ? "-" : " ", value));
}

function marked(mark: Line["mark"], lines: readonly string[]): readonly Line[] {
  return lines.map((text) => ({ mark, text }));
}

/** @param start line number of the first line, counted from 1; for an empty range, the line after it */
function range(start: number, lines: number): string {
  if (lines === 0) return `${start - 1},0`;
  return lines === 1 ? String(start) : `${start},${lines}`;
}
