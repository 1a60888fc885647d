/** GeoJSON geometries (RFC 7946) → well-known text (OGC 06-103r4, 7), which SQL Server reads. */

import { isJsonNumber, numberText } from "../../../values/json-number.ts";
import { parseFailed } from "../encode.ts";

/**
 * @param geometry passed the check of GeoJSON
 * @throws EngineError `parse-failed` at `path` for a coordinate that is no number
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
      if (!isJsonNumber(coordinate)) throw parseFailed(path, "a coordinate is expected to be a number");
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
