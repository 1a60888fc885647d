/**
 * The JSON grammar, shared by all readers, and passes that validate texts of any length part by part. Callers pass the
 * maximum depth (`parse.ts`).
 */
import type { Interruptible } from "../interruptible.ts";
import { closeBrace, colon, comma, endOfString, openBrace, openBracket, quote, skipBlanks } from "./positions.ts";

/** An error for text that is not JSON or nested too deeply. Its message contains no part of the text, which may be secret. */
export class NotJson extends Error {
  /** The message without the position. */
  readonly fault: string;
  readonly at: number;

  constructor(fault: string, at: number, message = `${fault} in JSON at position ${at}`) {
    super(message);
    this.fault = fault;
    this.at = at;
  }
}

/** Limit in characters. PostgreSQL's longest number has 147,456 digits. */
export const maxNumberLength = 200_000;

/** The number of characters processed between two interruptions, in about a millisecond. */
export const charactersPerTurn = 65_536;
/** The cost of the smallest part, expressed in characters. */
const partCost = 64;

const blanksSource = String.raw`[ \n\r\t]*`;
const plainSource = String.raw`[^"\\\u0000-\u001f]*`;
const escapeSource = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;
const numberSource = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
/** Sources of regular expressions. */
export const stringSource = `"${plainSource}(?:${escapeSource}${plainSource})*"`;
export const scalarSource = `true|false|null|${numberSource}`;

const word = /true|false|null/y;
const number = new RegExp(numberSource, "y");

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isExponent = (code: number): boolean => code === 69 || code === 101;

/** Returns true for digits, `.`, `e`, `E`, `+` and `-`. */
export const isNumberPart = (code: number): boolean =>
  isDigit(code) || code === 46 || isExponent(code) || code === 43 || code === 45;

/** Returns the position after a run of number characters. */
export function endOfNumber(text: string, from: number): number {
  let at = from;
  while (isNumberPart(text.charCodeAt(at))) at++;
  return at;
}

export function isNumber(text: string): boolean {
  number.lastIndex = 0;
  return number.test(text) && number.lastIndex === text.length;
}

/** Traverses and validates JSON text part by part; subclasses process the parts. */
export abstract class JsonPass {
  protected readonly text: string;
  /** The position of the next character. */
  protected at = 0;
  /** The characters that close the lists and objects around `at`. */
  protected readonly open: number[] = [];
  protected readonly levels: number;

  /** @param levels the maximum nesting; deeper values would exhaust the stack of recursive code */
  constructor(text: string, levels: number) {
    this.text = text;
    this.levels = levels;
  }

  /**
   * Skips blanks.
   * @returns the code of the next character; -1 at the end
   */
  next(): number {
    this.at = skipBlanks(this.text, this.at);
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : -1;
  }

  /**
   * Checks that the text ends.
   * @throws NotJson if anything but blanks follows
   */
  end(): void {
    if (this.next() !== -1) this.fail("the end of the document");
  }

  /**
   * Processes a whole list or object at once.
   * @returns the position after it; -1 to traverse its parts instead
   */
  protected abstract whole(from: number): number;
  protected abstract opened(isList: boolean): void;
  protected abstract closed(): void;
  /**
   * Processes the key of a member.
   * @param from the position of the opening quote
   * @param to the position after the closing quote
   */
  protected abstract key(from: number, to: number): void;
  /** Processes a string, a number or a word. */
  protected abstract scalar(from: number, to: number): void;

  protected tooDeep(): Error {
    return new NotJson(`nested deeper than ${this.levels} levels`, this.at, `nested deeper than ${this.levels} levels`);
  }

  protected tooLong(): Error {
    return new NotJson(`a number is longer than ${maxNumberLength} characters`, this.at);
  }

  /**
   * Traverses the value at `at` for about a millisecond.
   * @returns true if the end of the value has been reached
   */
  protected turn(): boolean {
    for (let budget = charactersPerTurn; budget > 0; budget -= partCost) {
      const code = this.next();
      const from = this.at;
      if (code === openBrace || code === openBracket) {
        const end = this.whole(from);
        if (end !== -1) this.at = end;
        else if (this.#enter(code)) continue;
      } else {
        this.at = code === quote ? this.#endOfString(from) : this.#endOfScalar(from);
        this.scalar(from, this.at);
      }
      if (this.#leave()) return true;
      budget -= this.at - from;
    }
    return false;
  }

  /**
   * Enters a list or an object.
   * @returns true if a value is next; false if it is empty and has been passed
   */
  #enter(code: number): boolean {
    if (this.open.length >= this.levels) throw this.tooDeep();
    const close = code + 2;
    this.opened(code === openBracket);
    this.at++;
    if (this.next() === close) {
      this.at++;
      this.closed();
      return false;
    }
    this.open.push(close);
    if (close === closeBrace) this.passKey();
    return true;
  }

  /**
   * Leaves the lists and objects that end after a value.
   * @returns true if none is open; false if another value is next
   */
  #leave(): boolean {
    const { open } = this;
    while (open.length > 0) {
      const close = open[open.length - 1];
      const code = this.next();
      if (code !== comma && code !== close) this.fail(close === closeBrace ? '"," or "}"' : '"," or "]"');
      this.at++;
      if (code === comma) {
        if (close === closeBrace) this.passKey();
        return false;
      }
      open.pop();
      this.closed();
    }
    return true;
  }

