/** How the time of a parser grows with the length of a text: linear is a ratio of 4, quadratic one of 16. */
import type { Frame } from "./parsers.ts";

/** Of a law that holds: 4, and twice that on a bad day. */
export const mostGrowth = 10;
/** In milliseconds: times that can be compared. */
const measurable = 0.5;
const shortest = 1024;
const longest = 32_768;

/** Of the processor, in milliseconds: a machine that is busy elsewhere must not count. */
function timeOf(parse: (text: string) => unknown, text: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const began = process.cpuUsage();
    try {
      parse(text);
    } catch {
      // Refusing it is an answer, too.
    }
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * By how much more time parsing takes for four times the text; 0: too little to be measured, at any length. Collecting
 * garbage and compiling disturb single runs: what looks like growth has to show at twice the length, too.
 */
export function growth(parse: (text: string) => unknown, [before, after]: Frame, part: string): number {
  const textOf = (length: number): string => before + part.repeat(length / part.length) + after;
  const ratioAt = (length: number, runs: number): number =>
    timeOf(parse, textOf(4 * length), runs) / timeOf(parse, textOf(length), 2 * runs);
  for (let length = shortest; length <= longest; length *= 2) {
    if (timeOf(parse, textOf(length), 2) < measurable) continue;
    let least = Number.POSITIVE_INFINITY;
    for (let runs = 1; runs <= 3; runs++) {
      for (const at of [length, 2 * length]) {
        least = Math.min(least, ratioAt(at, runs));
        if (least < mostGrowth) return least;
      }
    }
    return least;
  }
  return 0;
}
