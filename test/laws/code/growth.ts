/** Measures how parsing time grows when a text becomes four times as long: by 4 if linear, by 16 if quadratic. */
import type { Frame } from "./parsers.ts";

/** Maximum ratio for a linear parser: 4, with a margin for other load. */
export const mostGrowth = 10;
/** Lengths in characters: slow code is visible at the first length, quadratic code at the second. */
const lengths = [512, 4096];
/**
 * Time in milliseconds below which no growth is computed. Quadratic parsers take about 100 times as long; linear parsers
 * that exceed it are measured, too.
 */
const unsuspicious = 2;

/** Returns processor time in milliseconds, which other load does not affect. */
function timeOf(parse: (text: string) => unknown, text: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const began = process.cpuUsage();
    try {
      parse(text);
    } catch {
      // Refusing the text is a valid outcome.
    }
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * Returns the factor by which parsing time grows for four times the text; 0 if the time is too short to compare. Since
 * garbage collection and compilation disturb single runs, growth must also show at twice the length.
 */
export function growth(parse: (text: string) => unknown, [before, after]: Frame, part: string): number {
  const textOf = (length: number): string => before + part.repeat(length / part.length) + after;
  const ratioAt = (length: number, runs: number): number =>
    timeOf(parse, textOf(4 * length), runs) / timeOf(parse, textOf(length), 2 * runs);
  for (const length of lengths) {
    if (timeOf(parse, textOf(length), 1) < unsuspicious || timeOf(parse, textOf(length), 2) < unsuspicious) continue;
    let least = Number.POSITIVE_INFINITY;
    for (let runs = 1; runs <= 2; runs++) {
      for (const at of [length, 2 * length]) {
        least = Math.min(least, ratioAt(at, runs));
        if (least < mostGrowth) return least;
      }
    }
    return least;
  }
  return 0;
}
