import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportName, identifier } from "../../../compiler/4-emit/identifiers.ts";
import { anyText } from "../../support/any-text.ts";

describe("identifier", () => {
  it.each([
    ["loan", "loan"],
    ["order lines", "order_lines"],
    ["1st", "_1st"],
    ["class", "class_"],
    ["exports", "exports_"],
    ["__proto__", "__proto___"],
    ["Straße", "Straße"],
    ["従業員", "従業員"],
    ["a\u200bb\u202e", "a_b_"],
    ["", "_"],
    ["a`;b", "a__b"],
  ])("makes %j the name %s", (name, expected) => {
    expect(identifier(name)).toBe(expected);
  });

  it("always names a variable of a strict module", () => {
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

describe("exportName", () => {
  it("leaves the names that every module of a table exports", () => {
    expect(exportName("columns")).toBe("columns_");
    expect(exportName("joins")).toBe("joins_");
  });
});
