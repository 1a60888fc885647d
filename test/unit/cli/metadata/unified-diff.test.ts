import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLines, unifiedHunks } from "../../../../runtime/cli/metadata/unified-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
const textOf = (items: readonly string[]) => items.map((line) => `${line}\n`).join("");

/** The length of the longest common subsequence, the slow way. */
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

describe("a unified diff", () => {
  it("turns one text into the other with the fewest edits", () => {
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

  it("is empty for equal texts only, also where the last line has no end", () => {
    const text = fc.array(fc.constantFrom("a", "b", ""), { maxLength: 6 }).map((items) => items.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(unifiedHunks(before, after).length === 0).toBe(before === after);
      }),
    );
    expect(unifiedHunks("a\nb\n", "a\nb")).toEqual(["@@ -1,2 +1,2 @@", " a", "-b", "+b\n\\ No newline at end of file"]);
  });

  it("has hunks that can be applied", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(patched(before, unifiedHunks(textOf(before), textOf(after)))).toEqual(after);
      }),
    );
  });

  it("shows changes with three lines around them, and joins those that touch", () => {
    const before = Array.from({ length: 30 }, (_, line) => `${line + 1}`);
    const after = before.map((line) => (["5", "9", "25"].includes(line) ? `${line}!` : line));
    const hunks = unifiedHunks(textOf(before), textOf(after));
    expect(hunks.filter((line) => line.startsWith("@@"))).toEqual(["@@ -2,11 +2,11 @@", "@@ -22,7 +22,7 @@"]);
    expect(hunks.slice(-8)).toEqual([" 22", " 23", " 24", "-25", "+25!", " 26", " 27", " 28"]);
  });

  it("has nothing to say of equal texts, and everything of new and removed ones", () => {
    expect(unifiedHunks("a\n", "a\n")).toEqual([]);
    expect(unifiedHunks("", "a\nb\n")).toEqual(["@@ -0,0 +1,2 @@", "+a", "+b"]);
    expect(unifiedHunks("a\n", "")).toEqual(["@@ -1 +0,0 @@", "-a"]);
  });

  it("does not search long in large texts without anything in common", () => {
    const text = (mark: string) => textOf(Array.from({ length: 20_000 }, (_, line) => `${mark}${line}`));
    const started = performance.now();
    expect(unifiedHunks(text("a"), text("b"))).toHaveLength(40_001);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
