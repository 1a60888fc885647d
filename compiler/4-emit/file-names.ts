/**
 * Names from metadata → names of files and folders. The encoding is injective, also where the file system ignores
 * case, and gives only names that every file system takes.
 *
 * A name of lower-case letters, digits, `_` and `-` stands for itself. Any other is written in small letters with `-`
 * for what else is in it, and behind a `=` what that leaves out: which characters are capital letters, as a hexadecimal
 * number with a bit for each, and, unless all dashes are blanks, what they are. `Find books` is `find-books=1`, `a/b` is
 * `a-b==2f`.
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
  const start = parts.map(readable).join(".");
  // A character each, and more for what they leave out.
  if (start.length + extension.length <= maximumLength) {
    const name = parts.map(encodePart).join(".") + extension;
    if (name.length <= maximumLength) return name;
  }
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
  // `h` is no hexadecimal digit: no name that fits has one behind a `=`.
  const ending = `=h${hash}${extension}`;
  return start.slice(0, maximumLength - ending.length) + ending;
}

const plain = /^[a-z0-9_-]+$/;

/** Whether a part stands for itself, as most do. */
const isPlain = (part: string): boolean => plain.test(part) && !reservedOnWindows.test(part);

function encodePart(part: string): string {
  if (isPlain(part)) return part;
  const dashes = dashedCharacters(part);
  const codes = dashes.some((code) => code !== "") ? `=${dashes.join("-")}` : "";
  return `${readable(part)}=${capitals(part)}${codes}`;
}

const readable = (part: string): string => Array.from(part, readableCharacter).join("");

function readableCharacter(character: string): string {
  return /^[A-Za-z0-9_]$/.test(character) ? character.toLowerCase() : "-";
}

/** Bits of the characters that are capital letters, the first one's the lowest; nothing for none. */
function capitals(part: string): string {
  const bits = Array.from(part, (character, i) => (/[A-Z]/.test(character) ? 1n << BigInt(i) : 0n));
  const number = bits.reduce((sum, bit) => sum | bit, 0n);
  return number === 0n ? "" : number.toString(16);
}

/** What the dashes stand for, in order: code points, nothing for a blank. */
function dashedCharacters(part: string): readonly string[] {
  const dashed = [...part].filter((character) => readableCharacter(character) === "-");
  return dashed.map((character) => (character === " " ? "" : (character.codePointAt(0) ?? 0).toString(16)));
}
