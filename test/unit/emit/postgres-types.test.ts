import { describe, expect, it } from "vitest";
import { inputIsImmutable, scalarCall, scalarOf } from "../../../compiler/dialects/postgres/types.ts";
import type { TypeRef } from "../../../compiler/shape/shape.ts";
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { arrayOf, builtIn } from "./sample-analysis.ts";

const mood: TypeRef = { schema: "shop", name: "mood", sql: "shop.mood", category: "enum" };
const address: TypeRef = { schema: "shop", name: "address", sql: "shop.address", category: "composite" };
const citext: TypeRef = { schema: "public", name: "citext", sql: "public.citext", category: "base" };
const int4 = builtIn("int4", "integer");
const positive: TypeRef = { schema: "shop", name: "positive", sql: "shop.positive", category: "domain", base: int4 };
const moods: TypeRef = { schema: "shop", name: "moods", sql: "shop.moods", category: "domain", base: arrayOf(mood) };
const birthday: TypeRef = { ...positive, name: "birthday", sql: "shop.birthday", base: builtIn("date") };
const period: TypeRef = { schema: "shop", name: "period", sql: "shop.period", category: "range" };

describe("Scalar calls of PostgreSQL types", () => {
  it.each([
    ["a built-in type", int4, { function: "pg", arguments: ["int4"] }],
    ["varchar", builtIn("varchar", "character varying"), { function: "pg", arguments: ["varchar"] }],
    ["bpchar", builtIn("bpchar"), { function: "pg", arguments: ["bpchar"] }],
    ['"char"', builtIn("char", '"char"'), { function: "pg", arguments: ["char", { cast: '"char"' }] }],
    ["bit", builtIn("bit", '"bit"'), { function: "pg", arguments: ["bit", { cast: '"bit"' }] }],
    ["an array", arrayOf(int4), { function: "pgArray", arguments: [{ function: "pg", arguments: ["int4"] }] }],
    ["an enum", mood, { function: "pg", arguments: ["mood", { cast: "shop.mood", category: "enum" }] }],
    [
      "a composite",
      address,
      { function: "pg", arguments: ["address", { cast: "shop.address", category: "composite" }] },
    ],
    [
      "an extension's type",
      citext,
      { function: "pg", arguments: ["citext", { cast: "public.citext", schema: "public" }] },
    ],
    ["a domain", positive, { function: "pg", arguments: ["int4", { cast: "shop.positive" }] }],
    ["a range", period, { function: "pg", arguments: ["period", { cast: "shop.period", category: "range" }] }],
    [
      "a domain over an array",
      moods,
      {
        function: "pgArray",
        arguments: [{ function: "pg", arguments: ["mood", { cast: "shop.mood", category: "enum" }] }],
      },
    ],
  ] as const)("scalarCall writes %s", (_, type, call) => {
    expect(scalarCall(type)).toEqual(call);
  });

  it.each([
    [int4, "Int", "int4"],
    [arrayOf(int4), "Int", "int4[]"],
    [mood, "mood", "shop.mood"],
    [address, "address_scalar", "shop.address"],
    [positive, "Int", "shop.positive"],
    [arrayOf(positive), "Int", "shop.positive[]"],
  ] as const)("scalarOf returns the scalar of %j", (type, graphql, cast) => {
    expect(scalarOf(scalarCall(type))).toMatchObject({ graphql, cast });
  });
});

describe("Types with misleading names", () => {
  it.each([
    ["constructor", "constructor"],
    ["toString", "toString"],
    ["__proto__", "_proto__"],
    ["hasOwnProperty", "hasOwnProperty"],
  ])("A type named %s is an unknown type", (name, graphql) => {
    const type = scalarOf(scalarCall({ schema: "shop", name, sql: `shop."${name}"`, category: "base" }));
    expect(type).toMatchObject({ graphql, cast: `shop."${name}"`, numeric: false });
    expect(postgres.operators(type).map((operator) => operator.name)).toContain("_eq");
    expect(scalarOf(scalarCall(arrayOf({ schema: "shop", name, sql: name, category: "base" }))).graphql).toBe(graphql);
  });

  it("An enum named like a built-in type is an enum", () => {
    const type = scalarOf(scalarCall({ schema: "shop", name: "int4", sql: "shop.int4", category: "enum" }));
    expect(type).toMatchObject({ graphql: "int4", numeric: false, comparable: true });
    expect(type.encode("big", "$")).toBe("big");
  });
});

describe("Immutability of type input", () => {
  it.each([int4, mood, citext, positive, moods, arrayOf(int4), builtIn("jsonb")])(
    "inputIsImmutable returns true for %j",
    (type) => {
      expect(inputIsImmutable(type)).toBe(true);
    },
  );

  it.each([
    builtIn("timestamptz"),
    builtIn("date"),
    builtIn("interval"),
    builtIn("regclass"),
    arrayOf(builtIn("date")),
    birthday,
    period,
    address,
    builtIn("tstzmultirange"),
    { schema: "pg_catalog", name: "daterange", sql: "daterange", category: "range" } as const,
  ])("inputIsImmutable returns false for %j", (type) => {
    expect(inputIsImmutable(type)).toBe(false);
  });
});
