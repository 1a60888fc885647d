import fc from "fast-check";
import { expect, it } from "vitest";
import { sameValue } from "../../../compiler/3-lower/same-value.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";

/** Returns a text that is equal only for equal values: sorted keys, exact numbers distinct from equal objects. */
function textOf(value: unknown): string {
  if (value instanceof JsonNumber) return `exact ${value.text}`;
  if (typeof value !== "object" || value === null) return `${typeof value} ${JSON.stringify(value)}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${textOf(member)}`);
  return `{${members.sort().join()}}`;
}

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, "", "1"),
    fc.constantFrom("1", "2").map((text) => new JsonNumber(text)),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "text"), tie("value"), { maxKeys: 2, noNullPrototype: true }),
  ),
}));

it("Values of plain data are equal exactly if all their parts are", () => {
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(sameValue(left, right)).toBe(textOf(left) === textOf(right));
    }),
    { numRuns: 500 },
  );
});

it("An exact number differs from an object with its members", () => {
  expect(sameValue(new JsonNumber("1"), { text: "1" })).toBe(false);
  expect(sameValue({ text: "1" }, new JsonNumber("1"))).toBe(false);
  expect(sameValue([new JsonNumber("1")], [new JsonNumber("1")])).toBe(true);
});
