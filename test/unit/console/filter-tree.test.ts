/** Row filters as trees: the display has the meaning of the filter, and no part of a filter is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../runtime/console/http/metadata-types.ts";
import { readValue, sessionVariablesIn, valueText } from "../../../runtime/console/pages/permissions/conditions.ts";
import { filterOf, treeOf } from "../../../runtime/console/pages/permissions/filter-tree.ts";

const names = { columns: new Set(["a", "b"]), relationships: new Set(["owner"]) };

/** Evaluates a filter on a row. Only logical operators are evaluated. */
function holds(filter: Json, facts: Readonly<Record<string, boolean>>): boolean {
  return Object.entries(filter as JsonObject).every(([name, value]): boolean => {
    if (name === "_and") return (value as Json[]).every((each) => holds(each, facts));
    if (name === "_or") return (value as Json[]).some((each) => holds(each, facts));
    if (name === "_not") return !holds(value, facts);
    if (names.columns.has(name)) {
      return Object.entries(value as JsonObject).every((each) => facts[JSON.stringify([name, each])]);
    }
    return facts[JSON.stringify([name, value])] ?? false;
  });
}

function factsIn(filter: Json, found = new Set<string>()): ReadonlySet<string> {
  for (const [name, value] of Object.entries(filter as JsonObject)) {
    if (name === "_and" || name === "_or") for (const each of value as Json[]) factsIn(each, found);
    else if (name === "_not") factsIn(value, found);
    else if (names.columns.has(name)) {
      for (const each of Object.entries(value as JsonObject)) found.add(JSON.stringify([name, each]));
    } else found.add(JSON.stringify([name, value]));
  }
  return found;
}

const leaf: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { a: { _eq: 1 } },
  { a: { _gt: "X-Engine-Id", _lt: 5 } },
  { b: { _odd: [1, { x: null }] } },
  { owner: { a: { _eq: 1 }, _not: {} } },
  { _exists: { _table: { schema: "s", name: "t" }, _where: { c: {} } } },
  { _permitted: { relationship: "owner", operation: "select" } },
  { _permitted: { relationship: "lost", operation: "select" } },
  { _permitted: { relationship: "owner", operation: "select", extra: 1 } },
  { computed: { _eq: 1 } },
  { a: { _in: ["x", "y"] }, b: { _is_null: true } },
  {},
);

const { filter } = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("filter"), { maxLength: 3 }).map((_and): JsonObject => ({ _and })),
    fc.array(tie("filter"), { maxLength: 3 }).map((_or): JsonObject => ({ _or })),
    tie("filter").map((_not): JsonObject => ({ _not })),
    fc.tuple(leaf, tie("filter")).map(([one, _not]): JsonObject => ({ ...one, _not })),
  ),
}));

describe("Filters as trees", () => {
  it("A filter keeps its meaning as a tree and its form on a second conversion", () => {
    fc.assert(
      fc.property(filter, fc.infiniteStream(fc.boolean()), (given, random) => {
        const written = filterOf(treeOf(given, names));
        const facts = Object.fromEntries([...factsIn(given)].map((each) => [each, random.next().value as boolean]));
        expect(holds(written, facts)).toBe(holds(given, facts));
        expect(filterOf(treeOf(written, names))).toEqual(written);
      }),
      { numRuns: 500 },
    );
  });

  it("A filter from a tree is as short as possible", () => {
    for (const given of [
      {},
      { a: { _eq: 1 } },
      { _or: [{ a: { _eq: 1 } }, { b: { _eq: 2 } }] },
      { _not: { a: { _eq: 1 } } },
      { _and: [{ a: { _eq: 1 } }, { owner: { a: { _eq: 2 } } }] },
    ]) {
      expect(filterOf(treeOf(given, names))).toEqual(given);
    }
  });

  it("A filter that the tree cannot express is kept unchanged", () => {
    const odd = { $and: [], _or: [1], _exists: { _table: "t", _where: {} }, a: {}, owner: 5 };
    expect(treeOf(odd, names).items.map(({ kind }) => kind)).toEqual(["other", "other", "other", "other", "other"]);
    expect(filterOf(treeOf(odd, names))).toEqual({
      _and: Object.entries(odd).map(([name, value]) => ({ [name]: value })),
    });
  });
});

describe("Values of conditions", () => {
  it.each([
    [["a,b", "c"], { operand: "text", list: true }],
    [[1, 2], { operand: "number", list: true }],
    [["x", "y"], { operand: "text", list: true }],
    ["X-Engine-Ids", { operand: "number", list: true }],
    ["5", { operand: "text" }],
    [5, { operand: "number" }],
    ["9007199254740993", { operand: "number" }],
    [{ a: [1] }, { operand: "json" }],
    [{ a: [1] }, undefined],
    [false, { operand: "boolean" }],
  ] as const)("The value of a condition is restored from its text: %j for %j", (value, operator) => {
    expect(readValue(valueText(value as Json), operator)).toEqual(value);
  });

  it("Session variables are found anywhere in a filter", () => {
    const given = { owner: { a: { _in: ["x-engine-a"] } }, _exists: { _where: { b: { _eq: "X-Engine-B" } } } };
    expect(sessionVariablesIn(given)).toEqual(["x-engine-a", "x-engine-b"]);
  });
});
