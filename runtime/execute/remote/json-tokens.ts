/** The smallest parts of JSON text: from the place where one begins to the place behind it. */

/** The text is not JSON, or is nested too deeply. */
export class NotJson extends Error {}

const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;

/** The code of the character; -1 behind the last one. */
export const codeAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : -1);

export function pastBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = codeAt(text, at);
    // Most servers write no blanks.
    if (code > space) return at;
    if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return at;
    at++;
  }
}

/** As sources of regular expressions. */
const escapeText = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;
const plainText = String.raw`[^"\\\u0000-\u001f]*`;
const charactersText = `${plainText}(?:${escapeText}${plainText})*`;
export const stringText = `"${charactersText}"`;
export const scalarText = String.raw`true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const blanksText = String.raw`[ \n\r\t]*`;

/** Of values that are nested in no more levels. */
function valueText(levels: number): string {
  const flat = `${stringText}|${scalarText}`;
  if (levels === 0) return `(?:${flat})`;
  const item = `${valueText(levels - 1)}${blanksText}`;
  const member = `${stringText}${blanksText}:${blanksText}${item}`;
  const several = (part: string) => `${blanksText}(?:${part}(?:,${blanksText}${part})*)?`;
  return `(?:${flat}|\\{${several(member)}\\}|\\[${several(item)}\\])`;
}

const characters = new RegExp(charactersText, "y");
const scalar = new RegExp(scalarText, "y");
/** Most answers are lists of objects with a few in them. With one more level the expression takes twice the time. */
const shallow = new RegExp(valueText(3), "y");
/** In characters: the matcher remembers most of them, and looks at some again where there is no match. */
export const longest = 16_384;

/**
 * The end of an object or a list: most are passed by one match instead of several for each of their parts.
 * @returns -1 where it is long, deep or not well-formed
 */
export function endOfShallow(text: string, from: number): number {
  const isNearEnd = text.length - from <= longest;
  shallow.lastIndex = isNearEnd ? from : 0;
  if (!shallow.test(isNearEnd ? text : text.slice(from, from + longest))) return -1;
  return isNearEnd ? shallow.lastIndex : from + shallow.lastIndex;
}

/** The end of a string, a number, or a word that JSON knows. @throws NotJson */
export function endOfFlat(text: string, from: number): number {
  if (codeAt(text, from) === quote) return endOfString(text, from);
  return endOf(scalar, text, from);
}

/** @param from where its quote stands @throws NotJson */
export function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (codeAt(text, at) !== quote) {
    const next = endOfCharacters(text, at);
    if (next === at) failAt(text, at);
    at = next;
  }
  return at + 1;
}

/** Goes on in a string, up to its end or for a while. */
function endOfCharacters(text: string, from: number): number {
  characters.lastIndex = 0;
  characters.test(text.slice(from, from + longest));
  return from + characters.lastIndex;
}

function endOf(token: RegExp, text: string, from: number): number {
  token.lastIndex = from;
  if (!token.test(text)) failAt(text, from);
  return token.lastIndex;
}

/** What stands around the place may be a secret that has no business in a log. */
export function failAt(text: string, at: number): never {
  const isEnd = at >= text.length;
  throw new NotJson(isEnd ? "Unexpected end of JSON input" : `Unexpected token in JSON at position ${at}`);
}
