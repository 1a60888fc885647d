/** JSON values of requests → text that SQL Server casts, for types that only it has (`graphql-api.md` 3.4). */

import { pathTo } from "../../../values/errors.ts";
import type { Encode } from "../../definitions/parameters.ts";
import { encodeBoolean, encodeNumber, encodeString, parseFailed, untilNul } from "../encode.ts";
import { checkGeometry } from "../geojson.ts";
import { wellKnownText } from "./well-known-text.ts";

/** `bit` takes 0 and 1 as well as the words, so that both spellings of a string work. So do numbers. */
export const encodeBit: Encode = (value, path) => {
  if (value === 0 || value === 1) return String(value);
  const text = encodeBoolean(value, path);
  return text === "true" ? "1" : text === "false" ? "0" : text;
};

/** Longer than any `decimal`: what an exponent would write out to is out of range in any case. */
const longestExponent = 400;

/** `decimal` does not read exponents: `1.5e3` is sent as `1500`. */
export const encodeDecimal: Encode = (value, path) => {
  const text = encodeNumber(value, path);
  if (text === null) return null;
  const match = /^(-?)(\d+)(?:\.(\d*))?[eE]([+-]?\d+)$/.exec(text.trim());
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > longestExponent) return text;
  const point = whole.length + shift;
  const digits = `${"0".repeat(Math.max(0, -point))}${whole}${fraction}${"0".repeat(Math.max(0, shift - fraction.length))}`;
  const at = Math.max(0, point);
  const decimals = digits.slice(at);
  return `${sign}${digits.slice(0, at) || "0"}${decimals === "" ? "" : `.${decimals}`}`;
};

const hexadecimal = /^0x(?:[0-9A-Fa-f]{2})*$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Base64, as answers have it, or `0x…`, as SQL writes it. Sent as the latter, which `convert` reads with style 1. */
export const encodeBinary: Encode = (value, path) => {
  const text = encodeString()(value, path);
  if (text === null || hexadecimal.test(text)) return text;
  if (base64.test(text)) return `0x${Buffer.from(text, "base64").toString("hex")}`;
  throw parseFailed(path, "a binary value is expected in base64, or hexadecimal as 0x…");
};

/** Well-known text, or a GeoJSON object, which is written as such. */
export const encodeSpatial: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return untilNul(value);
  checkGeometry(value, path);
  return wellKnownText(value, path);
};

/** The operand of `_in` and its like, as one JSON list of texts; a single value is a list of one. */
export function encodeList(element: Encode): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    const items = Array.isArray(value) ? value : [value];
    return JSON.stringify(items.map((item, i) => element(item, pathTo(path, i))));
  };
}
