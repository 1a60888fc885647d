/**
 * Numbers and strings in the text of a request, found without parsing it, so that texts that differ in nothing else can
 * share plans. What is found are exactly the tokens of the GraphQL grammar; where that is in doubt, nothing is.
 */
import { JsonNumber } from "../../../values/json-number.ts";

/** A text with its literals taken out. */
export interface TextLiterals {
  /**
   * The text, with a mark for each literal that says which kind it is. Texts with the same template have the same tokens,
   * but for these. It is not a text that a client could send: marks are characters that no document may have there.
   */
  readonly template: string;
  /** As the planner takes them, in the order of the text. */
  readonly values: readonly (string | number | JsonNumber)[];
}

/** In characters. Longer texts are mostly inserts of many rows, which do not come again in the same form. */
const longestText = 16_384;
const mostLiterals = 256;

const marks = { int: "\u0001", float: "\u0002", string: "\u0003" } as const;

const [tab, newLine, carriageReturn, space, quote, hash, minus, backslash] = [9, 10, 13, 32, 34, 35, 45, 92];

/** @returns `undefined` where there are none, and where the text is better read as a whole */
export function literalsOf(text: string): TextLiterals | undefined {
  if (text.length > longestText) return undefined;
  const values: (string | number | JsonNumber)[] = [];
  let template = "";
  /** Where the part of the text begins that is not yet in the template. */
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
      // The text of -0 would be that of 0.
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
  if (values.length === 0 || values.length > mostLiterals) return undefined;
  return { template: template + text.slice(rest), values };
}

/** What an integer or a number with a fraction is to the planner: a JavaScript number where that keeps its digits. */
export function numberValue(text: string, kind: "int" | "float"): number | JsonNumber {
  const number = Number(text);
  const exact = String(number) === text || (Number.isSafeInteger(number) && kind === "int");
  return exact ? number : new JsonNumber(text);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** An integer, or a number with a fraction or an exponent; what follows it is a token of its own. */
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

/** Letters, digits and `_`. */
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

/** @returns where the closing quote stands; `undefined` for a block string, and for one that does not end */
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

/** GraphQL has the escapes of JSON and one more, in the same form as JSON's for code points. */
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
