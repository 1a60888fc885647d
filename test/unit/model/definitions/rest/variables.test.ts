import { describe, expect, it } from "vitest";
import { type RestInput, restVariables } from "../../../../../runtime/model/definitions/rest/variables.ts";
import { variable } from "../../../../../runtime/model/definitions/saved/variable.ts";
import { JsonNumber } from "../../../../../runtime/values/json-number.ts";

function read(type: string, input: Partial<RestInput>): unknown {
  const all: RestInput = { query: [], body: null, path: new Map(), ...input };
  return { ...restVariables(all, { x: variable(type) }) };
}

const text = (type: string, value: string): unknown => read(type, { query: [["x", value]] });

describe("URL values of REST variables", () => {
  it.each([
    ["Boolean", "", true],
    ["Boolean!", "true", true],
    ["Boolean", "false", false],
    ["Int!", "-12", -12],
    ["Float", "1500", 1500],
    ["Float", "NaN", "NaN"],
    ["float8", "0.1", 0.1],
    ["numeric", "infinity", "infinity"],
    ["String", "12", "12"],
    ["String!", "", ""],
    ["ID", "true", "true"],
    ["uuid!", "7", "7"],
    ["bigint", "9007199254740993", "9007199254740993"],
    ["date", "2010-1-1", "2010-1-1"],
    ["geometry!", '{"type":"Point"}', '{"type":"Point"}'],
  ])("A URL value of type %s: %j is read as %j", (type, given, expected) => {
    expect(text(type, given)).toEqual({ x: expected });
  });

  it("A URL value keeps the digits of a number", () => {
    expect(text("numeric", "1.10")).toEqual({ x: new JsonNumber("1.10") });
    expect(text("Float", "1.5e3")).toEqual({ x: new JsonNumber("1.5e3") });
  });

  it("An empty URL value of a nullable type counts as absent", () => {
    expect(text("String", "")).toEqual({});
    expect(text("Int", "")).toEqual({});
  });

  it.each([
    ["Boolean", "yes"],
    ["Int", "abc"],
    ["Int!", ""],
    ["Float", "Infinite"],
    ["json", "{}"],
    ["jsonb!", "1"],
  ])("A URL value of type %s is refused: %j", (type, given) => {
    expect(() => text(type, given)).toThrow(
      `Values of type ${type} cannot be read from URL or Query parameters like this. ` +
        `(Variable x, with value ${JSON.stringify(given)})`,
    );
  });

  it("A URL value of a list type is refused", () => {
    expect(() => text("[uuid!]!", "[1]")).toThrow(
      'List variables are not currently supported in URL or Query parameters. (Variable x, with value "[1]")',
    );
  });
});

describe("REST variables", () => {
  it("REST variables from the body are passed on unchanged", () => {
    const value = { any: ["thing", null] };
    expect(read("Int", { body: { x: value } })).toEqual({ x: value });
    expect(read("Int", { body: { x: null } })).toEqual({ x: null });
  });

  it("The path takes precedence over the query string, and the query string over the body", () => {
    const query = [
      ["x", "1"],
      ["x", "2"],
    ] as const;
    expect(read("String", { query, body: { x: "3" }, path: new Map([["x", "4"]]) })).toEqual({ x: "4" });
    expect(read("String", { form: [["x", "3"]], path: new Map([["x", "4"]]) })).toEqual({ x: "4" });
    expect(read("String", { query, body: { x: "3" } })).toEqual({ x: "1" });
    expect(read("String", { path: new Map([["x", "4"]]) })).toEqual({ x: "4" });
  });

  it.each(["y", "__proto__", "constructor"])("The undeclared REST variable %s is refused", (name) => {
    expect(() => read("Int", { query: [[name, "1"]] })).toThrow(`Unexpected variable ${name}`);
  });
});
