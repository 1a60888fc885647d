/** The lines that two texts do not share, with some of the others around them. */

export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "skipped";
  readonly text: string;
  /** Tells lines apart: counted over all. */
  readonly number: number;
}

/** Lines around a change. */
const around = 3;
/** Longer parts that differ are shown as all taken out and all put in. */
const mostCompared = 1500;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const same = (text: string): Unnumbered => ({ kind: "same", text });
  const middle = compare(from.slice(start, from.length - end), to.slice(start, to.length - end));
  const all = [...from.slice(0, start).map(same), ...middle, ...from.slice(from.length - end).map(same)];
  return shorten(all).map((line, number) => ({ ...line, number }));
}

type Unnumbered = Omit<DiffLine, "number">;

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** By the longest common subsequence. */
function compare(from: readonly string[], to: readonly string[]): readonly Unnumbered[] {
  const removed = (text: string): Unnumbered => ({ kind: "removed", text });
  const added = (text: string): Unnumbered => ({ kind: "added", text });
  if (from.length > mostCompared || to.length > mostCompared) return [...from.map(removed), ...to.map(added)];
  const width = to.length + 1;
  const lengths = new Uint16Array((from.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: Unnumbered[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const [own, other] = [from[i], to[j]];
    if (own !== undefined && own === other) {
      found.push({ kind: "same", text: own });
      i += 1;
      j += 1;
    } else if (own !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push(removed(own));
      i += 1;
    } else {
      found.push(added(other ?? ""));
      j += 1;
    }
  }
  return found;
}

/** Leaves out lines that are far from any change. */
function shorten(lines: readonly Unnumbered[]): readonly Unnumbered[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== "same") isNear.fill(1, Math.max(0, index - around), index + around + 1);
  });
  const found: Unnumbered[] = [];
  lines.forEach((line, index) => {
    if (isNear[index] === 1) found.push(line);
    else if (found.at(-1)?.kind !== "skipped") found.push({ kind: "skipped", text: "…" });
  });
  return found;
}
