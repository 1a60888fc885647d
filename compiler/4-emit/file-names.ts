/**
 * Names from metadata → names of files and folders. The encoding is injective, also where the file system ignores
 * case, and gives only names that every file system takes.
 *
 * Lower-case letters, digits, `_` and `-` stand for themselves, an upper-case letter is written `+` and the small
 * letter, any other character `=` code point `=`.
 */
import { createHash } from "node:crypto";

/** In bytes; systems take 255, and an editor or archive may append something. */
export const maximumLength = 120;

/** Windows gives these a meaning, also with an extension. */
const reservedOnWindows = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** The name of a file or folder for the parts of a name; the parts are joined by dots. */
export function fileName(parts: readonly string[], extension = ""): string {
  if (parts.every(isPlain)) {
    const name = parts.join(".") + extension;
    if (name.length <= maximumLength) return name;
  }
  const characters = parts.flatMap((part, i) => (i === 0 ? encodePart(part) : [".", ...encodePart(part)]));
  const name = characters.join("") + extension;
  if (name.length <= maximumLength) return name;
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
  // `h` is no digit of a code point: no name that fits can look like this.
  const ending = `=h${hash}${extension}`;
  return wholeCharacters(characters, maximumLength - ending.length) + ending;
}

const plain = /^[a-z0-9_-]+$/;

/** Whether a part stands for itself, as most do. */
function isPlain(part: string): boolean {
  return plain.test(part) && !reservedOnWindows.test(part) && part.length < maximumLength / 2;
}

/** The encoding of a part, in pieces that cannot be divided. */
function encodePart(part: string): readonly string[] {
  if (part === "") return ["=="];
  if (isPlain(part)) return [part];
  const [first = "", ...rest] = part;
  const encoded = rest.map(encodeCharacter);
  return [reservedOnWindows.test(part) ? codePoint(first) : encodeCharacter(first), ...encoded];
}

function encodeCharacter(character: string): string {
  if (/[a-z0-9_-]/.test(character)) return character;
  return /[A-Z]/.test(character) ? `+${character.toLowerCase()}` : codePoint(character);
}

function codePoint(character: string): string {
  return `=${(character.codePointAt(0) ?? 0).toString(16)}=`;
}

/** As many of the characters as fit. */
function wholeCharacters(characters: readonly string[], length: number): string {
  let text = "";
  for (const character of characters) {
    if (text.length + character.length > length) break;
    text += character;
  }
  return text;
}
