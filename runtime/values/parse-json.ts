/**
 * JSON text of a request, of an answer or of metadata → JSON value, without losing digits. Numbers that a JavaScript
 * number holds exactly are numbers, all others `JsonNumber`s (json-number.ts). `JSON.parse` does the work; numbers that
 * it would change are put into its result. Node 20 gives a reviver no access to the text of a number.
 */
import { EngineError, pathTo } from "./errors.ts";
import { inSlices } from "./interruptible.ts";
import { JsonNumber, numberAsWritten, numberByValue } from "./json-number.ts";
import {
  control,
  endOfDigits,
  escapeControls,
  isDigit,
  isLong,
  isNumberPart,
  longestNumber,
  longNumber,
  maximumDepth,
  readJson,
  tooLong,
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

/** What numbers keep: their value, or the text that they are written as, too. */
type Kept = "values" | "texts";

function parseKeeping(given: string, kept: Kept): unknown {
  const { value, text } = parseText(given);
  const exact = kept === "values" && isPlain(text) ? undefined : exactNumbers(text, kept, maximumDepth);
  // Any other spelling of the key has an escape that begins like this.
  if (text.includes("__proto__") || text.includes("\\u00")) refusePrototypeKeys(value, "$");
  return withExact(value, exact);
}

/**
 * JSON that a database built → JSON value, without losing digits; it may be what requests may not.
 * @throws EngineError for a number of more digits than there may be
 */
export function parseAnswer(text: string): unknown {
  return isPlain(text) ? JSON.parse(text) : parseStored(text, "values");
}

/**
 * JSON that a database keeps → JSON value, with numbers as they are written; it may be what requests may not.
 * @throws EngineError for a number of more digits than there may be
 */
export function parseStored(text: string, kept: Kept = "texts"): unknown {
  return withExact(JSON.parse(text), exactNumbers(text, kept, Number.POSITIVE_INFINITY));
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
const comma = 44;
const minus = 45;
const colon = 58;
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

/** Numbers of a value that `JSON.parse` changes, by where they are in it. */
type Exact = JsonNumber | ExactMembers;
type ExactMembers = Map<string | number, Exact>;

/**
 * Finds them in one pass over valid JSON, skipping strings.
 * @param levels how many may be open
 * @returns undefined where there are none
 * @throws EngineError `parse-failed`
 */
function exactNumbers(text: string, kept: Kept, levels: number): Exact | undefined {
  const open = new OpenContainers(text);
  let stringStart = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      stringStart = i;
      i = endOfString(text, i);
    } else if (code === colon) {
      open.key(stringStart);
    } else if (code === comma) {
      open.comma();
    } else if (code === openBrace || code === openBracket) {
      if (open.begin(code === openBracket) > levels) {
        throw new EngineError("parse-failed", "$", `the JSON body is nested deeper than ${maximumDepth} levels`);
      }
    } else if (code === closeBrace || code === closeBracket) {
      open.end();
    } else if (isDigit(code)) {
      let after = endOfDigits(text, i, text.length);
      if (kept === "texts" || isLong(text, i, after)) {
        while (isNumberPart(text.charCodeAt(after))) after++;
        const number = text.slice(text.charCodeAt(i - 1) === minus ? i - 1 : i, after);
        const exact = kept === "texts" ? numberAsWritten(number) : numberByValue(number);
        if (number.length > longestNumber) throw tooLong(open.path());
        if (typeof exact !== "number") open.put(exact);
      }
      i = after - 1;
    }
  }
  return open.found;
}

/** The arrays and objects around a place of a text. */
class OpenContainers {
  found: Exact | undefined;
  readonly #text: string;
  #depth = 0;
  /** By depth: the position of an item in its array; of a member, -1 minus where its key begins in the text. */
  readonly #places: number[] = [];
  /** By depth: what is found in the container; absent in most. */
  readonly #found: (ExactMembers | undefined)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** @returns how many are open now */
  begin(isArray: boolean): number {
    this.#places[this.#depth] = isArray ? 0 : -1;
    this.#found[this.#depth] = undefined;
    return ++this.#depth;
  }

  end(): void {
    this.#depth--;
  }

  comma(): void {
    const place = this.#places[this.#depth - 1] ?? 0;
    if (place >= 0) this.#places[this.#depth - 1] = place + 1;
  }

  key(start: number): void {
    this.#places[this.#depth - 1] = -1 - start;
    // Of members with the same name the last one counts.
    this.#found[this.#depth - 1]?.delete(this.#placeAt(this.#depth - 1));
  }

  put(number: JsonNumber): void {
    let found: Exact = number;
    for (let depth = this.#depth - 1; depth >= 0; depth--) {
      const others = this.#found[depth];
      const place = this.#placeAt(depth);
      if (others !== undefined) {
        others.set(place, found);
        return;
      }
      const own: ExactMembers = new Map([[place, found as Exact]]);
      this.#found[depth] = own;
      found = own;
    }
    this.found = found;
  }

  path(): string {
    let path = "$";
    for (let depth = 0; depth < this.#depth; depth++) path = pathTo(path, this.#placeAt(depth));
    return path;
  }

  #placeAt(depth: number): string | number {
    const place = this.#places[depth] ?? 0;
    if (place >= 0) return place;
    const start = -1 - place;
    const key = this.#text.slice(start + 1, endOfString(this.#text, start));
    return key.includes("\\") ? String(JSON.parse(`"${key}"`)) : key;
  }
}

/** Puts exact numbers in the places of those that `JSON.parse` changed. */
function withExact(value: unknown, exact: Exact | undefined): unknown {
  if (exact === undefined) return value;
  if (exact instanceof JsonNumber) return exact;
  const pending = [{ container: value as Record<string | number, unknown>, exact }];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    const { container, exact: members } = each;
    for (const [place, member] of members) {
      if (member instanceof JsonNumber) container[place] = member;
      else pending.push({ container: container[place] as typeof container, exact: member });
    }
  }
  return value;
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
