import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scalarNames, typeNamed } from "../../../compiler/dialects/postgres/introspect.ts";
import { scalarCall, scalarOf } from "../../../compiler/dialects/postgres/types.ts";
import { emptyShape, type Shape, type TypeRef } from "../../../compiler/shape/shape.ts";
import { columns } from "../analyze/sample.ts";

const mood: TypeRef = { schema: "shop", name: "mood", sql: "shop.mood", category: "enum" };
const row: TypeRef = { schema: "public", name: "t", sql: "public.t", category: "composite" };

const database: Shape = {
  ...emptyShape("postgres"),
  tables: [
    {
      schema: "public",
      name: "t",
      id: 1,
      kind: "table",
      comment: null,
      columns: columns({ id: "int4", feeling: { type: mood } }),
      primaryKey: null,
      uniqueKeys: [],
      foreignKeys: [],
      insertable: true,
      updatable: true,
      deletable: true,
    },
  ],
  functions: [
    {
      schema: "public",
      name: "f",
      id: 2,
      comment: null,
      volatility: "stable",
      strict: false,
      variadic: false,
      returnsSet: true,
      returns: row,
      returnsTable: { schema: "public", name: "t" },
      arguments: [
        {
          name: "word",
          type: { schema: "public", name: "citext", sql: "public.citext", category: "base" },
          hasDefault: false,
          table: null,
        },
      ],
    },
  ],
};

describe("Types by name", () => {
  it.each([
    ["integer", "int4", "integer"],
    ["int", "int4", "integer"],
    ["INT4", "int4", "integer"],
    ["timestamp with time zone", "timestamptz", "timestamp with time zone"],
    ["varchar", "varchar", "character varying"],
    ["decimal", "numeric", "numeric"],
    [" text ", "text", "text"],
  ])("typeNamed recognises %j as SQL does", (name, catalogue, sql) => {
    expect(typeNamed(database, name)).toEqual({ schema: "pg_catalog", name: catalogue, sql, category: "base" });
  });

  it("typeNamed returns array types of known types", () => {
    expect(typeNamed(database, "bigint[][]")).toMatchObject({
      sql: "bigint[][]",
      element: { sql: "bigint[]", element: { name: "int8" } },
    });
  });

  it.each(["mood", "shop.mood"])("typeNamed returns %j from the database", (name) => {
    expect(typeNamed(database, name)).toBe(mood);
  });

  it("typeNamed treats any other name as an extension's type and never fails", () => {
    expect(typeNamed(database, "vector")).toEqual({
      schema: "public",
      name: "vector",
      sql: "vector",
      category: "base",
    });
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(scalarOf(scalarCall(typeNamed(database, name))).cast).toEqual(expect.any(String));
      }),
    );
  });
});

describe("Names of scalars", () => {
  it("scalarNames lists the scalars of built-in types and of the database, except its row types", () => {
    const names = new Set(scalarNames(database));
    for (const name of ["Int", "String", "Boolean", "bigint", "timestamptz", "jsonb", "interval", "mood", "citext"]) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain("t_scalar");
    expect(names).not.toContain("int4");
  });
});
