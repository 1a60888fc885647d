/**
 * The law of parsers: time grows with the length of a text, whatever the text is. An adversarial part is repeated until
 * parsing takes a measurable time, and then four times as often.
 */
import { describe, expect, it } from "vitest";
import { growth, mostGrowth } from "./growth.ts";
import { parsers, parts } from "./parsers.ts";

describe("the time of parsers grows with the length of the text", () => {
  it.each(parsers)("$name", { timeout: 120_000 }, ({ parse, frames, parts: own = [] }) => {
    const slow: string[] = [];
    for (const [i, frame] of frames.entries()) {
      // All parts by themselves; around each of them stand its own, and a third of the others in turns.
      const some = i === 0 ? parts : parts.filter((_, j) => j % 3 === i % 3);
      for (const part of [...some, ...own]) {
        const ratio = growth(parse, frame, part);
        if (ratio >= mostGrowth) slow.push(`${frame[0]}${JSON.stringify(part)} …${frame[1]}: ×${ratio.toFixed(1)}`);
      }
    }
    expect(slow).toEqual([]);
  });

  // A machine that is busy elsewhere hides it now and then: caches are shared.
  it("which this test would see", { timeout: 60_000, retry: 2 }, () => {
    expect(growth((text) => text.replace(/0+$/, ""), ["0.1", "1"], "0")).toBeGreaterThan(mostGrowth);
    expect(growth((text) => text.split(""), ["", ""], "a")).toBeLessThan(mostGrowth);
  });
});
