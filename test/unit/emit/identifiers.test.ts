import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { camelCase, exportName, identifier } from "../../../compiler/4-emit/identifiers.ts";
import { anyText } from "../../support/any-text.ts";

describe("Identifiers", () => {
  it.each([
    ["loan", "loan"],
    ["order lines", "order_lines"],
    ["1st", "_1st"],
    ["class", "class_"],
    ["exports", "exports_"],
    ["__proto__", "__proto___"],
    ["$0", "$0_"],
    ["Straße", "Straße"],
    ["従業員", "従業員"],
    ["a\u200bb\u202e", "a_b_"],
    ["", "_"],
    ["a`;b", "a__b"],
  ])("The identifier for %j is %s", (name, expected) => {
    expect(identifier(name)).toBe(expected);
  });

  it("Every identifier is a valid variable name in a strict module", () => {
    const names = fc.oneof(anyText(), fc.constantFrom("await", "yield", "let", "static", "undefined", "NaN"));
    fc.assert(
      fc.property(names, (name) => {
        const code = `"use strict"; const ${identifier(name)} = 1; export {};`;
        expect(() => transformSync(code, { loader: "ts", format: "cjs" })).not.toThrow();
        expect(identifier(name)).not.toMatch(/\p{Cf}|\p{Default_Ignorable_Code_Point}/u);
      }),
      { numRuns: 300 },
    );
  });
});

describe("Names of variables in camel case", () => {
  it.each([
    ["My loans", "myLoans"],
    ["find_books by-title", "findBooksByTitle"],
    ["Class", "class_"],
    ["日本 2", "日本2"],
    ["--", "_"],
  ])("camelCase makes %j the name %s", (name, expected) => {
    expect(camelCase(name)).toBe(expected);
  });
});

describe("Names of exports", () => {
  it("exportName avoids the names that every table module exports", () => {
    expect(exportName("columns")).toBe("columns_");
    expect(exportName("joins")).toBe("joins_");
  });
});
