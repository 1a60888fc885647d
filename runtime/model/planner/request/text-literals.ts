/**
 * Finds numbers and strings in the text of a request without parsing it, so that texts that differ only in literals can
 * share plans. The literals are exactly the tokens of the GraphQL grammar; in case of doubt, none are returned.
 */
import { JsonNumber } from "../../../values/json-number.ts";

/** A text with its literals extracted. */
export interface TextLiterals {
  /**
   * The text with each literal replaced by a mark for its kind. Texts with equal templates have equal tokens except for
   * the literals. No valid document equals a template, because marks are characters that GraphQL does not allow there.
   */
  readonly template: string;
  /** Values of the literals, in text order. */
  readonly values: readonly (string | number | JsonNumber)[];
}

/** Maximum length in characters. Longer texts are mostly inserts of many rows, which rarely recur in the same form. */
const maxTextLength = 16_384;
const maxLiterals = 256;

const marks = { int: "\u0001", float: "\u0002", string: "\u0003" } as const;

const [tab, newLine, carriageReturn, space, quote, hash, minus, backslash] = [9, 10, 13, 32, 34, 35, 45, 92];

/**
 * Extracts the literals of a text.
 * @returns `undefined` if there are no literals, or if the text must be parsed with its literals
 */
export function literalsOf(text: string): TextLiterals | undefined {
  if (text.length > maxTextLength) return undefined;
  const values: (string | number | JsonNumber)[] = [];
  let template = "";
  /** Start of the text that is not yet in the template. */
  let rest = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isInName(code) && !isDigit(code)) {
      at = endOfName(text, at);
    } else if (code === quote) {
      const end = endOfString(text, at + 1);
      const value = end === undefined ? undefined : stringValue(text.slice(at + 1, end));
      if (end === undefined || value === undefined) return undefined;
      values.push(value);
      template += text.slice(rest, at) + marks.string;
      rest = at = end + 1;
    } else if (isDigit(code) || code === minus) {
      const number = spanOfNumber(text, at);
      const value = number && numberValue(text.slice(at, number.end), number.kind);
      // -0 would be serialized as 0.
      if (number === undefined || value === undefined || Object.is(value, -0)) return undefined;
      values.push(value);
      template += text.slice(rest, at) + marks[number.kind];
      rest = at = number.end;
    } else if (code === hash) {
      at = endOfLine(text, at);
    } else if (code < space && code !== tab && code !== newLine && code !== carriageReturn) {
      return undefined;
    } else {
      at++;
    }
  }
  if (values.length === 0 || values.length > maxLiterals) return undefined;
  return { template: template + text.slice(rest), values };
}

/** Returns a number literal's value: a JavaScript number if that preserves its digits. */
export function numberValue(text: string, kind: "int" | "float"): number | JsonNumber {
  const number = Number(text);
  const exact = String(number) === text || (Number.isSafeInteger(number) && kind === "int");
  return exact ? number : new JsonNumber(text);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** An integer, or a number with a fraction or an exponent, that ends a token. */
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?![\w.])/y;

interface NumberSpan {
  readonly kind: "int" | "float";
  readonly end: number;
}

function spanOfNumber(text: string, start: number): NumberSpan | undefined {
  number.lastIndex = start;
  const found = number.exec(text);
  if (found === null) return undefined;
  const isInteger = found[1] === undefined && found[2] === undefined;
  return { kind: isInteger ? "int" : "float", end: start + found[0].length };
}

/** Returns true for letters, digits and `_`. */
function isInName(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || isDigit(code) || code === 95;
}

function endOfName(text: string, start: number): number {
  let at = start;
  while (isInName(text.charCodeAt(at))) at++;
  return at;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === newLine || code === carriageReturn) break;
  }
  return at;
}

/**
 * Finds the end of a string.
 * @returns the index of the closing quote; `undefined` for a block string or an unterminated string
 */
function endOfString(text: string, start: number): number | undefined {
  if (text.startsWith('""', start)) return undefined;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === newLine || code === carriageReturn) return undefined;
    if (code === backslash) at++;
  }
  return undefined;
}

const loneSurrogate = /\p{Surrogate}/u;

/** Decodes a string without `\u`: GraphQL extends JSON's escapes only there. */
function stringValue(raw: string): string | undefined {
  if (loneSurrogate.test(raw)) return undefined;
  if (!raw.includes("\\")) return raw;
  if (raw.includes("\\u")) return undefined;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}
