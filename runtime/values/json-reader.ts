/**
 * A JSON reader that loses no digits and can be interrupted: for texts with long numbers, and for texts so long that
 * `JSON.parse` would hold other requests up. Items of lists are left to `JSON.parse`, as many at a time as take it a
 * millisecond; all else is read more slowly, in time linear in the length of the text.
 */
import { EngineError, pathTo } from "./errors.ts";
import type { Interruptible } from "./interruptible.ts";
import { type JsonNumber, numberByValue } from "./json-number.ts";

/** Deeper values would exhaust the stack of whoever walks them. */
export const maximumDepth = 500;

/** In characters. PostgreSQL's longest number has 147,456 digits. */
export const longestNumber = 200_000;

/** Values, or escaped quotes, and characters from one interruption to the next: about a millisecond. */
const stepsPerTurn = 1024;
const charactersPerTurn = 65_536;

type JsonArray = unknown[];
type JsonObject = Record<string, unknown>;

const quote = 34;
const comma = 44;
const point = 46;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const blanks = /[ \n\r\t]+/y;
const word = /true|false|null/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that JSON refuses
export const control = /[\u0000-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that JSON refuses
const escapeOrControl = /\\[\s\S]|[\u0000-\u001f]/g;

/** What stands between quotes, with escapes for its control characters. One that follows a backslash stays, and is refused. */
export function escapeControls(inner: string): string {
  if (!control.test(inner)) return inner;
  return inner.replace(escapeOrControl, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** @throws EngineError as `parseJson` does */
export function* readJson(text: string): Interruptible<unknown> {
  const reader = new Reader(text);
  let steps = 0;
  let from = 0;
  while (!reader.step()) {
    if (++steps < stepsPerTurn && reader.at - from < charactersPerTurn) continue;
    yield;
    steps = 0;
    from = reader.at;
  }
  return reader.value;
}

/** What has been opened, and where in it the next value goes. */
type Open = { readonly array: JsonArray } | { readonly object: JsonObject; key: string };

class Reader {
  value: unknown;
  /** The next character. */
  at = 0;
  readonly #text: string;
  readonly #open: Open[] = [];
  /** Up to there no more items are looked for that `JSON.parse` could read together. */
  #aloneUntil = 0;
  /** In a string that has not ended: where it began. */
  #stringFrom: number | null = null;
  #stringIsKey = false;
  /** The next quote and the next backslash, when they stand at or behind `at`. */
  #quoteAt = -1;
  #escapeAt = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads on a little. @returns whether the text is at its end */
  step(): boolean {
    if (this.#stringFrom !== null) return this.#string(this.#stringFrom);
    const code = this.#skipBlanks();
    const read = this.#items();
    if (read !== undefined) return read;
    switch (code) {
      case openBracket:
        return this.#opened({ array: [] }, closeBracket);
      case openBrace:
        return this.#opened({ object: {}, key: "" }, closeBrace);
      case quote:
        this.#stringIsKey = false;
        return this.#string(this.at++);
      default:
        return this.#plain();
    }
  }

  /** Reads items of a list together. @returns as `step`; `undefined`: the next one has to be read by itself */
  #items(): boolean | undefined {
    const open = this.#open.at(-1);
    if (this.at < this.#aloneUntil || open === undefined || !("array" in open)) return undefined;
    const { end, stopped } = scanItems(this.#text, this.at, maximumDepth - this.#open.length);
    const items = end === undefined ? undefined : plainItems(this.#text.slice(this.at, end));
    if (end === undefined || items === undefined) {
      this.#aloneUntil = stopped;
      return undefined;
    }
    const last = items.pop();
    for (const item of items) open.array.push(item);
    this.at = end;
    return this.#put(last);
  }

  #opened(open: Open, close: number): boolean {
    if (this.#open.length === maximumDepth) {
      throw new EngineError("parse-failed", "$", `the JSON body is nested deeper than ${maximumDepth} levels`);
    }
    this.at++;
    const code = this.#skipBlanks();
    if (code === close) {
      this.at++;
      return this.#put("array" in open ? open.array : open.object);
    }
    this.#open.push(open);
    if ("object" in open) this.#key();
    return false;
  }

  /** Where the key of a member has to stand. */
  #key(): void {
    if (this.#skipBlanks() !== quote) this.#fail();
    this.#stringIsKey = true;
    this.#stringFrom = this.at++;
  }

  /** Reads to the end of the string or to the next escape. */
  #string(from: number): boolean {
    if (this.#quoteAt < this.at) this.#quoteAt = this.#indexOf('"');
    if (this.#escapeAt < this.at) this.#escapeAt = this.#indexOf("\\");
    const end = this.#quoteAt;
    if (this.#escapeAt < end) {
      this.at = this.#escapeAt + 2;
      this.#stringFrom = from;
      return false;
    }
    if (end === this.#text.length) throw invalid("Unterminated string in JSON", end);
    this.at = end + 1;
    this.#stringFrom = null;
    const value = this.#unescaped(from, end);
    if (!this.#stringIsKey) return this.#put(value);
    const open = this.#open.at(-1);
    if (open === undefined || !("object" in open)) return this.#fail();
    if (value === "__proto__") {
      const path = this.#pathOf(this.#open.slice(0, -1));
      throw new EngineError("parse-failed", path, 'the key "__proto__" is not allowed');
    }
    open.key = value;
    if (this.#skipBlanks() !== colon) this.#fail();
    this.at++;
    return false;
  }

  /** The length of the text where there is none. */
  #indexOf(character: string): number {
    const found = this.#text.indexOf(character, this.at);
    return found < 0 ? this.#text.length : found;
  }

  #unescaped(from: number, end: number): string {
    const inner = this.#text.slice(from + 1, end);
    if (!inner.includes("\\")) return inner;
    try {
      return String(JSON.parse(`"${escapeControls(inner)}"`));
    } catch {
      throw invalid("Bad escaped character in JSON", from);
    }
  }

  #plain(): boolean {
    word.lastIndex = this.at;
    const [found] = word.exec(this.#text) ?? [];
    if (found !== undefined) {
      this.at += found.length;
      return this.#put(words.get(found));
    }
    return this.#put(this.#number());
  }

  #number(): number | JsonNumber {
    const start = this.at;
    let end = start;
    while (isNumberPart(this.#text.charCodeAt(end))) end++;
    if (end - start > longestNumber) {
      throw tooLong(this.#pathOf(this.#open));
    }
    const found = this.#text.slice(start, end);
    number.lastIndex = 0;
    if (number.exec(found)?.[0] !== found || found === "") this.#fail();
    this.at = end;
    return found.length < longNumber && !/[eE]/.test(found) ? Number(found) : numberByValue(found);
  }

  /** A complete value goes where it belongs; what it ends is complete, too. */
  #put(complete: unknown): boolean {
    for (let value = complete; ; ) {
      const open = this.#open.at(-1);
      const code = this.#skipBlanks();
      if (open === undefined) {
        if (this.at < this.#text.length) this.#fail();
        this.value = value;
        return true;
      }
      if ("array" in open) open.array.push(value);
      else open.object[open.key] = value;
      if (code === comma) {
        this.at++;
        if ("object" in open) this.#key();
        return false;
      }
      if (code !== ("array" in open ? closeBracket : closeBrace)) this.#fail();
      this.at++;
      this.#open.pop();
      value = "array" in open ? open.array : open.object;
    }
  }

  /** @returns the code of the next character that is not blank; `NaN` at the end */
  #skipBlanks(): number {
    const code = this.#text.charCodeAt(this.at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
    blanks.lastIndex = this.at;
    blanks.test(this.#text);
    this.at = blanks.lastIndex;
    return this.#text.charCodeAt(this.at);
  }

  #pathOf(open: readonly Open[]): string {
    return open.reduce((path, each) => pathTo(path, "array" in each ? each.array.length : each.key), "$");
  }

  #fail(): never {
    const isEnd = this.at >= this.#text.length;
    throw invalid(isEnd ? "Unexpected end of JSON input" : "Unexpected token in JSON", this.at);
  }
}

/** Numbers shorter than this have at most 15 digits, which a double always holds. */
export const longNumber = 16;

/** A key `__proto__`, or an escape that it could be spelt with. */
const prototypeKey = /__proto__|\\u00[567]/;

/** The items that a text has; `undefined` where it is not JSON, or may hold what has to be refused. */
function plainItems(text: string): unknown[] | undefined {
  if (prototypeKey.test(text)) return undefined;
  try {
    const items: unknown[] = JSON.parse(`[${text}]`);
    return items.length > 0 ? items : undefined;
  } catch {
    return undefined;
  }
}

/** Items of a list. */
interface ItemsFound {
  /** Where they end; absent: there are none. */
  readonly end?: number | undefined;
  /** How far was looked. */
  readonly stopped: number;
}

/**
 * Looks for items which `JSON.parse` reads without loss, if it reads them.
 * @param from where the first of them begins
 * @param levels how many may be open in them
 */
function scanItems(text: string, from: number, levels: number): ItemsFound {
  const limit = Math.min(from + charactersPerTurn, text.length);
  let end: number | undefined;
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at, limit);
    } else if (code === comma) {
      if (depth === 0) end = at;
    } else if (code === openBrace || code === openBracket) {
      if (++depth > levels) return { end, stopped: at };
    } else if (code === closeBrace || code === closeBracket) {
      if (depth-- === 0) return { end: at, stopped: at };
    } else if (isDigit(code)) {
      const after = endOfDigits(text, at, limit);
      if (isLong(text, at, after)) return { end, stopped: after };
      at = after - 1;
    }
  }
  return { end, stopped: limit };
}

/** Where the string ends that begins at `start`, or `limit`. */
function endOfString(text: string, start: number, limit: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote && at < limit; code = text.charCodeAt(at)) {
    at += code === backslash ? 2 : 1;
  }
  return at;
}

/** Where something else follows the digits, with or without a point, that begin at `start`; or `limit`. */
export function endOfDigits(text: string, start: number, limit: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < limit && (isDigit(code) || code === point); code = text.charCodeAt(at))
    at++;
  return at;
}

/**
 * Whether `JSON.parse` may lose digits of a number in valid JSON.
 * @param first its first digit
 * @param after where its digits end, an exponent apart
 */
export function isLong(text: string, first: number, after: number): boolean {
  return after - first >= longNumber || isExponent(text.charCodeAt(after));
}

const isExponent = (code: number): boolean => code === 69 || code === 101;

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
export function isNumberPart(code: number): boolean {
  return isDigit(code) || code === point || isExponent(code) || code === 43 || code === 45;
}

export function tooLong(path: string): EngineError {
  return new EngineError("parse-failed", path, `a number is longer than ${longestNumber} characters`);
}

/** What stands around the place may be a secret that has no business in a log. */
function invalid(message: string, at: number): EngineError {
  return new EngineError("invalid-json", "$", `${message} at position ${at}`);
}
