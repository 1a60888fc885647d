const quote = 34;
const backslash = 92;
const firstPlain = 32;
const firstSurrogate = 0xd800;

/** Limit in characters. `JSON.stringify` is faster for longer texts. */
const maxScannedLength = 64;

/** Serialises a string like `JSON.stringify`, but several times faster for short strings without escapes. */
export function quoted(text: string): string {
  if (text.length > maxScannedLength) return JSON.stringify(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < firstPlain || code === quote || code === backslash || code >= firstSurrogate)
      return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** Quotes a word for a POSIX shell where necessary. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
