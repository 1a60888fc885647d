import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLines, unifiedHunks } from "../../../../runtime/cli/metadata/unified-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
const textOf = (items: readonly string[]) => items.map((line) => `${line}\n`).join("");

/** Returns the length of the longest common subsequence, by the naive algorithm. */
function commonLines(left: readonly string[], right: readonly string[]): number {
  let previous = right.map(() => 0);
  for (const line of left) {
    const current: number[] = [];
    right.forEach((other, index) => {
      const diagonal = previous[index - 1] ?? 0;
      current.push(line === other ? diagonal + 1 : Math.max(previous[index] ?? 0, current[index - 1] ?? 0));
    });
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** Applies hunks to a text, as `patch` does. */
function patched(before: readonly string[], hunks: readonly string[]): readonly string[] {
  const result: string[] = [];
  let next = 0;
  for (const hunk of hunks) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(hunk);
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === "0" ? 0 : 1);
      result.push(...before.slice(next, start));
      next = start;
      expect(result.length).toBe(Number(header[3]) - (header[4] === "0" ? 0 : 1));
    } else if (hunk.startsWith("+")) {
      result.push(hunk.slice(1));
    } else {
      expect(before[next++]).toBe(hunk.slice(1));
      if (hunk.startsWith(" ")) result.push(hunk.slice(1));
    }
  }
  return [...result, ...before.slice(next)];
}

describe("Unified diffs", () => {
  it("A unified diff turns one text into the other with the fewest edits", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const compared = compareLines(before, after);
        const without = (mark: string) => compared.filter((line) => line.mark !== mark).map(({ text }) => text);
        expect(without("+")).toEqual(before);
        expect(without("-")).toEqual(after);
        const edits = compared.filter(({ mark }) => mark !== " ").length;
        expect(edits).toBe(before.length + after.length - 2 * commonLines(before, after));
      }),
    );
  });

  it("A unified diff is empty only for equal texts, even if the last line has no line end", () => {
    const text = fc.array(fc.constantFrom("a", "b", ""), { maxLength: 6 }).map((items) => items.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(unifiedHunks(before, after).length === 0).toBe(before === after);
      }),
    );
    expect(unifiedHunks("a\nb\n", "a\nb")).toEqual([
      ...["@@ -1,2 +1,2 @@", " a", "-b", "+b", "\\ No newline at end of file"],
    ]);
  });

  it("The hunks of a unified diff can be applied", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(patched(before, unifiedHunks(textOf(before), textOf(after)))).toEqual(after);
      }),
    );
  });

  it("A unified diff shows three lines of context and joins hunks that touch", () => {
    const before = Array.from({ length: 30 }, (_, line) => `${line + 1}`);
    const after = before.map((line) => (["5", "9", "25"].includes(line) ? `${line}!` : line));
    const hunks = unifiedHunks(textOf(before), textOf(after));
    expect(hunks.filter((line) => line.startsWith("@@"))).toEqual(["@@ -2,11 +2,11 @@", "@@ -22,7 +22,7 @@"]);
    expect(hunks.slice(-8)).toEqual([" 22", " 23", " 24", "-25", "+25!", " 26", " 27", " 28"]);
  });

  it("A unified diff is empty for equal texts and complete for new and removed ones", () => {
    expect(unifiedHunks("a\n", "a\n")).toEqual([]);
    expect(unifiedHunks("", "a\nb\n")).toEqual(["@@ -0,0 +1,2 @@", "+a", "+b"]);
    expect(unifiedHunks("a\n", "")).toEqual(["@@ -1 +0,0 @@", "-a"]);
  });

  it("A unified diff of large texts without common lines is fast", () => {
    const text = (mark: string) => textOf(Array.from({ length: 20_000 }, (_, line) => `${mark}${line}`));
    const started = performance.now();
    expect(unifiedHunks(text("a"), text("b"))).toHaveLength(40_001);
    expect(unifiedHunks("", text("b"))).toHaveLength(20_001);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
