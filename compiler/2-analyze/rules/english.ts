/** Lists in messages. */

/** Formats a list: `a`, `a or b`, `a, b, or c`. */
export function englishList(words: readonly string[], last: "and" | "or"): string {
  return words.length < 3 ? words.join(` ${last} `) : `${words.slice(0, -1).join(", ")}, ${last} ${words.at(-1)}`;
}

/** Formats `"a", "b"`. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
