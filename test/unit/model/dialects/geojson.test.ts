import { expect, it } from "vitest";
import { checkGeometry } from "../../../../runtime/model/dialects/geojson.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const ring = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 0],
];
const open = ring.with(3, [1, 0]);

it.each([
  { type: "Point", coordinates: [1, 2] },
  { type: "MultiPoint", coordinates: [] },
  { type: "MultiPoint", coordinates: [[1, 2]] },
  { type: "LineString", coordinates: ring.slice(0, 2) },
  { type: "MultiLineString", coordinates: [ring] },
  { type: "Polygon", coordinates: [ring, ring] },
  { type: "MultiPolygon", coordinates: [[ring], [ring]] },
  { type: "GeometryCollection", geometries: [{ type: "Polygon", coordinates: [ring] }] },
])("A geometry is accepted: %j", (geometry) => {
  expect(() => checkGeometry(geometry, "$")).not.toThrow();
});

const few = "A Position needs at least 2 elements";
const notClosed = "the first and last locations have to be equal for a LinearRing";

it.each([
  [1, "expected a geometry"],
  [null, "expected a geometry"],
  [{ type: "Circle" }, "unexpected geometry type: Circle"],
  [{ type: "Point", coordinates: [1] }, few],
  [{ type: "MultiPoint", coordinates: 1 }, "coordinates are expected to be a list"],
  [{ type: "MultiPoint", coordinates: [[1, 2], [1]] }, few],
  [{ type: "LineString", coordinates: [[1, 2]] }, "A LineString needs at least 2 Positions"],
  [{ type: "MultiLineString", coordinates: [ring, [[1, 2], [1]]] }, few],
  [{ type: "Polygon", coordinates: [ring.slice(1)] }, "A LinearRing needs at least 4 Positions"],
  [{ type: "Polygon", coordinates: [ring, open] }, notClosed],
  [{ type: "MultiPolygon", coordinates: [[ring], [open]] }, notClosed],
  [{ type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1] }] }, few],
])("A geometry is refused at its place in the request: %j", (geometry, message) => {
  expect(() => checkGeometry(geometry, "$.variables.at")).toThrow(
    new EngineError("parse-failed", "$.variables.at", message),
  );
});
