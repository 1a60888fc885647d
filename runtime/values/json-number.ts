/**
 * Numbers that a JavaScript number cannot represent exactly. JSON parsers return them if digits would be lost (`bigint`,
 * `numeric`), and in metadata also if the number would be printed differently (`1.10`, `1E5`, `-0`).
 */

export class JsonNumber {
  /** The number as written in the JSON text. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** Makes `JSON.stringify` write a string, which preserves the digits. `stringifyJson` writes a number instead. */
  toJSON(): string {
    return this.text;
  }
}

/** Parses a JSON number by its value: texts such as `1.0` and `1` result in the same number. */
export function numberByValue(text: string): number | JsonNumber {
  const value = Number(text);
  return isExactly(value, text) ? value : new JsonNumber(text);
}

/** Parses a JSON number so that `numberText` returns the original text. */
export function numberAsWritten(text: string): number | JsonNumber {
  const value = Number(text);
  return String(value) === text ? value : new JsonNumber(text);
}

/** Returns a number that generated code prints with all its digits. */
export const exactNumber = (text: string): JsonNumber => new JsonNumber(text);

export function isJsonNumber(value: unknown): value is number | JsonNumber {
  return typeof value === "number" || value instanceof JsonNumber;
}

/** Returns the text of a number; for a `JsonNumber`, its original text. */
export function numberText(value: number | JsonNumber): string {
  return typeof value === "number" ? String(value) : value.text;
}

/** Serialises a value like `JSON.stringify`, with `JsonNumber`s as numbers in their original text. */
export function stringifyJson(value: unknown): string {
  return holdsJsonNumber(value) ? stringifyMembers(value) : (JSON.stringify(value) ?? "null");
}

function holdsJsonNumber(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (value instanceof JsonNumber) return true;
  if (Array.isArray(value)) return value.some(holdsJsonNumber);
  for (const key in value) {
    if (holdsJsonNumber((value as Readonly<Record<string, unknown>>)[key])) return true;
  }
  return false;
}

function stringifyMembers(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringifyMembers).join(",")}]`;
  if (value === null || typeof value !== "object" || "toJSON" in value) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringifyMembers(member)}`).join(",")}}`;
}

// Decimal numbers, compared without rounding in time linear in their length.

interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** The power of ten of the first digit. */
  readonly magnitude: number;
  /** The significant digits: neither the first nor the last is 0. */
  readonly digits: string;
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const zero: Decimal = { sign: 0, magnitude: 0, digits: "" };

/** Parses the text of a JSON number. */
export function decimalOf(text: string): Decimal {
  const [, minus, whole = "", fraction = "", exponent = "0"] = parts.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let start = 0;
  while (isZero(digits, start)) start++;
  if (start === digits.length) return zero;
  let end = digits.length;
  // A regular expression such as /0+$/ tries every run of zeros, which takes quadratic time in the length of the
  // number.
  while (isZero(digits, end - 1)) end--;
  const magnitude = Number(exponent) + whole.length - start;
  return { sign: minus === "-" ? -1 : 1, magnitude, digits: digits.slice(start, end) };
}

/** Limit in digits. PostgreSQL's `bigint` has 19 digits, SQL Server's `decimal` has 38. */
const maxIntegerDigits = 40;

/**
 * Parses an integer, including forms such as `1E5` and `5.0`. Returns `undefined` for other numbers and for longer
 * integers.
 */
export function integerOf(text: string): bigint | undefined {
  const { sign, magnitude, digits } = decimalOf(text);
  if (sign === 0) return 0n;
  if (magnitude < digits.length || magnitude > maxIntegerDigits) return undefined;
  return BigInt(sign) * BigInt(digits.padEnd(magnitude, "0"));
}

const isZero = (digits: string, at: number): boolean => digits.charCodeAt(at) === 48;

/** Returns true if a JavaScript number has exactly the value of a JSON text. */
export function isExactly(value: number, text: string): boolean {
  if (!Number.isFinite(value)) return false;
  const a = decimalOf(String(value));
  const b = decimalOf(text);
  return a.sign === b.sign && a.magnitude === b.magnitude && a.digits === b.digits;
}
