/**
 * JSON text of a request, of an answer or of metadata → JSON value, without losing digits. Numbers that a JavaScript
 * number holds exactly are numbers, all others `JsonNumber`s (json-number.ts). `JSON.parse` does the work unless a number
 * is so long that it may not fit; Node 20 gives a reviver no access to the text of a number.
 */
import { EngineError, pathTo } from "./errors.ts";
import { atOnce, inSlices } from "./interruptible.ts";
import {
  control,
  endOfDigits,
  escapeControls,
  isDigit,
  isLostByParsing,
  isNumberPart,
  type Kept,
  longNumber,
  maximumDepth,
  readJson,
} from "./json-reader.ts";

/** In characters: `JSON.parse` and the scan of what it reads take a few milliseconds at most. */
const longText = 256 * 1024;

/**
 * @throws EngineError `invalid-json` when the text is not JSON; `parse-failed` when it is nested too deeply or has a
 * key `__proto__`, which would turn into a prototype in code that copies members one by one
 */
export function parseJson(text: string): unknown {
  return parseKeeping(text, "values");
}

/**
 * As `parseJson`, and every number is written back by `stringifyJson` as it stands in the text: for metadata.
 * @throws EngineError as `parseJson` does
 */
export function parseAsWritten(text: string): unknown {
  return parseKeeping(text, "texts");
}

function parseKeeping(given: string, kept: Kept): unknown {
  const { value, text } = parseText(given);
  const scan = kept === "values" && isPlain(text) ? "plain" : scanNumbersAndDepth(text, kept);
  if (scan === "too deep") {
    throw new EngineError("parse-failed", "$", `the JSON body is nested deeper than ${maximumDepth} levels`);
  }
  // Any other spelling of the key has an escape that begins like this.
  if (text.includes("__proto__") || text.includes("\\u00")) refusePrototypeKeys(value, "$");
  return scan === "lost numbers" ? atOnce(readJson(text, kept)) : value;
}

/**
 * JSON that a database built → JSON value, without losing digits; it may be what requests may not.
 * @throws EngineError as `readJson`, where it has long numbers
 */
export function parseAnswer(text: string): unknown {
  return isPlain(text) ? JSON.parse(text) : parseStored(text, "values");
}

/**
 * JSON that a database keeps → JSON value, with numbers as they are written; it may be what requests may not.
 * @throws EngineError as `readJson`, where `JSON.parse` would change a number
 */
export function parseStored(text: string, kept: Kept = "texts"): unknown {
  return scanNumbersAndDepth(text, kept) === "lost numbers" ? atOnce(readJson(text, kept)) : JSON.parse(text);
}

/** As `parseJson` for a body of any length: other requests have their turns while a long one is read. */
export function parseJsonBetweenOthers(text: string): unknown | Promise<unknown> {
  return text.length <= longText ? parseJson(text) : inSlices(readJson(text));
}

/** With the text that was parsed: clients send raw control characters in strings, which JSON wants escaped. */
function parseText(text: string): { readonly value: unknown; readonly text: string } {
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const escaped = escapeInStrings(text);
    if (escaped !== text) return parseText(escaped);
    // The parser quotes what stands around the place, which may be a secret that has no business in a log.
    const message = error.message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, "");
    throw new EngineError("invalid-json", "$", message);
  }
}

/** The text with escapes for the control characters in its strings; itself where there are none. */
function escapeInStrings(text: string): string {
  if (!control.test(text)) return text;
  let escaped = "";
  let copied = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', copied)) {
    const end = endOfString(text, start);
    if (end < 0) break;
    escaped += text.slice(copied, start) + escapeControls(text.slice(start, end + 1));
    copied = end + 1;
  }
  return escaped + text.slice(copied);
}

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** A digit with an exponent behind it. */
const exponent = /\d[eE]/;

/**
 * Whether a text surely has neither long numbers nor too many levels, in a third of the time that it takes to be sure of
 * the opposite: what stands in strings counts as well.
 */
function isPlain(text: string): boolean {
  return (
    !hasLongDigits(text) && !exponent.test(text) && occurrences(text, "{") + occurrences(text, "[") <= maximumDepth
  );
}

/** A long number stands on one of the places that are looked at. */
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

/** How often a character occurs, up to more than the levels that there may be. */
function occurrences(text: string, character: string): number {
  let count = 0;
  for (let i = text.indexOf(character); i >= 0 && count <= maximumDepth; i = text.indexOf(character, i + 1)) count++;
  return count;
}

/** One pass over valid JSON, skipping strings. */
function scanNumbersAndDepth(text: string, kept: Kept): "plain" | "lost numbers" | "too deep" {
  let depth = 0;
  let isLost = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      i = endOfString(text, i);
    } else if (code === openBrace || code === openBracket) {
      if (++depth > maximumDepth) return "too deep";
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
    } else if (isDigit(code)) {
      const after = endOfDigits(text, i, text.length);
      isLost ||= isLostByParsing(text, i, { after, kept });
      i = after - 1;
    }
  }
  return isLost ? "lost numbers" : "plain";
}

/** Index of the quote that ends the string beginning at `start`; -1: it has no end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    // An odd number of backslashes escapes the quote.
    if ((end - before) % 2 === 1) return end;
  }
}

/** @throws EngineError `parse-failed` where a value has a key `__proto__` */
export function refusePrototypeKeys(value: unknown, path: string): void {
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
