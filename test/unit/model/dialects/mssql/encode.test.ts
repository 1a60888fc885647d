import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typeOfText } from "../../../../../runtime/databases/sources/mssql/values.ts";
import { render, sql } from "../../../../../runtime/model/definitions/sql.ts";
import { sqlServer } from "../../../../../runtime/model/dialects/mssql/dialect.ts";
import {
  encodeBinary,
  encodeBit,
  encodeDecimal,
  encodeSpatial,
} from "../../../../../runtime/model/dialects/mssql/encode.ts";
import { mssql } from "../../../../../runtime/model/dialects/mssql/scalars.ts";

const encode = (encoder: typeof encodeBit, value: unknown) => encoder(value, "$.x");

describe("Values for SQL Server", () => {
  it("Booleans are encoded as 0 and 1", () => {
    expect([true, false, null, "true", 1, 0].map((value) => encode(encodeBit, value))).toEqual([
      "1",
      "0",
      null,
      "1",
      "1",
      "0",
    ]);
    expect(() => encode(encodeBit, 2)).toThrow("parsing Bool failed, expected Boolean, but encountered Number");
  });

  it("Decimals are encoded without exponents and with the same value", () => {
    expect([1.5e3, "1.25e-3", "-12e2", 7, "x"].map((value) => encode(encodeDecimal, value))).toEqual([
      "1500",
      "0.00125",
      "-1200",
      "7",
      "x",
    ]);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = encode(encodeDecimal, value.toExponential());
        expect(text).toMatch(/^-?\d+(?:\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it.each([
    ["decimal(8, 2)", "decimal(38, 12)"],
    ["numeric(30, 25)", "decimal(38, 33)"],
    ["decimal(38, 20)", "decimal(38, 20)"],
  ])("An operand of %s keeps all whole digits and up to ten more decimal places", (cast, operand) => {
    const type = mssql("decimal", { cast });
    expect(render(type.operand(sql`x`), sqlServer).text).toBe(`cast(x as ${operand})`);
  });

  it("Binary values are decoded from base64 and from hexadecimal", () => {
    expect(encode(encodeBinary, "AAHiQA==")).toBe("0x0001e240");
    expect(encode(encodeBinary, "0x0A")).toBe("0x0A");
    expect(() => encode(encodeBinary, "?")).toThrow("expected a binary value in base64, or in hexadecimal as 0x…");
  });

  it.each([
    [{ type: "Point", coordinates: [1, -2.5] }, "POINT (1 -2.5)"],
    [
      {
        type: "MultiPoint",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      "MULTIPOINT ((1 2), (3 4))",
    ],
    [
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      "LINESTRING (1 2, 3 4)",
    ],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      "POLYGON ((0 0, 1 0, 1 1, 0 0))",
    ],
    [{ type: "MultiPolygon", coordinates: [] }, "MULTIPOLYGON EMPTY"],
    [
      { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1, 2] }] },
      "GEOMETRYCOLLECTION (POINT (1 2))",
    ],
    ["POINT (1 2)", "POINT (1 2)"],
  ])("Spatial values are encoded as well-known text: %j", (value, text) => {
    expect(encode(encodeSpatial, value)).toBe(text);
  });

  it("Spatial values with coordinates that are not numbers are refused", () => {
    const value = { type: "Point", coordinates: ["1); drop table t; --", 2] };
    expect(() => encode(encodeSpatial, value)).toThrow("expected a number as coordinate");
  });

  it("Spatial values that are not GeoJSON are refused", () => {
    const message = "A Position needs at least 2 elements";
    expect(() => encode(encodeSpatial, { type: "Point", coordinates: [1] })).toThrow(message);
    expect(() => encode(encodeSpatial, { type: "MultiPoint", coordinates: [[1, 2], []] })).toThrow(message);
  });

  it("Strings are declared varchar if they are ASCII, and max if they are long", () => {
    expect([null, "abc", "é", "a".repeat(8001), "é".repeat(4001)].map(typeOfText)).toEqual([
      { name: "varchar", length: 8000 },
      { name: "varchar", length: 8000 },
      { name: "nvarchar", length: 4000 },
      { name: "varchar", length: 0 },
      { name: "nvarchar", length: 0 },
    ]);
  });
});
