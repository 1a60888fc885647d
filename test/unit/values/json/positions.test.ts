/** Positions in JSON text agree with the values of `JSON.parse`, regardless of the contents of strings. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfValue, itemsOf, memberOf, skipBlanks } from "../../../../runtime/values/json/positions.ts";

const text = fc.tuple(fc.json(), fc.constantFrom(0, 1, 2)).map(([json, indent]) => {
  return JSON.stringify(JSON.parse(json), null, indent);
});

describe("Parts of JSON text", () => {
  it("endOfValue returns the end of a value", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("", " ", ",1]", "}", "]"), (value, behind) => {
        expect(endOfValue(value + behind, 0)).toBe(value.length);
      }),
    );
  });

  it("itemsOf returns the items of a list", () => {
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom("", " ", "\n"), (items, blank) => {
        const list = `${blank}[${blank}${items.map((item) => `${item}${blank}`).join(`,${blank}`)}]`;
        expect(itemsOf(list)).toEqual(items);
      }),
    );
    expect(itemsOf('{"a":[1]}')).toEqual([]);
  });

  it("memberOf returns the member of an object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-c_]\w{0,2}$/), text), fc.string(), (members, other) => {
        const object = `{${Object.entries(members)
          .map(([key, value]) => `"${key}": ${value}`)
          .join(" , ")}}`;
        for (const [key, value] of Object.entries(members)) expect(memberOf(object, key)).toBe(value);
        if (!Object.hasOwn(members, other)) expect(memberOf(object, other)).toBeUndefined();
      }),
    );
    expect(memberOf("[1]", "a")).toBeUndefined();
    expect(memberOf("null", "a")).toBeUndefined();
  });

  it("endOfValue counts the backslashes before a quote", () => {
    for (const value of ["\\", '\\"', '"', 'a\\\\"b', "\\\\"]) {
      const quoted = JSON.stringify(value);
      expect(endOfValue(`${quoted},"x"`, 0)).toBe(quoted.length);
    }
  });

  it("skipBlanks skips all JSON white space", () => {
    expect(skipBlanks(" \n\r\t1", 0)).toBe(4);
  });
});
