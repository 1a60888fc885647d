import fc from "fast-check";
import { expect, it } from "vitest";
import { writes } from "../../../../../runtime/model/dialects/postgres/writes.ts";

const text = fc.oneof(fc.string(), fc.constantFrom("", "NULL", "null", '"', "\\", "{", "}", ",", "\n", '\\"'));

it("PostgreSQL text arrays round-trip for any text", () => {
  fc.assert(
    fc.property(fc.array(fc.option(text)), (texts) => {
      expect(writes.listTexts(writes.textList(texts))).toEqual(texts);
    }),
  );
  expect(writes.textList([])).toBe("{}");
  expect(writes.textList(["a", 'b"'])).toBe('{"a","b\\""}');
  expect(writes.textList(["a", null])).toBe('{"a",NULL}');
});
