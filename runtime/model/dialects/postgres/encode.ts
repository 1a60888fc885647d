/** Encodes JSON values of requests as text that PostgreSQL casts, for its specific types. */

import { pathTo } from "../../../values/errors.ts";
import { isJsonNumber, JsonNumber, stringifyJson } from "../../../values/json-number.ts";
import { type Encode, encodeItem } from "../../definitions/parameters.ts";
import { encodeNumber, encodeString, parseFailed, truncateAtNul } from "../encode.ts";
import { checkGeometry } from "../geojson.ts";

export const encodeMoney: Encode = (value, path) => {
  if (typeof value === "number") return value.toFixed(2);
  if (value instanceof JsonNumber && /e/i.test(value.text)) return Number(value.text).toFixed(2);
  return encodeNumber(value, path);
};

/** Encodes any JSON value as JSON text. JSON null becomes NULL. */
export const encodeJson: Encode = (value) => {
  if (value === null || value === undefined) return null;
  return stringifyJson(value).replaceAll("\\u0000", "");
};

/** Encodes a GeoJSON object, or any text that PostGIS accepts. */
export const encodeGeometry: Encode = (value, path) => {
  if (typeof value === "string") return truncateAtNul(value);
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

/** Encodes an object of texts, which is the form of `hstore` in responses, or a text in the type's own format. */
export const encodeHstore: Encode = (value, path, literal) => {
  if (value === null || typeof value !== "object" || Array.isArray(value) || isJsonNumber(value)) {
    return encodeString("hstore")(value, path, literal);
  }
  const quoted = (text: string): string => `"${truncateAtNul(text).replace(/[\\"]/g, "\\$&")}"`;
  const pairs = Object.entries(value).map(([key, text]: readonly [string, unknown]) => {
    if (text === null || text === undefined) return `${quoted(key)}=>NULL`;
    if (typeof text !== "string") throw parseFailed(pathTo(path, key), "values of type hstore must be strings or null");
    return `${quoted(key)}=>${quoted(text)}`;
  });
  return pairs.join(",");
};

/** Returns an encoder for array literals. A string is an array literal; another single value is a list of one item. */
export function encodeArray(element: Encode, jsonElements: boolean): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return truncateAtNul(value);
    return arrayLiteral(Array.isArray(value) ? value : [value], element, jsonElements, path);
  };
}

/** Returns an encoder for operands of `_in` and similar operators; a single string is a list of one item. */
export function encodeList(element: Encode, jsonElements: boolean): Encode {
  return (value, path) => {
    if (value === null || value === undefined) return null;
    return arrayLiteral(Array.isArray(value) ? value : [value], element, jsonElements, path);
  };
}

/** Array elements that need no quotes. */
const plainElement = /^(?!null$)[\w.+-]+$/i;

function arrayElement(text: string): string {
  return plainElement.test(text) ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function arrayLiteral(items: readonly unknown[], element: Encode, jsonElements: boolean, path: string): string {
  const parts = items.map((item, i) => {
    if (Array.isArray(item) && !jsonElements) return arrayLiteral(item, element, jsonElements, pathTo(path, i));
    const text = encodeItem(element, item, () => pathTo(path, i));
    return text === null ? "NULL" : arrayElement(text);
  });
  return `{${parts.join(",")}}`;
}
