/**
 * JSON values of requests → text that PostgreSQL casts (`graphql-api.md` 3.1). A string is accepted for every type
 * and judged by the database; other kinds are checked here.
 */
import { encounteredJson } from "../describe-json.ts";
import { EngineError, pathTo } from "../errors.ts";
import { isJsonNumber, JsonNumber, numberText, stringifyJson } from "../json-number.ts";
import type { Encode } from "../parameters.ts";
import { checkGeometry } from "./geojson.ts";

const parseFailed = (path: string, message: string): EngineError => new EngineError("parse-failed", path, message);

/** PostgreSQL text cannot hold U+0000: the text ends there (`sql-generation.md` 1.6). */
function untilNul(text: string): string {
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
  return (value, path) => {
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

export const encodeMoney: Encode = (value, path) => {
  if (typeof value === "number") return value.toFixed(2);
  if (value instanceof JsonNumber && /e/i.test(value.text)) return Number(value.text).toFixed(2);
  return encodeNumber(value, path);
};

export const encodeBoolean: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return untilNul(value);
  throw parseFailed(path, `parsing Bool failed, expected Boolean, but encountered ${encounteredJson(value)}`);
};

/** Any JSON value, as JSON text. JSON null is SQL NULL: it cannot be written by a literal null. */
export const encodeJson: Encode = (value) => {
  if (value === null || value === undefined) return null;
  return stringifyJson(value).replaceAll("\\u0000", "");
};

/** GeoJSON object, or any text that PostGIS reads. */
export const encodeGeometry: Encode = (value, path) => {
  if (typeof value === "string") return untilNul(value);
  if (value !== null && value !== undefined) checkGeometry(value, path);
  return encodeJson(value, path);
};

const hexadecimal = /^(?:[0-9A-Fa-f]{2})+$/;

export const encodeRaster: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" && hexadecimal.test(value)) return value;
  throw parseFailed(path, "invalid hexadecimal representation of raster well known binary format");
};

const ltreePath = /^(?:[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*)?$/u;

export const encodeLtree: Encode = (value, path) => {
  const text = encodeString()(value, path);
  if (text === null || ltreePath.test(text)) return text;
  throw parseFailed(
    path,
    "Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3",
  );
};

/** A list as a PostgreSQL array literal; a string is taken as such a literal, a single value as a list of one. */
export function encodeArray(element: Encode, jsonElements: boolean): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return untilNul(value);
    return arrayLiteral(Array.isArray(value) ? value : [value], element, jsonElements, path);
  };
}

/** The operand of `_in` and its like: never a literal, so that a single string is a list of one. */
export function encodeList(element: Encode, jsonElements: boolean): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    return arrayLiteral(Array.isArray(value) ? value : [value], element, jsonElements, path);
  };
}

function arrayLiteral(items: readonly unknown[], element: Encode, jsonElements: boolean, path: string): string {
  const parts = items.map((item, i) => {
    if (Array.isArray(item) && !jsonElements) return arrayLiteral(item, element, jsonElements, pathTo(path, i));
    const text = element(item, pathTo(path, i));
    return text === null ? "NULL" : `"${text.replace(/[\\"]/g, "\\$&")}"`;
  });
  return `{${parts.join(",")}}`;
}

function wholeNumber(value: number | JsonNumber): bigint | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return /^-?\d+$/.test(value.text) && value.text.length <= 40 ? BigInt(value.text) : undefined;
}

/** `2147483648` → `2.147483648e9`, the form of the message. */
function scientific(value: number | JsonNumber): string {
  return Number(numberText(value)).toExponential().replace("e+", "e");
}
