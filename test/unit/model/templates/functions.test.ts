import { describe, expect, it } from "vitest";
import { failure, placeOf, render } from "./render.ts";

describe("Template functions", () => {
  it.each([
    ["empty({})", true],
    ['empty({"a": 1})', false],
    ["empty([])", true],
    ['empty(" \\n")', true],
    ['empty("x")', false],
    ["empty(0.0)", true],
    ["empty(1e-999)", true],
    ["empty(null)", true],
    ["size([1, 2])", 2],
    ['size("a😀")', 2],
    ['size({"a": 1})', 1],
    ["size(-4.5)", -4.5],
    ["size(true)", 1],
    ["size(false)", 0],
    ["size(null)", 0],
    ["inverse([1, 2])", [2, 1]],
    ['inverse("a😀b")', "b😀a"],
    ["inverse(4)", 0.25],
    ["inverse(true)", false],
    ['inverse({"a": 1})', { a: 1 }],
    ["inverse(null)", null],
    ["head([[1], 2])", [1]],
    ['head("😀a")', "😀"],
    ["tail([1, 2, 3])", [2, 3]],
    ['tail("😀ab")', "ab"],
    ["tail([])", []],
    ['tail("")', ""],
    ['toCaseFold("Straße ΣΑΣ")', "strasse σασ"],
    ['toLower("ÄB")', "äb"],
    ['toUpper("äb")', "ÄB"],
    ['toTitle("hELLO wORLD o\'neil x1y")', "Hello World O'neil X1Y"],
    ['escapeUri("a b/ä?&=~_-.!*\'()")', "a%20b%2F%C3%A4%3F%26%3D~_-.%21%2A%27%28%29"],
    ['escapeUri("\\ud800")', "%EF%BF%BD"],
    ['fromPairs([["a", 1], ["b", null], ["a", 2]])', { a: 2, b: null }],
    ["fromPairs([])", {}],
    [
      'toPairs({"a": 1, "b": [2]})',
      [
        ["a", 1],
        ["b", [2]],
      ],
    ],
    ["removeNulls([1, null, false, [null]])", [1, false, [null]]],
    ["concat([[1], [], [[2]]])", [1, [2]]],
    ['concat(["a", "", "b"])', "ab"],
    ['concat([{"a": 1, "b": 1}, {"b": 2}])', { a: 1, b: 2 }],
    ["concat([])", []],
    ["not(true)", false],
  ])("A template function evaluates: %s", (source, expected) => {
    expect(render(source)).toEqual(expected);
  });

  const pairs = "Expected an array of shape [ [k1,v1], [k2,v2] ... ] - With String keys.";
  it.each([
    ["empty(true)", "Cannot define emptiness for a boolean"],
    ["inverse(0)", "Cannot divide by zero"],
    ["head([])", "Empty array"],
    ['head("")', "Empty string"],
    ["head({})", "Expected an array or string"],
    ["tail(1)", "Expected an array or string"],
    ["toUpper(1)", "Expected a string"],
    ["escapeUri(null)", "Expected a string"],
    ["fromPairs({})", pairs],
    ["fromPairs([[1, 2]])", pairs],
    ['fromPairs([["a", 1, 2]])', pairs],
    ['fromPairs(["ab"])', pairs],
    ["toPairs([])", "Expected an object"],
    ["removeNulls({})", "Expected an array"],
    ['concat(["a", []])', "Expected an array of arrays, of strings or of objects"],
    ['concat("a")', "Expected an array of arrays, of strings or of objects"],
  ])("A template function %s fails", (source, message) => {
    const error = failure(source);
    expect(error).toMatchObject({ error_code: "Function Error", message });
    expect(placeOf(error)).toBe(`0:1-0:${source.length + 1}`);
  });

  it("Template objects keep __proto__ as an ordinary key", () => {
    const value = render('concat([fromPairs([["__proto__", {"x": 1}]]), {}])');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
