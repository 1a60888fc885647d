/** Random texts of any characters, names of built-in properties among them. */
import fc from "fast-check";

/** Range of surrogate code units. */
const surrogates = { from: 0xd800, length: 0x800 };

/**
 * Generates any character. The library's unit `"binary"` chooses from the same characters, but first builds a table of
 * a million: a second in each process, and memory that is never released.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.length }).map(
  (n) => String.fromCodePoint(n < surrogates.from ? n : n + surrogates.length),
  // With an inverse function, the library also generates its own texts: `__proto__`, `toString`.
  (text) => {
    if (typeof text !== "string" || [...text].length !== 1) throw new Error("not one character");
    const codePoint = text.codePointAt(0) ?? 0;
    return codePoint < surrogates.from ? codePoint : codePoint - surrogates.length;
  },
);

export function anyText(
  lengths: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...lengths });
}
