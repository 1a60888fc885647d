/** Finds the positions of values in well-formed JSON text, so that parts can be extracted verbatim. */

export const quote = 34;
export const comma = 44;
export const minus = 45;
export const colon = 58;
export const openBracket = 91;
const backslash = 92;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;

const blanks = /[ \n\r\t]*/y;

/** Up to this number of characters, a loop is faster than a regular expression. */
const shortRun = 16;

/** Returns the position of the next character that is not blank. */
export function skipBlanks(text: string, from: number): number {
  for (let at = from; at < from + shortRun; at++) {
    const code = text.charCodeAt(at);
    // The fast path: most texts contain no blanks.
    if (code > 32 || (code !== 32 && code !== 10 && code !== 13 && code !== 9)) return at;
  }
  blanks.lastIndex = from + shortRun;
  blanks.test(text);
  return blanks.lastIndex;
}

/**
 * Returns the position after the closing quote of a string; a position beyond the text if the string is not closed.
 * @param from the position of the opening quote
 */
export function endOfString(text: string, from: number): number {
  const end = text.indexOf('"', from + 1);
  if (end < 0) return text.length + 1;
  if (text.charCodeAt(end - 1) !== backslash) return end + 1;
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at++;
  }
  return text.length + 1;
}

/**
 * Returns the position after a value.
 * @param from the position of its first character
 */
export function endOfValue(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code === quote) return endOfString(text, from);
  if (code === openBrace || code === openBracket) return endOfNested(text, from);
  let at = from;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
  return at;
}

function endOfNested(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1;
  }
  return text.length;
}

function endsScalar(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || code <= 32;
}

/**
 * Visits the items of the list that begins at `from`.
 * @param visit receives the position of an item; returns the position after the item
 * @returns the position after the list
 */
export function eachItem(text: string, from: number, visit: (at: number) => number): number {
  let at = skipBlanks(text, from + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const after = skipBlanks(text, visit(at));
    at = text.charCodeAt(after) === comma ? skipBlanks(text, after + 1) : after;
  }
  return at + 1;
}

/**
 * Visits the members of the object that begins at `from`.
 * @param visit receives the text of the key with its quotes and the position of the value; returns the position after
 * the value
 * @returns the position after the object
 */
export function eachMember(text: string, from: number, visit: (key: string, at: number) => number): number {
  let at = skipBlanks(text, from + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = endOfString(text, at);
    const value = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const after = skipBlanks(text, visit(text.slice(at, keyEnd), value));
    at = text.charCodeAt(after) === comma ? skipBlanks(text, after + 1) : after;
  }
  return at + 1;
}

/** A member of an object: the text of its key with the quotes, and the start and end of its value. */
export interface MemberPosition {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the members of the object that begins at `from`. */
export function membersOf(text: string, from: number): readonly MemberPosition[] {
  const members: MemberPosition[] = [];
  eachMember(text, from, (key, at) => {
    const to = endOfValue(text, at);
    members.push({ key, from: at, to });
    return to;
  });
  return members;
}

/** Returns the texts of the items of a list; none if the text is not a list. */
export function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  const from = skipBlanks(text, 0);
  if (text.charCodeAt(from) !== openBracket) return items;
  eachItem(text, from, (at) => {
    const to = endOfValue(text, at);
    items.push(text.slice(at, to));
    return to;
  });
  return items;
}

/** Returns the text of a member; `undefined` if the text is not an object or lacks the member. */
export function memberOf(text: string, name: string): string | undefined {
  const from = skipBlanks(text, 0);
  if (text.charCodeAt(from) !== openBrace) return undefined;
  const key = JSON.stringify(name);
  const member = membersOf(text, from).find((each) => each.key === key);
  return member && text.slice(member.from, member.to);
}
