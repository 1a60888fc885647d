/** Values and literals of GraphQL's built-in scalars. */
import { parseValue } from "graphql";
import { describe, expect, it } from "vitest";
import { isScalarLiteral, isScalarValue } from "../../../../../runtime/model/planner/request/remote/scalar-value.ts";
import { parseJson } from "../../../../../runtime/values/json/parse.ts";

const values = [
  "1",
  "-2147483648",
  "2147483648",
  "1.5",
  "1e400",
  "12345678901234567890",
  '"7"',
  '"x"',
  "true",
  "{}",
  "[]",
];
const accepted: Readonly<Record<string, readonly string[]>> = {
  Int: ["1", "-2147483648"],
  Float: ["1", "-2147483648", "2147483648", "1.5", "1e400", "12345678901234567890"],
  String: ['"7"', '"x"'],
  Boolean: ["true"],
  ID: ["1", "-2147483648", "2147483648", "12345678901234567890", '"7"', '"x"'],
  Anything: values,
};
describe("Scalar values", () => {
  it.each(Object.entries(accepted))("A JSON value of %s is accepted in its range only", (scalar, expected) => {
    expect(values.filter((text) => isScalarValue(scalar, parseJson(text)))).toEqual(expected);
  });

  it.each(Object.entries(accepted))("A literal of %s is accepted in its range only", (scalar, expected) => {
    expect(values.filter((text) => isScalarLiteral(scalar, parseValue(text)))).toEqual(expected);
  });
});
