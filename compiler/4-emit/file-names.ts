/**
 * Encodes names from metadata as names of files and folders. The encoding is injective, even on file systems that ignore
 * case, and its results are valid on all common file systems and need no quotes in a shell.
 *
 * Names of lower-case letters, digits, `_` and `-` are unchanged. Others are converted to lower case, with `-` for other
 * characters, and get a suffix with the lost information: after the first `+`, a hexadecimal bit mask of the capital
 * letters; after a second `+`, the code points of the replaced characters, unless all are blanks. `Find books` becomes
 * `find-books+1`, `a/b` becomes `a-b++2f`.
 */
import { createHash } from "node:crypto";

/** In bytes. File systems allow 255; the margin is for suffixes that editors and archives append. */
export const maximumLength = 120;

/** Device names on Windows, even with an extension. */
const reservedOnWindows = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

interface FileNameOptions {
  readonly extension?: string;
  /** Names reserved in the folder: a name of one part that equals one of them gets a suffix, as `con` does. */
  readonly taken?: readonly string[];
}

/** Returns the name of a file or folder for the parts of a name, which are joined by dots. */
export function fileName(parts: readonly string[], { extension = "", taken = [] }: FileNameOptions = {}): string {
  const [first = ""] = parts;
  if (parts.length <= 1 && taken.includes(first)) return `${first}+${extension}`;
  if (parts.every(isPlain)) {
    const name = parts.join(".") + extension;
    if (name.length <= maximumLength) return name;
  }
  const start = parts.map(readable).join(".");
  // With suffixes the name is even longer.
  if (start.length + extension.length <= maximumLength) {
    const name = parts.map(encodePart).join(".") + extension;
    if (name.length <= maximumLength) return name;
  }
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
  // `h` is not a hexadecimal digit, so no encoded name has one after a `+`.
  const ending = `+h${hash}${extension}`;
  return start.slice(0, maximumLength - ending.length) + ending;
}

const plain = /^[a-z0-9_-]+$/;

/** Returns true if a part needs no encoding. */
const isPlain = (part: string): boolean => plain.test(part) && !reservedOnWindows.test(part);

function encodePart(part: string): string {
  if (isPlain(part)) return part;
  const dashes = dashedCharacters(part);
  const codes = dashes.some((code) => code !== "") ? `+${dashes.join("-")}` : "";
  return `${readable(part)}+${capitals(part)}${codes}`;
}

const readable = (part: string): string => Array.from(part, readableCharacter).join("");

function readableCharacter(character: string): string {
  return /^[A-Za-z0-9_]$/.test(character) ? character.toLowerCase() : "-";
}

/** Returns a hexadecimal bit mask of the capital letters, the first character in the lowest bit; empty for none. */
function capitals(part: string): string {
  const bits = Array.from(part, (character, i) => (/[A-Z]/.test(character) ? 1n << BigInt(i) : 0n));
  const number = bits.reduce((sum, bit) => sum | bit, 0n);
  return number === 0n ? "" : number.toString(16);
}

/** Returns the replaced characters in order: hexadecimal code points, an empty string for a blank. */
function dashedCharacters(part: string): readonly string[] {
  const dashed = [...part].filter((character) => readableCharacter(character) === "-");
  return dashed.map((character) => (character === " " ? "" : (character.codePointAt(0) ?? 0).toString(16)));
}
