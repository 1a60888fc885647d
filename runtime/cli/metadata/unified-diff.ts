/** Two texts → the hunks of a unified diff. */

/** Lines around a change. */
const contextLines = 3;
/** Texts that differ in more lines than this are shown as replaced: to look for what they share would take too long. */
const mostEdits = 2000;

export interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Hunks with their `@@` lines, as `diff -u` writes them; none for equal texts. */
export function unifiedHunks(before: string, after: string): readonly string[] {
  if (before === after) return [];
  return hunks(compareLines(linesOf(before), linesOf(after)));
}

/** A last line without an end is another one than the same with an end. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop();
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

/** All lines of both; what both have at either end is set aside first, so that the rest stays small. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...marked(" ", before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...marked(" ", before.slice(before.length - tail)),
  ];
}

function marked(mark: Line["mark"], lines: readonly string[]): readonly Line[] {
  return lines.map((text) => ({ mark, text }));
}

/**
 * Myers' greedy search for the fewest edits. Diagonal `k` holds the places where `k` more lines of `before` than of
 * `after` have been passed; `furthest` has, for each diagonal, how far `before` can be passed with so many edits.
 */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const replaced = () => [...marked("-", before), ...marked("+", after)];
  if (before.length === 0 || after.length === 0) return replaced();
  const limit = Math.min(before.length + after.length, mostEdits);
  const furthest = new Int32Array(2 * limit + 3);
  const center = limit + 1;
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    rounds.push(furthest.slice(center - edits - 1, center + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      let x = isInsertion(furthest, center, k, edits) ? at(furthest, center + k + 1) : at(furthest, center + k - 1) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[center + k] = x;
      if (x >= before.length && x - k >= after.length) return trace(before, after, rounds);
    }
  }
  return replaced();
}

/** Whether the best way onto diagonal `k` comes from the one above, by a line of `after`. */
function isInsertion(furthest: Int32Array, center: number, k: number, edits: number): boolean {
  if (k === -edits) return true;
  return k !== edits && at(furthest, center + k - 1) < at(furthest, center + k + 1);
}

const at = (values: Int32Array, index: number): number => values[index] ?? 0;

/** The way to the end, from the end: `rounds[n]` is what was known before the edit with number `n`. */
function trace(before: readonly string[], after: readonly string[], rounds: readonly Int32Array[]): readonly Line[] {
  const lines: Line[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const furthest = rounds[edits] ?? new Int32Array();
    const center = edits + 1;
    const k = x - y;
    const inserted = isInsertion(furthest, center, k, edits);
    const fromX = edits === 0 ? 0 : at(furthest, center + (inserted ? k + 1 : k - 1));
    const fromY = edits === 0 ? 0 : fromX - (inserted ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      lines.push({ mark: " ", text: before[--x] ?? "" });
      y--;
    }
    if (edits === 0) break;
    lines.push(inserted ? { mark: "+", text: after[fromY] ?? "" } : { mark: "-", text: before[fromX] ?? "" });
    x = fromX;
    y = fromY;
  }
  return lines.reverse();
}

/** Only the changes, each with some lines around it. */
function hunks(lines: readonly Line[]): readonly string[] {
  const result: string[] = [];
  let passed = { before: 0, after: 0 };
  let next = 0;
  for (const [start, end] of ranges(lines)) {
    passed = advance(passed, lines.slice(next, start));
    const inside = lines.slice(start, end);
    const reached = advance(passed, inside);
    const ranges = `-${range(passed.before, reached.before)} +${range(passed.after, reached.after)}`;
    result.push(`@@ ${ranges} @@`, ...inside.map(({ mark, text }) => `${mark}${text}`));
    passed = reached;
    next = end;
  }
  return result;
}

/** Where hunks begin and end: changes with their context, joined where they touch. */
function ranges(lines: readonly Line[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === " ") continue;
    const start = Math.max(0, index - contextLines);
    const end = Math.min(lines.length, index + contextLines + 1);
    const last = found.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else found.push([start, end]);
  }
  return found;
}

function advance(passed: { before: number; after: number }, lines: readonly Line[]) {
  const common = (mark: Line["mark"]) => lines.filter((line) => line.mark !== mark).length;
  return { before: passed.before + common("+"), after: passed.after + common("-") };
}

/** First line and number of lines; an empty range names the line before it. */
function range(from: number, to: number): string {
  const length = to - from;
  const first = length === 0 ? from : from + 1;
  return length === 1 ? String(first) : `${first},${length}`;
}
