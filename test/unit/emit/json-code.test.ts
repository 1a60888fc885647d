import { expect, it } from "vitest";
import { jsonCode } from "../../../compiler/4-emit/json-code.ts";
import { ModuleBuilder } from "../../../compiler/4-emit/module-builder.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";

const textOf = (value: unknown): string => {
  const builder = new ModuleBuilder("sources/default.ts", { from: "source default", slice: "0123abcd" }, ["value"]);
  builder.export([], "value", jsonCode(builder, value));
  return builder.print().text;
};

it("JSON values of every kind become code that evaluates to them", () => {
  expect(textOf({ a: [1, "b", null, true], "c d": {} })).toContain(
    'export const value = { a: [1, "b", null, true], "c d": {} };',
  );
});

it("Numbers that JavaScript cannot represent keep their digits", () => {
  const text = textOf([new JsonNumber("1.10"), new JsonNumber("12345678901234567890")]);
  expect(text).toContain('import { exactNumber } from "engine/support";');
  expect(text).toContain('export const value = [exactNumber("1.10"), exactNumber("12345678901234567890")];');
});
