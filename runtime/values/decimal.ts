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

const isZero = (digits: string, at: number): boolean => digits.charCodeAt(at) === 48;

/** Whether a JavaScript number is exactly what a JSON text says. */
export function isExactly(value: number, text: string): boolean {
  if (!Number.isFinite(value)) return false;
  const a = decimalOf(String(value));
  const b = decimalOf(text);
  return a.sign === b.sign && a.magnitude === b.magnitude && a.digits === b.digits;
}
