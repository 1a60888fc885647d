/**
 * Encodes JSON values of requests as text that a database casts, for types that all databases have. Strings are accepted
 * for every type and validated by the database; other values are validated here.
 */

import { encounteredJson } from "../../values/describe-json.ts";
import { EngineError } from "../../values/errors.ts";
import { decimalOf, integerOf, isJsonNumber, type JsonNumber, numberText } from "../../values/json-number.ts";
import type { Encode } from "../definitions/parameters.ts";

export const parseFailed = (path: string, message: string): EngineError =>
  new EngineError("parse-failed", path, message);

/** Truncates a text at U+0000, which not every text type of a database supports. */
export function truncateAtNul(text: string): string {
  const nul = text.indexOf("\u0000");
  return nul < 0 ? text : text.slice(0, nul);
}

/**
 * Returns an encoder that accepts only strings.
 * @param what name of the type, for the message
 */
export function encodeString(what?: string): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return truncateAtNul(value);
    throw parseFailed(
      path,
      what === undefined
        ? `parsing Text failed, expected String, but encountered ${encounteredJson(value)}`
        : `A string is expected for type: ${what}`,
    );
  };
}

/** Returns an encoder for integers of a range, or strings. */
export function encodeInteger(minimum: bigint, maximum: bigint): Encode {
  const [min, max] = [Number(minimum), Number(maximum)];
  return (value, path) => {
    // Avoids big integers for the common case, because lists can be long.
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return String(value);
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return truncateAtNul(value);
    if (!isJsonNumber(value)) {
      throw parseFailed(path, `parsing Integer failed, expected Number, but encountered ${encounteredJson(value)}`);
    }
    const whole = wholeNumber(value);
    if (whole === undefined || whole < minimum || whole > maximum) {
      throw parseFailed(
        path,
        `The value ${scientific(value)} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
      );
    }
    return whole.toString();
  };
}

/** Encodes numbers; a mantissa without a decimal point gets one, because its digits determine the rounding of a result. */
export const encodeNumber: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return truncateAtNul(value);
  if (isJsonNumber(value)) return numberText(value).replace(/^(-?\d+)(?=[eE])/, "$1.0");
  throw parseFailed(path, `parsing Number failed, expected Number, but encountered ${encounteredJson(value)}`);
};

export const encodeBoolean: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return truncateAtNul(value);
  throw parseFailed(path, `parsing Bool failed, expected Boolean, but encountered ${encounteredJson(value)}`);
};

function wholeNumber(value: number | JsonNumber): bigint | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return integerOf(value.text);
}

/** Maximum number of digits of a number in a message. */
const maxDigits = 40;

/** Formats a number other than zero for a message: `2147483648` as `2.147483648e9`. */
function scientific(value: number | JsonNumber): string {
  const { sign, magnitude, digits: all } = decimalOf(numberText(value));
  const digits = all.slice(0, maxDigits);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign < 0 ? "-" : ""}${digits.slice(0, 1)}${fraction}e${magnitude - 1}`;
}
