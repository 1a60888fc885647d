/** Line diff of two texts with context lines. */
import { diffArrays } from "diff";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "skipped";
  readonly text: string;
  /** Position in the diff, unique per line. */
  readonly number: number;
}

/** Context lines around a change. */
const contextLines = 3;
/** Maximum number of edits. Beyond it, all lines are shown as removed and added. */
const maxEdits = 1000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(from, to, { maxEditLength: maxEdits }) ?? [
    { removed: true, added: false, value: from },
    { removed: false, added: true, value: to },
  ];
  const all = parts.flatMap(({ added, removed, value }) => {
    const kind = added ? "added" : removed ? "removed" : "same";
    return value.map((text): Unnumbered => ({ kind, text }));
  });
  return shorten(all).map((line, number) => ({ ...line, number }));
}

type Unnumbered = Omit<DiffLine, "number">;

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** Replaces each run of unchanged lines that are far from any change with one skipped line. */
function shorten(lines: readonly Unnumbered[]): readonly Unnumbered[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== "same") isNear.fill(1, Math.max(0, index - contextLines), index + contextLines + 1);
  });
  const found: Unnumbered[] = [];
  lines.forEach((line, index) => {
    if (isNear[index] === 1) found.push(line);
    else if (found.at(-1)?.kind !== "skipped") found.push({ kind: "skipped", text: "…" });
  });
  return found;
}
