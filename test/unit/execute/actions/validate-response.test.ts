/**
 * The validation of handlers' responses, compared with a literal implementation of the specification
 * (`docs/how-to/actions.md`).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { responseFault } from "../../../../runtime/execute/actions/validate-response.ts";
import type { ResultType } from "../../../../runtime/model/definitions/actions/result-type.ts";
import { parseJson } from "../../../../runtime/values/json/parse.ts";

/** A type as a tree. */
type Tree = { readonly required: boolean } & ({ readonly list: Tree } | { readonly name: string });

const names = ["Int", "Float", "String", "ID", "Boolean", "Money", "uuid", "Size", "Order"];
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.record({ required: fc.boolean(), name: fc.constantFrom(...names) }),
    fc.record({ required: fc.boolean(), list: tie("tree") }),
  ),
}));
const required = fc.uniqueArray(fc.constantFrom("id", "name", "at"), { maxLength: 3 });

const textOf = (type: Tree): string => {
  const inner = "list" in type ? `[${textOf(type.list)}]` : type.name;
  return type.required ? `${inner}!` : inner;
};
const nameOf = (type: Tree): string => ("list" in type ? nameOf(type.list) : type.name);

/** Generates responses that match the type more often than random values would. */
function answersFor(type: Tree): fc.Arbitrary<unknown> {
  const fitting =
    "list" in type
      ? fc.array(answersFor(type.list), { maxLength: 3 })
      : fc.oneof(objects, fc.jsonValue({ maxDepth: 1 }));
  return fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}
const member = fc.option(fc.integer());
const objects = fc.record({ id: member, name: member, at: member, more: member }, { requiredKeys: [] });

/** Returns the error message of the first violated rule of the specification, if any. */
function expectedFault(body: unknown, type: Tree, fields: readonly string[]): string | undefined {
  if (body === null) return type.required ? "got null for the action webhook response" : undefined;
  if ("list" in type) {
    if (!Array.isArray(body)) return "expecting array for the action webhook response";
    for (const item of body) {
      const found = expectedFault(item, type.list, fields);
      if (found) return found;
    }
    return undefined;
  }
  const { name } = type;
  const got = (what: string) => `got ${what} for the action webhook response, expecting ${name}`;
  if (["Money", "uuid", "Size"].includes(name)) return undefined;
  if (typeof body === "number") return ["Int", "Float"].includes(name) ? undefined : got("scalar String");
  if (typeof body === "boolean") return name === "Boolean" ? undefined : got("scalar Boolean");
  if (typeof body === "string") return ["String", "ID"].includes(name) ? undefined : got("scalar String");
  if (Array.isArray(body)) return got("array");
  if (name !== "Order") return got("object");
  for (const field of fields) {
    if (!(field in (body as object))) return `field "${field}" expected in webhook response, but not found`;
    if ((body as Record<string, unknown>)[field] === null) return `expecting not null value for field "${field}"`;
  }
  return undefined;
}

const resultOf = (type: Tree, fields: readonly string[]): ResultType => ({
  type: textOf(type),
  name: nameOf(type),
  objects: new Map([["Order", fields.map((field) => ({ name: field, type: "uuid!" }))]]),
  enums: new Set(["Size"]),
});

describe("Validation of action responses", () => {
  it("The validation of an action response reports the specified faults with the specified messages", () => {
    const cases = fc
      .tuple(tree, required)
      .chain(([type, fields]) => fc.tuple(fc.constant(type), fc.constant(fields), answersFor(type)));
    const seen = new Set<string | undefined>();
    fc.assert(
      fc.property(cases, ([type, fields, body]) => {
        const found = responseFault(body, resultOf(type, fields));
        seen.add(found?.replace(/".*"|expecting \w+$/, ""));
        return found === expectedFault(body, type, fields);
      }),
      { numRuns: 20_000 },
    );
    // Eight messages, and `undefined`.
    expect(seen.size).toBe(9);
  });

  it("The validation of an action response accepts numbers of any length", () => {
    const type = resultOf({ required: true, name: "Int" }, []);
    expect(responseFault(parseJson("123456789012345678901234567890"), type)).toBeUndefined();
    expect(responseFault(parseJson("123456789012345678901234567890"), { ...type, type: "Order!", name: "Order" })).toBe(
      "got scalar String for the action webhook response, expecting Order",
    );
  });

  it("The validation of an action response ignores inherited members", () => {
    const type = resultOf({ required: true, name: "Order" }, ["toString"]);
    expect(responseFault({}, type)).toBe('field "toString" expected in webhook response, but not found');
  });

  const order: ResultType = {
    type: "[Order!]!",
    name: "Order",
    objects: new Map([
      [
        "Order",
        [
          { name: "id", type: "ID!" },
          { name: "tags", type: "[Tag!]" },
          { name: "grid", type: "[[Size!]]" },
          { name: "more", type: "json" },
        ],
      ],
      [
        "Tag",
        [
          { name: "n", type: "String!" },
          { name: "parent", type: "Tag" },
        ],
      ],
    ]),
    enums: new Set(["Size"]),
  };

  it.each([
    [{ id: 1, tags: [{ n: "a" }, {}] }, 'field "tags[1].n" expected in webhook response, but not found'],
    [{ id: 1, tags: [{ n: null }] }, 'expecting not null value for field "tags[0].n"'],
    [{ id: 1, tags: [null] }, 'got null for field "tags[0]" of the action webhook response'],
    [{ id: 1, tags: {} }, 'expecting array for field "tags" of the action webhook response'],
    [{ id: 1, tags: [[]] }, 'got array for field "tags[0]" of the action webhook response, expecting Tag'],
    [{ id: {} }, 'got object for field "id" of the action webhook response, expecting ID'],
    [{ id: 1, grid: [null, [null]] }, 'got null for field "grid[1][0]" of the action webhook response'],
    [{ id: 1, grid: [[["S"]]] }, 'got array for field "grid[0][0]" of the action webhook response, expecting Size'],
    [
      { id: 1, tags: [{ n: "a", parent: { n: "b", parent: {} } }] },
      'field "tags[0].parent.parent.n" expected in webhook response, but not found',
    ],
  ])("The validation of an action response names the path of a nested fault: %j", (body, fault) => {
    expect(responseFault([body], order)).toBe(fault);
  });

  it("The validation of an action response accepts other scalars, missing nullable members and any value of a custom scalar", () => {
    const fits = { id: 1, tags: [{ n: 2, parent: null }], grid: [null, ["S"]], more: [{}] };
    expect(responseFault([fits, { id: "a", tags: null }], order)).toBeUndefined();
  });
});