  /** Passes the key of a member and its colon. */
  protected passKey(): void {
    if (this.next() !== quote) this.fail("a key in double quotes");
    const from = this.at;
    this.at = this.#endOfString(from);
    this.key(from, this.at);
    if (this.next() !== colon) this.fail('":"');
    this.at++;
  }

  #endOfString(from: number): number {
    const end = endOfString(this.text, from);
    if (end > this.text.length) throw new NotJson("unterminated string", from);
    return end;
  }

  #endOfScalar(from: number): number {
    const end = endOfNumber(this.text, from);
    if (end === from) {
      word.lastIndex = from;
      if (word.test(this.text)) return word.lastIndex;
    }
    if (end - from > maxNumberLength) throw this.tooLong();
    number.lastIndex = from;
    return number.test(this.text) ? number.lastIndex : this.fail("a value");
  }

  protected fail(expected: string): never {
    const isEnd = this.at >= this.text.length;
    const message = isEnd ? "Unexpected end of JSON input" : `Unexpected token in JSON at position ${this.at}`;
    throw new NotJson(`expected ${expected}`, this.at, message);
  }
}

/** The maximum nesting of JSON that is passed on unread. */
const maxPassedLevels = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON refuses these
const special = /[\\\u0000-\u001f]/;

/** The position of a value. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds values in JSON text that is passed on verbatim, without parsing them. */
export class JsonScanner extends JsonPass {
  #key = "";

  constructor(text: string) {
    super(text, maxPassedLevels);
  }

  /**
   * Enters the object at the current position, up to the value of its first member.
   * @returns the key; `undefined` if the object is empty and has been passed
   * @throws NotJson
   */
  firstKey(): string | undefined {
    if (this.next() !== openBrace) this.fail("an object");
    this.at++;
    if (this.next() !== closeBrace) return this.#nextKey();
    this.at++;
    return undefined;
  }

  /**
   * Moves from the end of a member's value to the value of the next member.
   * @returns the key; `undefined` if the object has no further member and has been passed
   * @throws NotJson
   */
  nextKey(): string | undefined {
    const code = this.next();
    if (code !== comma && code !== closeBrace) this.fail('"," or "}"');
    this.at++;
    return code === comma ? this.#nextKey() : undefined;
  }

  /**
   * Passes the value at the current position.
   * @throws NotJson
   */
  *value(): Interruptible<Span> {
    this.next();
    const from = this.at;
    while (!this.turn()) yield;
    return { from, to: this.at };
  }

  #nextKey(): string {
    this.passKey();
    return this.#key;
  }

  protected override whole(from: number): number {
    return endOfShallow(this.text, from);
  }

  protected override opened(): void {}
  protected override closed(): void {}

  protected override key(from: number, to: number): void {
    this.scalar(from, to);
    if (this.open.length > 0) return;
    const key = this.text.slice(from + 1, to - 1);
    this.#key = key.includes("\\") ? String(JSON.parse(`"${key}"`)) : key;
  }

  protected override scalar(from: number, to: number): void {
    if (this.text.charCodeAt(from) !== quote) return;
    const text = this.text.slice(from, to);
    if (!special.test(text)) return;
    try {
      JSON.parse(text);
    } catch {
      throw badString(from);
    }
  }
}

/**
 * Returns the error for a malformed string.
 * @param at the position of the opening quote
 */
export const badString = (at: number): NotJson =>
  new NotJson("invalid escape sequence or control character in a string", at);

/** Returns the source of a regular expression for values with at most `levels` levels of nesting. */
function valueSource(levels: number): string {
  const flat = `${stringSource}|${scalarSource}`;
  if (levels === 0) return `(?:${flat})`;
  const item = `${valueSource(levels - 1)}${blanksSource}`;
  const member = `${stringSource}${blanksSource}:${blanksSource}${item}`;
  const several = (part: string) => `${blanksSource}(?:${part}(?:,${blanksSource}${part})*)?`;
  return `(?:${flat}|\\{${several(member)}\\}|\\[${several(item)}\\])`;
}

/** Matches most responses: lists of objects with a few nested ones. One more level would double the time. */
const shallow = new RegExp(valueSource(3), "y");
/** Limit in characters, which bounds the memory and the backtracking of a match. */
export const maxMatchLength = 16_384;

/**
 * Finds the end of a list or an object by one match, which takes a quarter of the time of `JSON.parse`. Returns -1 if
 * it is long, deep or malformed.
 */
function endOfShallow(text: string, from: number): number {
  const isNearEnd = text.length - from <= maxMatchLength;
  shallow.lastIndex = isNearEnd ? from : 0;
  if (!shallow.test(isNearEnd ? text : text.slice(from, from + maxMatchLength))) return -1;
  return isNearEnd ? shallow.lastIndex : from + shallow.lastIndex;
}
