import { describe, expect, it } from "vitest";
import { TypeDictionary } from "../../../compiler/dialects/postgres/introspect/types.ts";
import { typeRow } from "./catalog-rows.ts";

function dictionary(
  rows: readonly ReturnType<typeof typeRow>[],
  parts: Partial<ConstructorParameters<typeof TypeDictionary>[0]> = {},
): TypeDictionary {
  const types = new Map(rows.map((row) => [row[0], JSON.stringify(row)]));
  return new TypeDictionary({ types, labels: [], fields: [], subtype: [], operators: [], ...parts });
}

describe("Type dictionary", () => {
  it.each([
    ["bool", "boolean"],
    ["int2", "smallint"],
    ["int4", "integer"],
    ["int8", "bigint"],
    ["float4", "real"],
    ["float8", "double precision"],
    ["numeric", "numeric"],
    ["varchar", "character varying"],
    ["bpchar", "bpchar"],
    ["bit", '"bit"'],
    ["varbit", "bit varying"],
    ["char", '"char"'],
    ["name", "name"],
    ["date", "date"],
    ["time", "time without time zone"],
    ["timetz", "time with time zone"],
    ["timestamp", "timestamp without time zone"],
    ["timestamptz", "timestamp with time zone"],
    ["interval", "interval"],
    ["json", "json"],
    ["anyelement", "anyelement"],
    ["any", '"any"'],
  ])("The type dictionary writes the built-in type %s as %s", (name, sql) => {
    expect(dictionary([typeRow("1", name)]).refOf("1").sql).toBe(sql);
    const array = dictionary([typeRow("1", name), typeRow("2", `_${name}`, { element: "1" })]).refOf("2");
    expect(array).toMatchObject({ name: `_${name}`, sql: `${sql}[]`, element: { name } });
  });

  it("The type dictionary returns one shared object per type", () => {
    const types = dictionary([typeRow("1", "text")]);
    expect(types.refOf("1")).toBe(types.refOf("1"));
  });

  it("Nested domains resolve to the innermost base, NOT NULL from any level and the outermost default", () => {
    const types = dictionary([
      typeRow("1", "int4"),
      typeRow("2", "inner", { schema: "s", kind: "d", base: "1", notNull: true }),
      typeRow("3", "outer", { schema: "s", kind: "d", base: "2", hasDefault: true }),
    ]);
    expect(types.refOf("3")).toMatchObject({ category: "domain", sql: "s.outer", base: { sql: "integer" } });
    expect(types.domainRulesOf("3")).toEqual({ notNull: true, hasDefault: true });
    expect(types.domainRulesOf("2")).toEqual({ notNull: true, hasDefault: false });
    expect(types.domainRulesOf("1")).toEqual({ notNull: false, hasDefault: false });
    expect(types.shapes().map((shape) => shape.name)).toEqual(["inner", "outer"]);
  });

  it("The type dictionary lists the component types of used types, even if they refer to each other", () => {
    const types = dictionary(
      [
        typeRow("1", "int4"),
        typeRow("2", "pair", { schema: "s", kind: "c" }),
        typeRow("3", "_pair", { schema: "s", element: "2" }),
        typeRow("4", "span", { schema: "s", kind: "r" }),
        typeRow("5", "unused", { schema: "s", kind: "e" }),
        typeRow("6", "spans", { schema: "s", kind: "m" }),
        typeRow("7", "person", { schema: "s", kind: "c", isRowType: true }),
      ],
      {
        fields: [
          [
            "2",
            [
              ["next", "3"],
              ["span", "4"],
              ["spans", "6"],
              ["person", "7"],
            ],
          ],
        ],
        subtype: [["4", "1"]],
        labels: [["5", ["x"]]],
      },
    );
    types.refOf("3");
    expect(types.shapes().map((shape) => `${shape.kind} ${shape.name}`)).toEqual(["composite pair", "range span"]);
    expect(types.tableOf("7")).toEqual({ schema: "s", name: "person" });
    expect(types.tableOf("2")).toBeNull();
    expect(types.refOf("6").category).toBe("base");
  });

  it("The type dictionary lists an enum without labels and a composite type without fields", () => {
    const types = dictionary([
      typeRow("1", "nothing", { schema: "s", kind: "e" }),
      typeRow("2", "empty", { schema: "s", kind: "c" }),
    ]);
    types.refOf("1");
    types.refOf("2");
    expect(types.shapes()).toEqual([
      { kind: "composite", schema: "s", name: "empty", fields: [] },
      { kind: "enum", schema: "s", name: "nothing", values: [] },
    ]);
  });
});
