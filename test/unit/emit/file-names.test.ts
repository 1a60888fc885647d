import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileName, maximumLength } from "../../../compiler/4-emit/file-names.ts";
import { anyText } from "../../support/any-text.ts";

/** Names as metadata may contain them, often similar to each other. */
const name = fc.oneof(
  fc.string({
    unit: fc.constantFrom("a", "A", "b", ".", "/", "=", "+", "h", "-", "_", " ", "é", "\u0000", "2", "0"),
    maxLength: 70,
  }),
  anyText({ maxLength: 70 }),
  fc.constantFrom(
    "con",
    "CON",
    "aux",
    "nul",
    "com1",
    "lpt9",
    "..",
    ".",
    "",
    "__proto__",
    "x".repeat(63),
    "X".repeat(63),
  ),
);
/** Includes names that the folder reserves. */
const options = { extension: ".ts", taken: ["a", "con", "2"] };
const parts = fc.array(name, { minLength: 1, maxLength: 2 });

describe("Names of generated files", () => {
  it("fileName leaves ordinary names unchanged", () => {
    expect(fileName(["public", "order_lines"], { extension: ".ts" })).toBe("public.order_lines.ts");
    expect(fileName(["anonymous-user"])).toBe("anonymous-user");
  });

  it.each([
    ["Find books", "find-books+1"],
    ["Find Books", "find-books+21"],
    ["my loans", "my-loans+"],
    ["OrderLine", "orderline+21"],
    ["a/b", "a-b++2f"],
    ["A-b c/d", "a-b-c-d+1+2d--2f"],
    ["日本", "--++65e5-672c"],
    ["con", "con+"],
    ["", "+"],
  ])("fileName keeps a name with other characters readable: %s", (name, file) => {
    expect(fileName([name])).toBe(file);
  });

  it("fileName adds a suffix to a name that the folder reserves", () => {
    const taken = ["operations"];
    expect(fileName(["operations"], { taken })).toBe("operations+");
    expect(fileName(["operations", "a"], { taken })).toBe("operations.a");
    expect(fileName(["Operations"], { taken })).toBe("operations+1");
  });

  it("fileName never returns a path outside its folder", () => {
    expect(fileName(["../etc", "a b"])).toBe("---etc++2e-2e-2f.a-b+");
  });

  it("fileName shortens a name only if its encoding exceeds the greatest length", () => {
    const longest = "a".repeat(maximumLength - "+1".length);
    expect(fileName([`A${longest.slice(1)}`])).toBe(`${longest}+1`);
    expect(fileName([`A${longest}`])).toMatch(/^a+\+h[0-9a-f]{40}$/);
  });

  it("fileName distinguishes long names that differ only in case", () => {
    expect(fileName(["x".repeat(200)])).not.toBe(fileName(["X".repeat(200)]));
  });

  it("fileName is injective, even without case", () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(fileName(left, options).toLowerCase() === fileName(right, options).toLowerCase()).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });

  it("fileName returns no other name for a shortened one", () => {
    const shortened = fileName(["x".repeat(200)]);
    const hash = shortened.slice(shortened.indexOf("+h"));
    expect(fileName([`${shortened.slice(0, -hash.length)} ${hash.slice(1)}`])).not.toBe(shortened);
    expect(fileName([shortened])).not.toBe(shortened);
  });

  it("fileName returns names that every file system accepts", () => {
    fc.assert(
      fc.property(parts, (parts) => {
        const file = fileName(parts);
        expect(file).toMatch(/^[a-z0-9_+.-]+$/);
        expect(file.length).toBeLessThanOrEqual(maximumLength);
        expect(file).not.toMatch(/^\.|\.$/);
        expect(file.split(".")[0]).not.toMatch(/^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/);
      }),
      { numRuns: 2000 },
    );
  });
});
