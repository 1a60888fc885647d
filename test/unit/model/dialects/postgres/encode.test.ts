import { expect, it } from "vitest";
import { encodeGeometry, encodeHstore, encodeRaster } from "../../../../../runtime/model/dialects/postgres/encode.ts";
import { pg } from "../../../../../runtime/model/dialects/postgres/scalars.ts";
import { JsonNumber } from "../../../../../runtime/values/json-number.ts";

it.each([
  ["text", "POINT (1 2)", "POINT (1 2)"],
  ["text with a NUL character", "POINT\u0000(1 2)", "POINT"],
  ["a GeoJSON object", { type: "Point", coordinates: [1, 2] }, '{"type":"Point","coordinates":[1,2]}'],
  ["null", null, null],
])("A geometry is encoded as text that PostGIS reads: %s", (_, value, text) => {
  expect(encodeGeometry(value, "$")).toBe(text);
});

it("A geometry that is not GeoJSON is refused", () => {
  expect(() => encodeGeometry({ type: "Circle" }, "$")).toThrow("unexpected geometry type: Circle");
});

it("A member of an hstore that is neither a text nor null is refused with its path", () => {
  expect(encodeHstore({ a: "1", b: null }, "$", false)).toBe('"a"=>"1","b"=>NULL');
  expect(() => encodeHstore({ a: "1", b: 2 }, "$", false)).toThrow(
    expect.objectContaining({ path: "$.b", message: "values of type hstore must be strings or null" }),
  );
});

it("A raster is encoded as its hexadecimal digits, and other values are refused", () => {
  expect(["01aF", null, undefined].map((value) => encodeRaster(value, "$"))).toEqual(["01aF", null, null]);
  for (const value of ["01a", "0x01", "", 1]) {
    expect(() => encodeRaster(value, "$")).toThrow("invalid hexadecimal representation of raster well known binary");
  }
});

it.each([
  ["int4", 2_147_483_648, "2.147483648e9"],
  ["int4", -3_000_000_000, "-3e9"],
  ["int4", 1.5, "1.5e0"],
  ["int4", 0.02, "2e-2"],
  ["int2", 40_000, "4e4"],
  ["int8", new JsonNumber("9223372036854775808"), "9.223372036854775808e18"],
  ["int8", new JsonNumber("1e400"), "1e400"],
])("An integer outside %s is refused in scientific notation: %s", (type, value, text) => {
  expect(() => pg(type).encode(value, "$")).toThrow(
    `The value ${text} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
  );
});
