/**
 * Looks through JSON text without making values of it: tells where they stand, and that they are well-formed. For texts
 * that are passed on as they are, whatever their length.
 */
import type { Interruptible } from "../values/interruptible.ts";

/** From its first character to behind its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The text is not JSON, or is nested too deeply. */
export class NotJson extends Error {}

/** Deeper values would exhaust the stack of whoever reads the answer. */
const maximumDepth = 1000;
/** Values, and characters, from one interruption to the next: about a millisecond. */
const stepsPerTurn = 4096;
const charactersPerTurn = 262_144;

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

const blanks = /[ \n\r\t]*/y;
const scalarPattern = String.raw`true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const scalar = new RegExp(scalarPattern, "y");
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that JSON refuses
const characters = /[^"\\\u0000-\u001f]*/y;
/**
 * Members of an object, or items of a list, that are scalars without escapes, each with the comma behind it: most of an
 * answer is passed by one match instead of several for each value. So many at most, as the matcher remembers each.
 */
const blank = String.raw`[ \n\r\t]*`;
const plainText = String.raw`"[^"\\\u0000-\u001f]*"`;
const plainValue = `(?:${plainText}|${scalarPattern})`;
const plainMembers = new RegExp(`(?:${blank}${plainText}${blank}:${blank}${plainValue}${blank},){0,256}`, "y");
const plainItems = new RegExp(`(?:${blank}${plainValue}${blank},){0,256}`, "y");
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

export class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The code of the character that the next value begins with. */
  next(): number {
    const code = this.#text.charCodeAt(this.#at);
    // Most servers write no blanks.
    if (code > 32) return code;
    this.#match(blanks);
    return this.#text.charCodeAt(this.#at);
  }

  /** @throws NotJson where something follows */
  end(): void {
    if (!Number.isNaN(this.next())) this.#fail();
  }

  /**
   * Goes through the members of the object that stands here.
   * @param member called where the value of each stands; has to go past it
   * @throws NotJson
   */
  *members(member: (key: string) => Interruptible<void>): Interruptible<void> {
    if (this.next() !== openBrace) this.#fail();
    this.#at++;
    if (this.next() === closeBrace) {
      this.#at++;
      return;
    }
    for (;;) {
      const { from, to } = this.#key();
      yield* member(String(JSON.parse(this.#text.slice(from, to))));
      const code = this.next();
      this.#at++;
      if (code === closeBrace) return;
      if (code !== comma) this.#fail();
    }
  }

  /** Goes past the value that stands here. @throws NotJson */
  *value(): Interruptible<Span> {
    this.next();
    const from = this.#at;
    /** What is open: the character that closes it. */
    const open: number[] = [];
    let steps = 0;
    let turnFrom = from;
    for (;;) {
      if (!this.#begin(open)) while (this.#isComplete(open)) open.pop();
      if (open.length === 0) return { from, to: this.#at };
      if (++steps < stepsPerTurn && this.#at - turnFrom < charactersPerTurn) continue;
      yield;
      steps = 0;
      turnFrom = this.#at;
    }
  }

  /** Reads a value up to its first part. @returns whether there is one */
  #begin(open: number[]): boolean {
    const code = this.next();
    if (code === quote) {
      this.#string();
      return false;
    }
    const close = code === openBrace ? closeBrace : code === openBracket ? closeBracket : undefined;
    if (close === undefined) {
      if (!this.#match(scalar)) this.#fail();
      return false;
    }
    this.#at++;
    if (this.next() === close) {
      this.#at++;
      return false;
    }
    if (open.push(close) > maximumDepth) throw new NotJson(`nested deeper than ${maximumDepth} levels`);
    this.#toNextPart(close);
    return true;
  }

  /** Behind a value: whether what it stands in ends here; else the next one begins. */
  #isComplete(open: readonly number[]): boolean {
    const close = open.at(-1);
    if (close === undefined) return false;
    const code = this.next();
    this.#at++;
    if (code === close) return true;
    if (code !== comma) this.#fail();
    this.#toNextPart(close);
    return false;
  }

  /** Behind the beginning or a comma: goes past plain parts, and to the value of the next one. */
  #toNextPart(close: number): void {
    if (close === closeBrace) {
      this.#match(plainMembers);
      this.#key();
    } else this.#match(plainItems);
  }

  #key(): Span {
    if (this.next() !== quote) this.#fail();
    const from = this.#at;
    this.#string();
    const to = this.#at;
    if (this.next() !== colon) this.#fail();
    this.#at++;
    return { from, to };
  }

  #string(): void {
    this.#at++;
    for (;;) {
      this.#match(characters);
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) break;
      if (code !== backslash || !this.#match(escaped)) this.#fail();
    }
    this.#at++;
  }

  /** Goes past what the expression matches here. @returns whether that is anything */
  #match(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    if (!expression.test(this.#text)) return false;
    const isSomething = expression.lastIndex > this.#at;
    this.#at = expression.lastIndex;
    return isSomething;
  }

  /** What stands around the place may be a secret that has no business in a log. */
  #fail(): never {
    const isEnd = this.#at >= this.#text.length;
    throw new NotJson(isEnd ? "Unexpected end of JSON input" : `Unexpected token in JSON at position ${this.#at}`);
  }
}
