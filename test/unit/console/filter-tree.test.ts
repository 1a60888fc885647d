/** Row filters as trees: what is shown says what the filter says, and nothing of a filter is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../runtime/console/http/metadata-types.ts";
import { readValue, sessionVariablesIn, valueText } from "../../../runtime/console/pages/permissions/conditions.ts";
import { filterOf, treeOf } from "../../../runtime/console/pages/permissions/filter-tree.ts";

const names = { columns: new Set(["a", "b"]), relationships: new Set(["owner"]) };

/** What a filter says of a row: only its operators of logic are looked into. */
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

describe("a filter as a tree", () => {
  it("keeps its meaning, and a second time its form", () => {
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

  it("is as short as it can be", () => {
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

  it("shows what it has no fields for as it is", () => {
    const odd = { $and: [], _or: [1], _exists: { _table: "t", _where: {} }, a: {}, owner: 5 };
    expect(treeOf(odd, names).items.map(({ kind }) => kind)).toEqual(["other", "other", "other", "other", "other"]);
    expect(filterOf(treeOf(odd, names))).toEqual({
      _and: Object.entries(odd).map(([name, value]) => ({ [name]: value })),
    });
  });
});

describe("values of conditions", () => {
  it.each([
    ["_in", ["a,b", "c"], "text"],
    ["_in", [1, 2], "integer"],
    ["_nin", ["x", "y"], "text"],
    ["_in", "X-Engine-Ids", "integer"],
    ["_eq", "5", "text"],
    ["_eq", 5, "integer"],
    ["_eq", "9007199254740993", "bigint"],
    ["_contains", { a: [1] }, "jsonb"],
    ["_is_null", false, "text"],
  ] as const)("%s %j", (operator, value, type) => {
    expect(readValue(valueText(value as Json), operator, type)).toEqual(value);
  });

  it("names session variables wherever they stand", () => {
    const given = { owner: { a: { _in: ["x-engine-a"] } }, _exists: { _where: { b: { _eq: "X-Engine-B" } } } };
    expect(sessionVariablesIn(given)).toEqual(["x-engine-a", "x-engine-b"]);
  });
});
