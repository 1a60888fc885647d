/**
 * Parses JSON without losing digits: numbers that a JavaScript number represents exactly become numbers, and all others
 * become `JsonNumber`s. `JSON.parse` handles the parts in which it loses nothing; a reader in this module handles all
 * others, because in Node 20 a reviver has no access to the text of a number. `parseJsonInSlices` reads texts longer
 * than `longText`, such as the body of a GraphQL request, in pieces, so that other work runs in between.
 */
import { EngineError, pathTo } from "../errors.ts";
import { type Interruptible, runInSlices, runToCompletion } from "../interruptible.ts";
import { type JsonNumber, numberAsWritten, numberByValue } from "../json-number.ts";
import { closeBrace, closeBracket, endOfString, minus, openBrace, openBracket, quote } from "./positions.ts";
import {
  badString,
  charactersPerTurn,
  endOfNumber,
  isDigit,
  isNumber,
  isNumberPart,
  JsonPass,
  maxNumberLength,
  NotJson,
} from "./scanner.ts";

/** Length in characters. Shorter texts are parsed in a few milliseconds at most. */
const longText = 256 * 1024;

/** Limit in levels of lists and objects. Deeper values would exhaust the stack of recursive code. */
const maxDepth = 500;

/** `values` preserves the values of numbers; `texts` also preserves their texts. */
type Preserved = "values" | "texts";

/** The rules for parsing a text. */
interface Rules {
  readonly numbers: Preserved;
  readonly levels: number;
  /** If true, refuses the key `__proto__`, which would set the prototype in code that copies members one by one. */
  readonly refusesPrototypeKeys: boolean;
}

const request: Rules = { numbers: "values", levels: maxDepth, refusesPrototypeKeys: true };
const metadata: Rules = { ...request, numbers: "texts" };
const databaseResult: Rules = { numbers: "values", levels: Number.POSITIVE_INFINITY, refusesPrototypeKeys: false };
const stored: Rules = { ...databaseResult, numbers: "texts" };

/**
 * Parses the body of a request. Accepts raw control characters in strings, because some clients send them.
 * @throws EngineError `invalid-json` if the text is not JSON; `parse-failed` if it is nested too deeply or contains a key
 * `__proto__` or a number with too many digits
 */
export function parseJson(text: string): unknown {
  return parse(text, request);
}

/**
 * Parses metadata, so that `stringifyJson` writes every number in its original text.
 * @throws EngineError as `parseJson` does
 */
export function parseWithNumberTexts(text: string): unknown {
  return parse(text, metadata);
}

/**
 * Parses JSON built by a database, without limits on depth and keys.
 * @throws EngineError for a number with too many digits
 */
export function parseDatabaseJson(text: string): unknown {
  return parse(text, databaseResult);
}

/**
 * Parses JSON stored in a database, with the original text of numbers, without limits on depth and keys.
 * @throws EngineError for a number with too many digits
 */
export function parseStored(text: string): unknown {
  return parse(text, stored);
}

/** Parses like `parseJson`; long texts are parsed in slices between other work. */
export function parseJsonInSlices(text: string): unknown | Promise<unknown> {
  return text.length <= longText ? parseJson(text) : runInSlices(readJson(text));
}

function parse(text: string, rules: Rules): unknown {
  if (isPlain(text, rules)) {
    try {
      return JSON.parse(text);
    } catch {
      // The reader accepts control characters, and its messages contain no part of the text.
    }
  }
  return runToCompletion(read(text, rules, text.length));
}

/** Parses like `parseJson`, interruptibly. @throws EngineError as `parseJson` */
export const readJson = (text: string): Interruptible<unknown> => read(text, request, charactersPerTurn);

function* read(text: string, rules: Rules, wholeLength: number): Interruptible<unknown> {
  const reader = new JsonReader(text, rules, wholeLength);
  try {
    return yield* reader.read();
  } catch (error) {
    throw error instanceof NotJson ? new EngineError("invalid-json", "$", error.message) : error;
  }
}

const exponent = /\d[eE]/;

function hasExponent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) | 32) === 101) return true;
  return false;
}

/** Length in characters. Shorter numbers have at most 15 digits, which a double represents exactly. */
const longNumber = 16;

/**
 * Returns true if `JSON.parse` certainly parses the text according to the rules. Does not distinguish digits in strings
 * from numbers, which would take three times as long.
 */
