/**
 * Looks through JSON text without making values of it: tells where they stand, and that they are well-formed. For texts
 * that are passed on as they are, whatever their length.
 */
import type { Interruptible } from "../../values/interruptible.ts";
import { codeAt, endOfFlat, endOfShallow, endOfString, failAt, NotJson, pastBlanks } from "./json-tokens.ts";

/** From its first character to behind its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Deeper values would exhaust the stack of whoever reads the answer. */
const maximumDepth = 1000;
/** In characters, from one interruption to the next: about a millisecond. */
const turn = 262_144;

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const openBrace = 123;
const closeBrace = 125;

export class JsonScanner {
  readonly #text: string;
  #at = 0;
  /** Of the value that is being passed, what is open: the characters that close it. */
  readonly #open: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The code of the character that the next value begins with; -1 at the end. */
  next(): number {
    this.#at = pastBlanks(this.#text, this.#at);
    return codeAt(this.#text, this.#at);
  }

  /** @throws NotJson where something follows */
  end(): void {
    if (this.next() !== -1) failAt(this.#text, this.#at);
  }

  /**
   * Goes into the object that stands here, to the value of its first member.
   * @returns the key; `undefined`: the object is empty, and passed
   * @throws NotJson
   */
  firstKey(): string | undefined {
    if (this.next() !== openBrace) failAt(this.#text, this.#at);
    this.#at++;
    if (this.next() !== closeBrace) return this.#key();
    this.#at++;
    return undefined;
  }

  /**
   * Behind the value of a member: goes to that of the next one.
   * @returns the key; `undefined`: there is no other, and the object is passed
   * @throws NotJson
   */
  nextKey(): string | undefined {
    const code = this.next();
    if (code !== comma && code !== closeBrace) failAt(this.#text, this.#at);
    this.#at++;
    return code === comma ? this.#key() : undefined;
  }

  /** Goes past the value that stands here. @throws NotJson */
  *value(): Interruptible<Span> {
    this.next();
    const from = this.#at;
    while (!this.#pass()) yield;
    return { from, to: this.#at };
  }

  #key(): string {
    const from = pastBlanks(this.#text, this.#at);
    this.#at = pastKey(this.#text, from);
    const end = this.#text.lastIndexOf('"', this.#at - 1);
    const key = this.#text.slice(from + 1, end);
    return key.includes("\\") ? String(JSON.parse(`"${key}"`)) : key;
  }

  /**
   * Goes on with a value, for one turn. What is neither long nor deep is passed at once, all else part by part.
   * @returns whether it is passed
   */
  #pass(): boolean {
    const text = this.#text;
    const pause = this.#at + turn;
    for (;;) {
      const code = this.next();
      if (code === openBrace || code === openBracket) {
        const end = endOfShallow(text, this.#at);
        if (end !== -1) this.#at = end;
        else if (this.#enter(code + 2)) continue;
      } else this.#at = endOfFlat(text, this.#at);
      if (this.#leave()) return true;
      if (this.#at > pause) return false;
    }
  }

  /** Goes into the object or list that stands here, to its first value. @returns whether there is one; else it is passed */
  #enter(close: number): boolean {
    this.#at++;
    if (this.next() === close) {
      this.#at++;
      return false;
    }
    if (this.#open.push(close) > maximumDepth) throw new NotJson(`nested deeper than ${maximumDepth} levels`);
    if (close === closeBrace) this.#at = pastKey(this.#text, this.#at);
    return true;
  }

  /** Behind a value: leaves what it is the last part of, or goes to the next one. @returns whether nothing is open */
  #leave(): boolean {
    const open = this.#open;
    while (open.length > 0) {
      const close = open[open.length - 1];
      const code = this.next();
      if (code !== comma && code !== close) failAt(this.#text, this.#at);
      this.#at++;
      if (code === comma) {
        if (close === closeBrace) this.#at = pastKey(this.#text, this.#at);
        return false;
      }
      open.pop();
    }
    return true;
  }
}

/** Goes past the key of a member and the colon behind it. */
function pastKey(text: string, from: number): number {
  const begin = pastBlanks(text, from);
  if (codeAt(text, begin) !== quote) failAt(text, begin);
  const end = pastBlanks(text, endOfString(text, begin));
  if (codeAt(text, end) !== colon) failAt(text, end);
  return end + 1;
}
