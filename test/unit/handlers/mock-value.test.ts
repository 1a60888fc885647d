/** Random values have the declared type, and are equal for equal seeds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonType } from "../../../compiler/dialects/json-type.ts";
import type { DeclaredType } from "../../../compiler/handlers/handlers.ts";
import { mockValue } from "../../../runtime/cli/handlers/mock-server.ts";
import { isObject } from "../../../runtime/values/is-object.ts";

const declared = (name: string, type: JsonType): [string, DeclaredType] => [
  name,
  { name, comment: "", type, isSent: false },
];
const node: JsonType = {
  kind: "object",
  members: [
    { name: "id", type: { kind: "string", format: "uuid" } },
    { name: "next", type: { kind: "nullable", of: { kind: "named", name: "Node" } } },
    { name: "all", type: { kind: "list", item: { kind: "named", name: "Node" } } },
  ],
};
const types = new Map([declared("Node", node), declared("Size", { kind: "enum", values: ["S", "L"] })]);

const leaves: fc.Arbitrary<JsonType> = fc.constantFrom<JsonType>(
  { kind: "string" },
  { kind: "string", format: "uuid" },
  { kind: "string", format: "timestamptz" },
  { kind: "number" },
  { kind: "number", integer: true },
  { kind: "boolean" },
  { kind: "null" },
  { kind: "literal", value: "x" },
  { kind: "named", name: "Node" },
  { kind: "named", name: "Size" },
);
const { type } = fc.letrec<{ type: JsonType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.record({ kind: fc.constant("list" as const), item: tie("type") }),
    fc.record({ kind: fc.constant("nullable" as const), of: tie("type") }),
    fc.record({
      kind: fc.constant("object" as const),
      members: fc.uniqueArray(fc.record({ name: fc.string(), type: tie("type") }), {
        selector: ({ name }) => name,
        maxLength: 3,
      }),
    }),
  ),
}));

/** Returns whether a value conforms to a type. */
function fits(value: unknown, of: JsonType): boolean {
  switch (of.kind) {
    case "string":
      return typeof value === "string" && (of.format !== "uuid" || /^[0-9a-f-]{36}$/.test(value));
    case "number":
      return typeof value === "number" && (!of.integer || Number.isInteger(value));
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "literal":
      return value === of.value;
    case "enum":
      return typeof value === "string" && of.values.includes(value);
    case "named":
      return fits(value, types.get(of.name)?.type ?? { kind: "null" });
    case "list":
      return Array.isArray(value) && value.every((each) => fits(each, of.item));
    case "nullable":
      return value === null || fits(value, of.of);
    case "object":
      return isObject(value) && of.members.every((each) => fits(value[each.name], each.type));
    default:
      return false;
  }
}

describe("Mock values", () => {
  it("A mock value fits its type and depends only on the seed", () => {
    fc.assert(
      fc.property(type, fc.string(), (each, seed) => {
        const value = mockValue(each, types, seed);
        expect(fits(value, each)).toBe(true);
        expect(mockValue(each, types, seed)).toEqual(value);
      }),
    );
  });

  it("Mock values differ between seeds", () => {
    const values = Array.from({ length: 20 }, (_, seed) =>
      mockValue({ kind: "named", name: "Node" }, types, `${seed}`),
    );
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(20);
  });

  it.each([
    ["an infinite type", { kind: "named", name: "Endless" }],
    ["an enum without values", { kind: "enum", values: [] }],
  ] satisfies [string, JsonType][])("A mock value is refused for %s", (what, each) => {
    const endless = declared("Endless", {
      kind: "object",
      members: [{ name: "inner", type: { kind: "named", name: "Endless" } }],
    });
    expect(() => mockValue(each, new Map([endless]), "")).toThrow(`cannot mock a value of ${what}`);
  });
});