function isPlain(text: string, { numbers, levels, refusesPrototypeKeys }: Rules): boolean {
  if (numbers === "texts" || hasLongDigits(text) || exponent.test(text)) return false;
  if (refusesPrototypeKeys && mayHavePrototypeKey(text)) return false;
  return levels === Number.POSITIVE_INFINITY || occurrences(text, "{") + occurrences(text, "[") <= levels;
}

/** Returns true if the text contains a long run of number characters. Checks only every 16th character. */
function hasLongDigits(text: string): boolean {
  for (let i = longNumber - 1; i < text.length; i += longNumber) {
    if (!isNumberPart(text.charCodeAt(i))) continue;
    let start = i;
    let end = i + 1;
    while (isNumberPart(text.charCodeAt(start - 1))) start--;
    while (isNumberPart(text.charCodeAt(end))) end++;
    if (end - start >= longNumber) return true;
  }
  return false;
}

/** Matches escapes that a spelling of `__proto__` could contain. */
const prototypeEscape = /\\u00[567]/;

const mayHavePrototypeKey = (text: string): boolean =>
  text.includes("__proto__") || (text.includes("\\u00") && prototypeEscape.test(text));

/** Counts the occurrences of a character. Stops counting above the maximum depth. */
function occurrences(text: string, character: string): number {
  let count = 0;
  for (let i = text.indexOf(character); i >= 0 && count <= maxDepth; i = text.indexOf(character, i + 1)) count++;
  return count;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON refuses these
const control = /[\u0000-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON refuses these
const escapeOrControl = /\\[\s\S]|[\u0000-\u001f]/g;

/**
 * Escapes the control characters in a string. A control character after a backslash stays unescaped, so that parsing
 * refuses it.
 */
function escapeControls(text: string): string {
  if (!control.test(text)) return text;
  return text.replace(escapeOrControl, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function readNumber(text: string, preserved: Preserved): number | JsonNumber {
  if (preserved === "texts") return numberAsWritten(text);
  return text.length < longNumber && !exponent.test(text) ? Number(text) : numberByValue(text);
}

/**
 * Returns the end position of a list or an object, assuming that it is JSON; -1 if it has too many levels, ends after
 * the limit, or contains a number with too many digits.
 * @param exact receives the numbers of the list or object
 */
function endOfWhole(text: string, from: number, limit: number, levels: number, exact: ExactNumbers): number {
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === openBrace || code === openBracket) {
      if (++depth > levels) return -1;
    } else if (code === closeBrace || code === closeBracket) {
      if (--depth === 0) return at + 1;
    } else if (code === minus || isDigit(code)) {
      const end = endOfNumber(text, at);
      if (end - at > maxNumberLength) return -1;
      exact.add(text, at, end);
      at = end - 1;
    }
  }
  return -1;
}

/** The prefix of strings that replace numbers for `JSON.parse`. No other string has it. */
const mark = "\u0000";

/** The numbers of a list or an object that `JSON.parse` would change. */
class ExactNumbers {
  readonly #preserved: Preserved;
  readonly #found: { readonly from: number; readonly number: JsonNumber }[] = [];

  constructor(preserved: Preserved) {
    this.#preserved = preserved;
  }

  add(text: string, from: number, to: number): void {
    if (this.#preserved === "values" && to - from < longNumber && !hasExponent(text, from, to)) return;
    const written = text.slice(from, to);
    const number = readNumber(written, this.#preserved);
    if (typeof number === "object" && isNumber(written)) this.#found.push({ from, number });
  }

  /**
   * Parses the text of the list or object.
   * @param start the position of the list or object in the whole text
   * @throws Error if it is not JSON, or contains a string that could be confused with a replaced number
   */
  parse(text: string, start: number): unknown {
    if (this.#found.length === 0) return JSON.parse(text);
    if (text.includes("\\u0000")) throw new Error("ambiguous");
    let marked = "";
    let copied = 0;
    this.#found.forEach(({ from, number }, i) => {
      marked += `${text.slice(copied, from - start)}"\\u0000${i}"`;
      copied = from - start + number.text.length;
    });
    return this.#restored(JSON.parse(marked + text.slice(copied)));
  }

  /** Replaces the marked strings by their numbers. */
  #restored(value: object): object {
    const pending = [value as Record<string, unknown>];
    for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
      for (const key in container) {
        const member = container[key];
        if (typeof member === "string") {
          if (member.startsWith(mark)) container[key] = this.#found[Number(member.slice(1))]?.number;
        } else if (typeof member === "object" && member !== null) pending.push(member as Record<string, unknown>);
      }
    }
    return value;
  }
}

/** An open list or object, with the key of the object's next value. */
type Open = { readonly list: unknown[] } | { readonly object: Record<string, unknown>; key: string };

class JsonReader extends JsonPass {
  #value: unknown;
  readonly #rules: Rules;
  /** Limit in characters. Longer lists and objects are parsed part by part. */
  readonly #wholeLength: number;
  /** Lists and objects that begin before this position are parsed part by part. */
  #partsUntil = 0;
  readonly #containers: Open[] = [];

  constructor(text: string, rules: Rules, wholeLength: number) {
    super(text, rules.levels);
    this.#rules = rules;
    this.#wholeLength = wholeLength;
  }

  *read(): Interruptible<unknown> {
    while (!this.turn()) yield;
    this.end();
    return this.#value;
  }

  protected override whole(from: number): number {
    if (from < this.#partsUntil) return -1;
    const limit = Math.min(from + this.#wholeLength, this.text.length);
    const exact = new ExactNumbers(this.#rules.numbers);
    const end = endOfWhole(this.text, from, limit, this.levels - this.open.length, exact);
    this.#partsUntil = end === -1 ? limit : end;
    if (end === -1) return -1;
    const text = this.text.slice(from, end);
    if (this.#rules.refusesPrototypeKeys && mayHavePrototypeKey(text)) return -1;
    try {
      this.#put(exact.parse(text, from));
      return end;
    } catch {
      // Parsing the list or object part by part either succeeds or finds the position of the error.
      return -1;
    }
  }

  protected override opened(isList: boolean): void {
    this.#containers.push(isList ? { list: [] } : { object: {}, key: "" });
  }

  protected override closed(): void {
    const open = this.#containers.pop();
    if (open) this.#put("list" in open ? open.list : open.object);
  }

  protected override key(from: number, to: number): void {
    const open = this.#containers.at(-1);
    if (open === undefined || "list" in open) return;
    const key = this.#string(from, to);
    if (key === "__proto__" && this.#rules.refusesPrototypeKeys) refusePrototypeKey(this.#path(-1));
    open.key = key;
  }

  protected override scalar(from: number, to: number): void {
    this.#put(this.text.charCodeAt(from) === quote ? this.#string(from, to) : this.#flat(this.text.slice(from, to)));
  }

  #flat(text: string): unknown {
    return words.has(text) ? words.get(text) : readNumber(text, this.#rules.numbers);
  }

  #string(from: number, to: number): string {
    const inner = this.text.slice(from + 1, to - 1);
    if (!inner.includes("\\")) return inner;
    try {
      return String(JSON.parse(`"${escapeControls(inner)}"`));
    } catch {
      throw badString(from);
    }
  }

  #put(value: unknown): void {
    const open = this.#containers.at(-1);
    if (open === undefined) this.#value = value;
    else if ("list" in open) open.list.push(value);
    else if (open.key !== "__proto__") open.object[open.key] = value;
    else Object.defineProperty(open.object, open.key, { value, configurable: true, enumerable: true, writable: true });
  }

  /**
   * Returns the JSONPath of the current value.
   * @param end the number of lists and objects on the path; -1 for all but the innermost
   */
  #path(end?: number): string {
    const step = (open: Open) => ("list" in open ? open.list.length : open.key);
    return this.#containers.slice(0, end).reduce((path, open) => pathTo(path, step(open)), "$");
  }

  protected override tooDeep(): Error {
    return new EngineError("parse-failed", "$", `the JSON body is nested deeper than ${maxDepth} levels`);
  }

  protected override tooLong(): Error {
    return new EngineError("parse-failed", this.#path(), `a number is longer than ${maxNumberLength} characters`);
  }
}

function refusePrototypeKey(path: string): never {
  throw new EngineError("parse-failed", path, 'the key "__proto__" is not allowed');
}

/** @throws EngineError `parse-failed` if a value contains a key `__proto__` */
export function refusePrototypeKeys(value: unknown, path: string): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      refusePrototypeKeys(item, pathTo(path, i));
    });
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === "__proto__") refusePrototypeKey(path);
    refusePrototypeKeys(member, pathTo(path, key));
  }
}
