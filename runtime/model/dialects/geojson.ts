/** Validates GeoJSON objects of requests, so that errors have the path of the value. */
import { EngineError } from "../../values/errors.ts";

/**
 * Checks that a value is a GeoJSON geometry.
 * @throws EngineError `parse-failed` for an object that is not a GeoJSON geometry
 */
export function checkGeometry(value: unknown, path: string): void {
  const problem = geometryProblem(value);
  if (problem !== undefined) throw new EngineError("parse-failed", path, problem);
}

type Check = (coordinates: unknown) => string | undefined;

const listOf =
  (check: Check, atLeast = 0, tooShort = ""): Check =>
  (value) => {
    if (!Array.isArray(value)) return "coordinates are expected to be a list";
    if (value.length < atLeast) return tooShort;
    for (const item of value) {
      const problem = check(item);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

const position: Check = (value) =>
  Array.isArray(value) && value.length < 2 ? "A Position needs at least 2 elements" : undefined;

const lineString = listOf(position, 2, "A LineString needs at least 2 Positions");

const ringPositions = listOf(position, 4, "A LinearRing needs at least 4 Positions");

const linearRing: Check = (value) => {
  const problem = ringPositions(value);
  if (problem !== undefined || !Array.isArray(value)) return problem;
  const isClosed = JSON.stringify(value[0]) === JSON.stringify(value.at(-1));
  return isClosed ? undefined : "the first and last locations have to be equal for a LinearRing";
};

const coordinates: ReadonlyMap<unknown, Check> = new Map([
  ["Point", position],
  ["MultiPoint", listOf(position)],
  ["LineString", lineString],
  ["MultiLineString", listOf(lineString)],
  ["Polygon", listOf(linearRing)],
  ["MultiPolygon", listOf(listOf(linearRing))],
]);

function geometryProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "expected a geometry";
  const { type, ...members } = value as Readonly<Record<string, unknown>>;
  if (type === "GeometryCollection") return listOf(geometryProblem)(members.geometries);
  const check = coordinates.get(type);
  return check ? check(members.coordinates) : `unexpected geometry type: ${type}`;
}
