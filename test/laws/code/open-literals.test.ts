/**
 * Operations that differ in literals share plans, and every operation has the same outcome as with a plan of its own:
 * the same statements with its own values, the same errors. If a shared plan contained a value of another request, it
 * would show that request's data to the next caller.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { SentOperation } from "./kept/sent-operations.ts";
import { WorldServer } from "./kept/server.ts";
import { start } from "./kept/world.ts";

/** Operations with a placeholder for each literal. */
const texts = [
  "{ book(limit: <int>, offset: <int>) { id title } }",
  "{ book(where: {id: {_eq: <int>}, title: {_ilike: <string>}}) { id title author { name } } }",
  "{ book(where: {_or: [{id: {_in: [<int>, <int>]}}, {title: {_eq: <string>}}]}) { id } }",
  "{ book(where: {mood: {_eq: calm}, pages: {_gt: <float>}}) { id } }",
  "{ book(where: {mood: {_eq: <string>}}) { id } }",
  "{ author { books(order_by: {title: asc}, limit: <int>) { title } } }",
  "{ a: book(where: {id: {_eq: <int>}}) { id } a: book(where: {id: {_eq: <int>}}) { title } }",
  "{ ...f } fragment f on query_root { book(where: {id: {_eq: <int>}}) { ...g } } fragment g on book { id }",
  "query ($a: Int = <int>) { book(limit: $a, where: {id: {_gt: <int>}}) { id } }",
  "query ($on: Boolean = true) { book(limit: <int>) { id title @include(if: $on) } }",
  "{ book(limit: <int>) @include(if: <int>) { id } }",
  "{ book(limit: <string>) { id } }",
  "{ book_by_pk(id: <int>) { title } author_by_pk(id: <int>) { name } }",
  "{ book_aggregate(where: {pages: {_lt: <int>}}) { aggregate { count } } }",
  "{ search_books(args: {word: <string>}) { id } }",
  "{ cheap(args: {most: <int>}) { id } }",
  "{ __type(name: <string>) { name } book(limit: <int>) { id } }",
  "{ now(place: <string>) book(limit: <int>) { id } }",
  "{ _entities(representations: [{__typename: <string>, id: <int>}]) { ... on book { id title } } }",
  "mutation { insert_book(objects: [{title: <string>}, {title: <string>}]) { affected_rows } }",
  "mutation { insert_book(objects: {title: <string>, mood: calm}) { affected_rows } }",
  "mutation { insert_author_one(object: {name: <string>}) { name } }",
  "mutation { update_book(where: {id: {_eq: <int>}}, _set: {title: <string>}) { affected_rows } }",
  "mutation { delete_book(where: {id: {_gt: <int>}}) { affected_rows } }",
  "subscription { book(where: {id: {_eq: <int>}}) { id } }",
  "subscription { book_stream(batch_size: <int>, cursor: {initial_value: {id: <int>}}) { id } }",
];
const relayTexts = [
  "{ book_connection(first: <int>) { edges { node { id title } } } }",
  "{ book_connection(first: <int>, after: <string>) { edges { node { id title } } } }",
  "{ node(id: <string>) { id ... on book { title } } }",
];

const nodeOf = (id: number): string => Buffer.from(JSON.stringify([1, "public", "book", id])).toString("base64");
const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  int: fc.constantFrom("0", "1", "2", "17", "-3", "2147483648", "12345678901234567890"),
  float: fc.constantFrom("1.5", "1.50", "2e3", "0.1"),
  string: fc
    .constantFrom("", "a", "calm", "book", "author", "1", 'say "a"', "back\\slash", "🚲", "%", nodeOf(1), nodeOf(2))
    .map((text) => JSON.stringify(text)),
};

/** Returns an arbitrary of a text with literals. */
function written(text: string): fc.Arbitrary<string> {
  const parts = text.split(/<(\w+)>/);
  const arbitraries = parts.map((part, i) => (i % 2 === 0 ? fc.constant(part) : (values[part] ?? fc.constant(""))));
  return fc.tuple(...arbitraries).map((found) => found.join(""));
}

const asking = (api: SentOperation["api"], of: readonly string[]): fc.Arbitrary<SentOperation> =>
  fc.record({
    role: fc.constantFrom("clerk", "boss", "lone", "admin"),
    backendOnly: fc.constant(false),
    api: fc.constant(api),
    query: fc.constantFrom(...of).chain(written),
    variables: fc.constant(null),
  });

const anything = fc.oneof({ arbitrary: asking("graphql", texts), weight: 8 }, asking("relay", relayTexts));

/** Replaces parameters by their values in the responses of a server. */
const inlined = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) => {
    if (!Array.isArray(value) || typeof value[1] !== "string" || !Array.isArray(value[2])) return value;
    const [url, text, given]: readonly unknown[] = value;
    if (typeof text !== "string" || !Array.isArray(given)) return value;
    return [url, text.replaceAll(/\$(\d+)/g, (_parameter, n) => JSON.stringify(given[Number(n) - 1]))];
  });

/** Lengthens the text beyond the limit for shared plans. */
const alone = (request: SentOperation): SentOperation => ({
  ...request,
  query: `${request.query}${" ".repeat(20_000)}`,
});

describe("Operations that differ in literals", () => {
  const server = new WorldServer();
  const fresh = new WorldServer();
  beforeAll(() => {
    server.serve(start);
    fresh.serve(start);
  });

  it("An operation returns the same result as alone, after any other operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 8 }), async (requests) => {
        for (const request of requests) {
          const answer = inlined(await server.ask(request));
          expect([request, answer]).toEqual([request, inlined(await fresh.ask(alone(request)))]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("An operation returns the same result as alone, after another operation of the same text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...texts)
          .chain((text) => fc.tuple(fc.constantFrom("clerk", "boss"), written(text), written(text))),
        async ([role, ...queries]) => {
          server.generation.plans.clear();
          for (const query of queries) {
            const request: SentOperation = { role, backendOnly: false, api: "graphql", query, variables: null };
            const answer = inlined(await server.ask(request));
            expect([request, answer]).toEqual([request, inlined(await fresh.ask(alone(request)))]);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    ["{ book(limit: 1) { id } }", "{ book(limit: 2) { id } }", true],
    ['{ book(where: {title: {_eq: "a"}}) { id } }', '{ book(where: {title: {_eq: "b"}}) { id } }', true],
    [
      'mutation { insert_book(objects: {title: "a"}) { affected_rows } }',
      'mutation { insert_book(objects: {title: "b"}) { affected_rows } }',
      true,
    ],
    ["{ book(limit: 1) { id } }", '{ book(limit: "1") { id } }', false],
    ["{ book(where: {id: {_in: [1]}}) { id } }", "{ book(where: {id: {_in: [1, 2]}}) { id } }", false],
  ])("Operations share plans if only values differ: %s, %s", (first, second, shared) => {
    const { generation } = server;
    const { plans } = generation;
    plans.clear();
    const schema = generation.schemaOf({ role: "clerk", backendOnly: false });
    const found = [first, second].map((query) => plans.find(schema, { query, operationName: null }, start.planning));
    expect(found[0]?.cached === found[1]?.cached).toBe(shared);
  });
});
