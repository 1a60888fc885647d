/**
 * JSON text of a request → JSON value, without losing digits. Numbers that a JavaScript number holds exactly are
 * numbers, all others `JsonNumber`s (json-number.ts). `JSON.parse` does the work unless a number is so
 * long that it may not fit; Node 20 gives a reviver no access to the text of a number.
 */
import { isExactly } from "./decimal.ts";
import { EngineError, pathTo } from "./errors.ts";
import { JsonNumber } from "./json-number.ts";

/** Deeper values would exhaust the stack of whoever walks them. */
const maximumDepth = 500;

/**
 * @throws EngineError `invalid-json` when the text is not JSON; `parse-failed` when it is nested too deeply or has a
 * key `__proto__`, which would turn into a prototype in code that copies members one by one
 */
export function parseJson(text: string): unknown {
  const value = parseText(text);
  const scan = scanNumbersAndDepth(text);
  if (scan === "too deep") {
    throw new EngineError("parse-failed", "$", `the JSON body is nested deeper than ${maximumDepth} levels`);
  }
  // Any other spelling of the key has an escape that begins like this.
  if (text.includes("__proto__") || text.includes("\\u00")) refusePrototypeKeys(value, "$");
  return scan === "long numbers" ? new LosslessReader(text).read() : value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser quotes what stands around the place, which may be a secret that has no business in a log.
    const message = error.message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, "");
    throw new EngineError("invalid-json", "$", message);
  }
}

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Numbers shorter than this have at most 15 digits, which a double always holds. */
const longNumber = 16;

/** One pass over valid JSON, skipping strings. */
function scanNumbersAndDepth(text: string): "plain" | "long numbers" | "too deep" {
  let depth = 0;
  let long = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      i = endOfString(text, i);
    } else if (code === openBrace || code === openBracket) {
      if (++depth > maximumDepth) return "too deep";
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
    } else if (isDigit(code)) {
      const start = i;
      let exponent = false;
      for (let next = text.charCodeAt(i + 1); isNumberPart(next); next = text.charCodeAt(++i + 1)) {
        exponent ||= next === 69 || next === 101;
      }
      long ||= exponent || i + 1 - start >= longNumber;
    }
  }
  return long ? "long numbers" : "plain";
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 46 || code === 69 || code === 101 || code === 43 || code === 45;
}

/** Index of the quote that ends the string beginning at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    // An odd number of backslashes escapes the quote.
    if ((end - before) % 2 === 1) return end;
  }
}

function refusePrototypeKeys(value: unknown, path: string): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      refusePrototypeKeys(item, pathTo(path, i));
    });
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === "__proto__") throw new EngineError("parse-failed", path, 'the key "__proto__" is not allowed');
    refusePrototypeKeys(member, pathTo(path, key));
  }
}

/** Reads what `JSON.parse` has already accepted, so that nothing needs to be checked again. */
class LosslessReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    switch (this.#peek()) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string();
      case "t":
        this.#at += 4;
        return true;
      case "f":
        this.#at += 5;
        return false;
      case "n":
        this.#at += 4;
        return null;
      default:
        return this.#number();
    }
  }

  /** The next character that is not blank. */
  #peek(): string | undefined {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#text[this.#at];
  }

  #object(): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    do {
      this.#at++;
      if (this.#peek() !== '"') continue;
      const key = this.#string();
      this.#peek();
      this.#at++;
      result[key] = this.read();
    } while (this.#peek() !== "}");
    this.#at++;
    return result;
  }

  #array(): unknown[] {
    const result: unknown[] = [];
    do {
      this.#at++;
      if (this.#peek() !== "]") result.push(this.read());
    } while (this.#peek() !== "]");
    this.#at++;
    return result;
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start);
    this.#at = end + 1;
    const inner = this.#text.slice(start + 1, end);
    return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner;
  }

  #number(): number | JsonNumber {
    const start = this.#at;
    while (isNumberPart(this.#text.charCodeAt(this.#at))) this.#at++;
    const text = this.#text.slice(start, this.#at);
    const value = Number(text);
    return isExactly(value, text) ? value : new JsonNumber(text);
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}
