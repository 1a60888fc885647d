/** Where values stand in JSON text that is known to be well-formed: positions, so that parts can be cut out as they are. */

const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** @returns the position of the next character that is not blank */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/** @param from the opening quote @returns the position behind the closing one */
export function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end + 1;
    at = end + 1;
  }
}

/** @param from its first character @returns the position behind the value */
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

/** The members of the object that begins there: the text of each key with its quotes, and where its value stands. */
export function* membersOf(
  text: string,
  from: number,
): Iterable<{ readonly key: string; readonly from: number; readonly to: number }> {
  let at = skipBlanks(text, from + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = endOfString(text, at);
    const value = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const to = endOfValue(text, value);
    yield { key: text.slice(at, keyEnd), from: value, to };
    const next = skipBlanks(text, to);
    if (text.charCodeAt(next) !== comma) return;
    at = skipBlanks(text, next + 1);
  }
}

/** The texts of the items of a list; none where it is something else. */
export function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  const from = skipBlanks(text, 0);
  if (text.charCodeAt(from) !== openBracket) return items;
  let at = skipBlanks(text, from + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const end = endOfValue(text, at);
    items.push(text.slice(at, end));
    const next = skipBlanks(text, end);
    if (text.charCodeAt(next) !== comma) break;
    at = skipBlanks(text, next + 1);
  }
  return items;
}

/** The text of a member; `undefined` where there is none, or the text is no object. */
export function memberOf(text: string, name: string): string | undefined {
  const from = skipBlanks(text, 0);
  if (text.charCodeAt(from) !== openBrace) return undefined;
  const key = JSON.stringify(name);
  for (const member of membersOf(text, from)) if (member.key === key) return text.slice(member.from, member.to);
  return undefined;
}
