/** Decimal numbers as texts: compared without rounding, in time linear in their length. */

export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** The power of ten of the first digit. */
  readonly magnitude: number;
  /** Significant digits: neither the first nor the last is 0. */
  readonly digits: string;
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const zero: Decimal = { sign: 0, magnitude: 0, digits: "" };

/** The number that a JSON text stands for. */
export function decimalOf(text: string): Decimal {
  const [, minus, whole = "", fraction = "", exponent = "0"] = parts.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let start = 0;
  while (isZero(digits, start)) start++;
  if (start === digits.length) return zero;
  let end = digits.length;
  // A regular expression such as /0+$/ tries every run of zeros: quadratic in the length of the number.
  while (isZero(digits, end - 1)) end--;
  const magnitude = Number(exponent) + whole.length - start;
  return { sign: minus === "-" ? -1 : 1, magnitude, digits: digits.slice(start, end) };
}

/** In digits. PostgreSQL's `bigint` has 19, SQL Server's `decimal` 38. */
const longestInteger = 40;

/** Returns the integer that a JSON text stands for, `1E5` and `5.0` too; `undefined` where it is none, or a longer one. */
export function integerOf(text: string): bigint | undefined {
  const { sign, magnitude, digits } = decimalOf(text);
  if (sign === 0) return 0n;
  if (magnitude < digits.length || magnitude > longestInteger) return undefined;
  return BigInt(sign) * BigInt(digits.padEnd(magnitude, "0"));
}

const isZero = (digits: string, at: number): boolean => digits.charCodeAt(at) === 48;

/** Whether a JavaScript number is exactly what a JSON text says. */
export function isExactly(value: number, text: string): boolean {
  if (!Number.isFinite(value)) return false;
  const a = decimalOf(String(value));
  const b = decimalOf(text);
  return a.sign === b.sign && a.magnitude === b.magnitude && a.digits === b.digits;
}
