/**
 * A set of very many texts. One Set of V8 is rebuilt at each doubling, for 20 ms with 100,000 texts: nobody has a turn
 * meanwhile. Here many small ones are, each by itself.
 */

const partCount = 64;

export class TextSet {
  readonly #parts: readonly Set<string>[] = Array.from({ length: partCount }, () => new Set());

  /** @returns whether it was not there */
  add(text: string): boolean {
    const part = this.#parts[partOf(text)];
    if (part === undefined || part.has(text)) return false;
    part.add(text);
    return true;
  }
}

/** Names of one table begin alike, and those of all tables end alike: every character counts. */
function partOf(text: string): number {
  const { length } = text;
  let sum = length;
  for (let at = 0; at < length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum & (partCount - 1);
}
