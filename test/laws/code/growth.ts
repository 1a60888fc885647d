/** How the time of a parser grows with the length of a text: linear is a ratio of 4, quadratic one of 16. */
import type { Frame } from "./parsers.ts";

/** Of a law that holds: 4, and twice that on a bad day. */
export const mostGrowth = 10;
/** Characters: what is slow shows at the first length already, what is quadratic at the second. */
const lengths = [512, 4096];
/** In milliseconds. Linear parsers take less, or are compared; a quadratic one takes 100 times as long. */
const unsuspicious = 2;

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
 * By how much more time parsing takes for four times the text; 0: too little to be compared. Collecting garbage and
 * compiling disturb single runs: what looks like growth has to show at twice the length, too.
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
