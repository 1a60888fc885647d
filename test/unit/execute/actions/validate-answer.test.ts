/** The check of handlers' answers, beside one that is written as the specification words it (`docs/actions.md`). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFault } from "../../../../runtime/execute/actions/validate-answer.ts";
import type { ResultType } from "../../../../runtime/model/definitions/actions/result-type.ts";
import { parseJson } from "../../../../runtime/values/parse-json.ts";

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

/** Answers that fit the type more often than chance would have it. */
function answersFor(type: Tree): fc.Arbitrary<unknown> {
  const fitting =
    "list" in type
      ? fc.array(answersFor(type.list), { maxLength: 3 })
      : fc.oneof(objects, fc.jsonValue({ maxDepth: 1 }));
  return fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}
const member = fc.option(fc.integer());
const objects = fc.record({ id: member, name: member, at: member, more: member }, { requiredKeys: [] });

/** C.5, row by row. */
function naive(body: unknown, type: Tree, fields: readonly string[]): string | undefined {
  if (body === null) return type.required ? "got null for the action webhook response" : undefined;
  if ("list" in type) {
    if (!Array.isArray(body)) return "expecting array for the action webhook response";
    for (const item of body) {
      const found = naive(item, type.list, fields);
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

describe("the check of an answer", () => {
  it("finds what the specification says, in its words", () => {
    const cases = fc
      .tuple(tree, required)
      .chain(([type, fields]) => fc.tuple(fc.constant(type), fc.constant(fields), answersFor(type)));
    const seen = new Set<string | undefined>();
    fc.assert(
      fc.property(cases, ([type, fields, body]) => {
        const found = answerFault(body, resultOf(type, fields));
        seen.add(found?.replace(/".*"|expecting \w+$/, ""));
        return found === naive(body, type, fields);
      }),
      { numRuns: 20_000 },
    );
    // Each of the messages, and none.
    expect(seen.size).toBe(9);
  });

  it("takes numbers of any length for numbers", () => {
    const type = resultOf({ required: true, name: "Int" }, []);
    expect(answerFault(parseJson("123456789012345678901234567890"), type)).toBeUndefined();
    expect(answerFault(parseJson("123456789012345678901234567890"), { ...type, type: "Order!", name: "Order" })).toBe(
      "got scalar String for the action webhook response, expecting Order",
    );
  });

  it("takes inherited members for none", () => {
    const type = resultOf({ required: true, name: "Order" }, ["toString"]);
    expect(answerFault({}, type)).toBe('field "toString" expected in webhook response, but not found');
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
  ])("names the place of a fault below the first level: %j", (body, fault) => {
    expect(answerFault([body], order)).toBe(fault);
  });

  it("takes other scalars in fields, absent and null members of nullable types, and anything for custom scalars", () => {
    const fits = { id: 1, tags: [{ n: 2, parent: null }], grid: [null, ["S"]], more: [{}] };
    expect(answerFault([fits, { id: "a", tags: null }], order)).toBeUndefined();
  });
});
