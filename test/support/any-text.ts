/** Random texts of any characters, names of built-in properties among them. */
import fc from "fast-check";

/** Code units that are halves of characters stand between these two. */
const surrogates = { from: 0xd800, length: 0x800 };

/**
 * Any character. The library's own unit `"binary"` chooses from the same ones, of which it first makes a table of a
 * million: a second in each process, and memory that is never given back.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.length }).map(
  (n) => String.fromCodePoint(n < surrogates.from ? n : n + surrogates.length),
  // With the way back, the library also tries texts of its own: `__proto__`, `toString`.
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
