/** The difference of two texts as a unified diff, for the messages of failed golden tests. */

const contextLines = 3;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** `undefined` for equal texts. Lines of `expected` are marked `-`, those of `actual` `+`. */
export function unifiedDiff(name: string, expected: string, actual: string): string | undefined {
  if (expected === actual) return undefined;
  const lines = compareLines(expected.split("\n"), actual.split("\n"));
  return [`--- expected ${name}`, `+++ actual ${name}`, ...hunks(lines)].join("\n");
}

/** What both have at either end is set aside first, so that the table of the rest stays small. */
function compareLines(expected: readonly string[], actual: readonly string[]): readonly Line[] {
  const shorter = Math.min(expected.length, actual.length);
  let head = 0;
  while (head < shorter && expected[head] === actual[head]) head++;
  let tail = 0;
  while (tail < shorter - head && expected.at(-1 - tail) === actual.at(-1 - tail)) tail++;
  const same = (text: string): Line => ({ mark: " ", text });
  return [
    ...expected.slice(0, head).map(same),
    ...compareMiddle(expected.slice(head, expected.length - tail), actual.slice(head, actual.length - tail)),
    ...expected.slice(expected.length - tail).map(same),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(expected: readonly string[], actual: readonly string[]): readonly Line[] {
  const width = actual.length + 1;
  const common = new Uint32Array((expected.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = expected.length - 1; row >= 0; row--) {
    for (let column = actual.length - 1; column >= 0; column--) {
      common[row * width + column] =
        expected[row] === actual[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < expected.length || column < actual.length) {
    const left = expected[row];
    const right = actual[column];
    if (left !== undefined && left === right) {
      lines.push({ mark: " ", text: left });
      row++;
      column++;
    } else if (right === undefined || (left !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: "-", text: left ?? "" });
      row++;
    } else {
      lines.push({ mark: "+", text: right });
      column++;
    }
  }
  return lines;
}

/** Only the changes, each with some lines around it. */
function hunks(lines: readonly Line[]): readonly string[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ mark }) => mark !== " "),
  );
  const result: string[] = [];
  let expectedLine = 0;
  let actualLine = 0;
  for (const [index, { mark, text }] of lines.entries()) {
    if (mark !== "+") expectedLine++;
    if (mark !== "-") actualLine++;
    if (!isNear[index]) continue;
    if (index === 0 || !isNear[index - 1])
      result.push(`@@ line ${expectedLine} of expected, ${actualLine} of actual @@`);
    result.push(`${mark}${text}`);
  }
  return result;
}
