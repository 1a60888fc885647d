/**
 * JSON values of requests → text that a database casts, for the kinds of values that all databases have
 * (`graphql-api.md` 3.1). A string is accepted for every type and judged by the database; other kinds are checked here.
 */

import { decimalOf, integerOf } from "../../values/decimal.ts";
import { encounteredJson } from "../../values/describe-json.ts";
import { EngineError } from "../../values/errors.ts";
import { isJsonNumber, type JsonNumber, numberText } from "../../values/json-number.ts";
import type { Encode } from "../definitions/parameters.ts";

export const parseFailed = (path: string, message: string): EngineError =>
  new EngineError("parse-failed", path, message);

/** No database holds U+0000 in every text type: the text ends there (`sql-generation.md` 1.6). */
export function untilNul(text: string): string {
  const nul = text.indexOf("\u0000");
  return nul < 0 ? text : text.slice(0, nul);
}

/** Types whose values are strings only. `what` names the type in the message. */
export function encodeString(what?: string): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return untilNul(value);
    throw parseFailed(
      path,
      what === undefined
        ? `parsing Text failed, expected String, but encountered ${encounteredJson(value)}`
        : `A string is expected for type: ${what}`,
    );
  };
}

/** Whole numbers of a range, or strings. */
export function encodeInteger(minimum: bigint, maximum: bigint): Encode {
  const [least, most] = [Number(minimum), Number(maximum)];
  return (value, path) => {
    // The usual case, without big integers: lists can be long.
    if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return String(value);
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return untilNul(value);
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

/** A mantissa without a point gets one: the number of its digits is what a result is rounded to. */
export const encodeNumber: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return untilNul(value);
  if (isJsonNumber(value)) return numberText(value).replace(/^(-?\d+)(?=[eE])/, "$1.0");
  throw parseFailed(path, `parsing Number failed, expected Number, but encountered ${encounteredJson(value)}`);
};

export const encodeBoolean: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return untilNul(value);
  throw parseFailed(path, `parsing Bool failed, expected Boolean, but encountered ${encounteredJson(value)}`);
};

function wholeNumber(value: number | JsonNumber): bigint | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return integerOf(value.text);
}

/** `2147483648` → `2.147483648e9`, the form of the message. */
/** Digits of a number that a message repeats. */
const mostDigits = 40;

function scientific(value: number | JsonNumber): string {
  const { sign, magnitude, digits: all } = decimalOf(numberText(value));
  const digits = all.slice(0, mostDigits);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign < 0 ? "-" : ""}${digits.slice(0, 1) || "0"}${fraction}e${sign === 0 ? 0 : magnitude - 1}`;
}
