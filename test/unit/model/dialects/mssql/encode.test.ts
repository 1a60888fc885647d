import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typeOfText } from "../../../../../runtime/databases/sources/mssql/values.ts";
import {
  encodeBinary,
  encodeBit,
  encodeDecimal,
  encodeSpatial,
} from "../../../../../runtime/model/dialects/mssql/encode.ts";

const encode = (encoder: typeof encodeBit, value: unknown) => encoder(value, "$.x");

describe("values for SQL Server", () => {
  it("are 0 and 1 for booleans", () => {
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

  it("have no exponents in decimals, and the same value", () => {
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

  it("are binary from base64 and from hexadecimal", () => {
    expect(encode(encodeBinary, "AAHiQA==")).toBe("0x0001e240");
    expect(encode(encodeBinary, "0x0A")).toBe("0x0A");
    expect(() => encode(encodeBinary, "?")).toThrow("a binary value is expected in base64, or hexadecimal as 0x…");
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
  ])("are well-known text for %j", (value, text) => {
    expect(encode(encodeSpatial, value)).toBe(text);
  });

  it("refuse coordinates that are no numbers", () => {
    const value = { type: "Point", coordinates: ["1); drop table t; --", 2] };
    expect(() => encode(encodeSpatial, value)).toThrow("a coordinate is expected to be a number");
  });

  it("are declared varchar where they are plain ASCII, and max where they are long", () => {
    expect([null, "abc", "é", "a".repeat(8001), "é".repeat(4001)].map(typeOfText)).toEqual([
      { name: "varchar", length: 8000 },
      { name: "varchar", length: 8000 },
      { name: "nvarchar", length: 4000 },
      { name: "varchar", length: 0 },
      { name: "nvarchar", length: 0 },
    ]);
  });
});
