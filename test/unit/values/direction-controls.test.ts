import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeDirectionControls, escapeHiddenCharacters } from "../../../runtime/values/direction-controls.ts";

describe("Hidden characters", () => {
  it.each([
    ["a direction control", "a\u202eb", "a\\u202eb"],
    ["a zero-width character", "a\u200bb", "a\\u200bb"],
    ["a tag", "a\u{e0041}b", "a\\udb40\\udc41b"],
    ["a variation selector", "a\ufe0f\u{e0100}b", "a\\ufe0f\\udb40\\udd00b"],
    ["a control character", "a\u0007\u009bb", "a\\u0007\\u009bb"],
    ["a line separator", "a\u2028\u2029b", "a\\u2028\\u2029b"],
    ["no hidden character", "é 漢 😀\t\r\n~", "é 漢 😀\t\r\n~"],
  ])("A text with %s shows it as an escape", (_what, text, shown) => {
    expect(escapeHiddenCharacters(text)).toBe(shown);
  });

  it("A JSON text keeps its value, and has no hidden character afterwards", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (text) => {
        const shown = escapeHiddenCharacters(text);
        expect(JSON.parse(shown)).toEqual(JSON.parse(text));
        expect(shown).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u007F-\u009F\u2028\u2029]/u);
        expect(escapeHiddenCharacters(shown)).toBe(shown);
      }),
    );
  });

  it("Only direction controls are replaced in YAML and code", () => {
    expect(escapeDirectionControls("a\u202eb\u200bc")).toBe("a\\u202eb\u200bc");
  });
});
