/** Encodes JSON values of requests as text that SQL Server casts, for its specific types. */
import { pathTo } from "../../../values/errors.ts";
import { isJsonNumber, numberText } from "../../../values/json-number.ts";
import type { Encode } from "../../definitions/parameters.ts";
import { encodeBoolean, encodeNumber, encodeString, parseFailed, truncateAtNul } from "../encode.ts";
import { checkGeometry } from "../geojson.ts";

/** Encodes `bit`, which accepts 0 and 1, "true" and "false". */
export const encodeBit: Encode = (value, path) => {
  if (value === 0 || value === 1) return String(value);
  const text = encodeBoolean(value, path);
  return text === "true" ? "1" : text === "false" ? "0" : text;
};

/** Maximum exponent. Greater exponents exceed the range of `decimal`. */
const maxExponent = 400;

/** Encodes `decimal`, which does not accept exponents: `1.5e3` becomes `1500`. */
export const encodeDecimal: Encode = (value, path) => {
  const text = encodeNumber(value, path);
  if (text === null) return null;
  const match = /^(-?)(\d+)(?:\.(\d*))?[eE]([+-]?\d+)$/.exec(text.trim());
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > maxExponent) return text;
  const point = whole.length + shift;
  const digits = `${"0".repeat(Math.max(0, -point))}${whole}${fraction}${"0".repeat(Math.max(0, shift - fraction.length))}`;
  const at = Math.max(0, point);
  const decimals = digits.slice(at);
  return `${sign}${digits.slice(0, at) || "0"}${decimals === "" ? "" : `.${decimals}`}`;
};

const hexadecimal = /^0x(?:[0-9A-Fa-f]{2})*$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Encodes base64, the form of responses, or `0x…` as `0x…`, which `convert` parses with style 1. */
export const encodeBinary: Encode = (value, path) => {
  const text = encodeString()(value, path);
  if (text === null || hexadecimal.test(text)) return text;
  if (base64.test(text)) return `0x${Buffer.from(text, "base64").toString("hex")}`;
  throw parseFailed(path, "expected a binary value in base64, or in hexadecimal as 0x…");
};

/** Encodes well-known text, or a GeoJSON object as well-known text. */
export const encodeSpatial: Encode = (value, path) => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return truncateAtNul(value);
  checkGeometry(value, path);
  return wellKnownText(value, path);
};

/**
 * Returns an encoder for operands of `_in` and similar operators: a JSON list of texts; a single value is a list of one
 * item.
 */
export function encodeList(element: Encode): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    const items = Array.isArray(value) ? value : [value];
    return JSON.stringify(items.map((item, i) => element(item, pathTo(path, i))));
  };
}

// Converts GeoJSON geometries (RFC 7946) to well-known text (OGC 06-103r4, 7), which SQL Server parses.

/**
 * Converts a geometry to well-known text.
 * @param geometry validated by `checkGeometry`
 * @throws EngineError `parse-failed` at `path` for a coordinate that is not a number
 */
export function wellKnownText(geometry: unknown, path: string): string {
  const { type, ...members } = geometry as Readonly<Record<string, unknown>>;
  if (type === "GeometryCollection") {
    const parts = listOf(members.geometries).map((part) => wellKnownText(part, path));
    return `GEOMETRYCOLLECTION ${inList(parts)}`;
  }
  const write = writers.get(type);
  if (!write) throw parseFailed(path, `unexpected geometry type: ${String(type)}`);
  return `${String(type).toUpperCase()} ${write(members.coordinates, path)}`;
}

type Write = (coordinates: unknown, path: string) => string;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const inList = (parts: readonly string[]): string => (parts.length === 0 ? "EMPTY" : `(${parts.join(", ")})`);

const position: Write = (value, path) =>
  listOf(value)
    .map((coordinate) => {
      if (!isJsonNumber(coordinate)) throw parseFailed(path, "expected a number as coordinate");
      return numberText(coordinate);
    })
    .join(" ");

const each =
  (write: Write): Write =>
  (value, path) =>
    inList(listOf(value).map((item) => write(item, path)));

const point: Write = (value, path) => inList(listOf(value).length === 0 ? [] : [position(value, path)]);

const writers: ReadonlyMap<unknown, Write> = new Map([
  ["Point", point],
  ["MultiPoint", each(point)],
  ["LineString", each(position)],
  ["MultiLineString", each(each(position))],
  ["Polygon", each(each(position))],
  ["MultiPolygon", each(each(each(position)))],
]);
