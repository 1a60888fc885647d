import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecentLines } from "../../../../runtime/observe/logs/recent-lines.ts";

const textsOf = (lines: RecentLines): readonly string[] =>
  Array.from({ length: lines.next - lines.first }, (_, at) => lines.line(lines.first + at).text);

describe("The last lines of the log", () => {
  it("The ring contains the last lines unchanged, within its limits of lines and bytes", () => {
    const sizes = { maxBytes: 400, maxLines: 7, maxLineBytes: 90 };
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 25 }), { maxLength: 60 }), (written) => {
        const texts = written.map((text) => JSON.stringify(text));
        const lines = new RecentLines(sizes);
        for (const text of texts) lines.add(`${text}\n`);
        const kept = textsOf(lines);
        expect(lines.next).toBe(texts.length);
        const complete = texts.slice(texts.length - kept.length);
        for (const [at, text] of kept.entries()) {
          const { isCut } = lines.line(lines.first + at);
          if (isCut) expect(Buffer.byteLength(complete[at] ?? "")).toBeGreaterThan(sizes.maxLineBytes - 5);
          else expect(text).toBe(complete[at]);
        }
        expect(kept.length).toBeLessThanOrEqual(sizes.maxLines);
        expect(kept.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(sizes.maxBytes);
        // A line needs up to three bytes per character while it is written.
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(texts.length, 3));
      }),
    );
  });

  it("A line that is too long is cut at a whole character", () => {
    const lines = new RecentLines({ maxLineBytes: 10 });
    lines.add(`"${"é".repeat(20)}"\n`);
    lines.add('"short"\n');
    expect([lines.line(0), lines.line(1)]).toEqual([
      { number: 0, text: `"${"é".repeat(4)}`, isCut: true },
      { number: 1, text: '"short"', isCut: false },
    ]);
  });
});
