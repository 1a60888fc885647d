/**
 * The law of parsers: parsing time grows linearly with the length of any text. An adversarial part is repeated until
 * parsing takes measurable time, and then four times as often.
 */
import { describe, expect, it } from "vitest";
import { growth, mostGrowth } from "./growth.ts";
import { parsers, parts } from "./parsers.ts";

describe("The running time of parsers", () => {
  it.each(parsers)(
    "The running time is proportional to the length of the text: $name",
    { timeout: 120_000 },
    ({ parse, frames, parts: own = [] }) => {
      const slow: string[] = [];
      for (const [i, frame] of frames.entries()) {
        // The first frame gets all parts; each other frame gets a third of them.
        const some = i === 0 ? parts : parts.filter((_, j) => j % 3 === i % 3);
        for (const part of [...some, ...own]) {
          const ratio = growth(parse, frame, part);
          if (ratio >= mostGrowth) slow.push(`${frame[0]}${JSON.stringify(part)} …${frame[1]}: ×${ratio.toFixed(1)}`);
        }
      }
      expect(slow).toEqual([]);
    },
  );

  // Other load can hide the effect, because caches are shared.
  it("The measurement detects a parser of quadratic time", { timeout: 60_000, retry: 2 }, () => {
    expect(growth((text) => text.replace(/0+$/, ""), ["0.1", "1"], "0")).toBeGreaterThan(mostGrowth);
    expect(growth((text) => text.split(""), ["", ""], "a")).toBeLessThan(mostGrowth);
  });
});
