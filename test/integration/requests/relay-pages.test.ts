/** The pages of the Relay API, in both directions, and their cursors. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode, encodeSpaced, itemId, relay, server, useRelayServer } from "../../support/relay-server.ts";

useRelayServer();

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly startCursor: string;
    readonly endCursor: string;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

const pageFields = "edges { cursor node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }";

interface Listing {
  readonly orderBy: readonly object[];
  readonly where: object;
  readonly distinctOn: readonly string[];
}

async function pageOf({ orderBy, where, distinctOn }: Listing, paging: object): Promise<Page> {
  const declared = "$order: [item_order_by!], $where: item_bool_exp, $distinct: [item_select_column!]";
  const answer = await relay(
    `query (${declared}, $first: Int, $last: Int, $after: String, $before: String) {
      item_connection(order_by: $order, where: $where, distinct_on: $distinct,
        first: $first, last: $last, after: $after, before: $before) { ${pageFields} }
    }`,
    {
      ...(orderBy.length > 0 ? { order: orderBy } : {}),
      ...(distinctOn.length > 0 ? { distinct: distinctOn } : {}),
      where,
      ...paging,
    },
  );
  if (!answer.data) throw new Error(JSON.stringify(answer));
  return answer.data.item_connection;
}

const nodesOf = ({ edges }: Page) => edges.map(({ node }) => node.id);

/** Returns the same rows from the plain list, with ties broken by the key. */
async function listOf({ orderBy, where, distinctOn }: Listing): Promise<readonly string[]> {
  const declared = "$order: [item_order_by!], $where: item_bool_exp, $distinct: [item_select_column!]";
  const order = [...orderBy, ...(orderBy.length === 0 ? distinctOn.map((name) => ({ [name]: "asc" })) : [])];
  const answer = (await server.graphql(
    `query (${declared}) { item(order_by: $order, where: $where, distinct_on: $distinct) { id } }`,
    {},
    { order: [...order, { id: "asc" }], where, ...(distinctOn.length > 0 ? { distinct: distinctOn } : {}) },
  )) as { readonly data: { readonly item: readonly { readonly id: number }[] } };
  const ids = answer.data.item.map(({ id }) => id);
  // Groups are ordered by their columns; pages without an order are ordered by the key.
  const sorted = orderBy.length === 0 ? [...ids].sort((a, b) => a - b) : ids;
  return sorted.map(itemId);
}

const direction = fc.constantFrom(
  "asc",
  "desc",
  "asc_nulls_first",
  "asc_nulls_last",
  "desc_nulls_first",
  "desc_nulls_last",
);
const columnNames = ["id", "name", "weight", "price", "code", "tags", "extra", "box", "at", "open", "mood"] as const;
const ownColumn = fc.constantFrom(...columnNames);
const ordering: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(ownColumn, direction).map(([name, order]) => ({ [name]: order })) },
  { weight: 1, arbitrary: direction.map((order) => ({ shelf: { label: order } })) },
  { weight: 1, arbitrary: direction.map((order) => ({ shelf: { items_aggregate: { count: order } } })) },
  { weight: 1, arbitrary: direction.map((order) => ({ parts_aggregate: { count: order } })) },
  { weight: 1, arbitrary: direction.map((order) => ({ parts_aggregate: { sum: { grams: order } } })) },
  { weight: 1, arbitrary: direction.map((order) => ({ parts_aggregate: { avg: { grams: order } } })) },
  { weight: 1, arbitrary: direction.map((order) => ({ parts_aggregate: { max: { made: order } } })) },
);
const filter = fc.constantFrom<object>(
  {},
  { open: { _eq: true } },
  { shelf: { floor: { _gt: 0 } } },
  { _not: { weight: { _lt: 0.25 } } },
  { id: { _gt: 100 } },
);
const listing: fc.Arbitrary<Listing> = fc
  .tuple(fc.array(ordering, { maxLength: 3 }), filter, fc.option(fc.constantFrom("name", "open", "mood")))
  .map(([orderBy, where, distinct]) => {
    if (distinct === null) return { orderBy, where, distinctOn: [] };
    const others = orderBy.filter((item) => !(distinct in item));
    return { orderBy: orderBy.length === 0 ? [] : [{ [distinct]: "desc" }, ...others], where, distinctOn: [distinct] };
  });

/** Pages through all rows; checks the page information of each page. */
async function allPages(rows: Listing, size: number, isForward: boolean): Promise<readonly string[]> {
  const pages: Page[] = [];
  for (let hasMore = true; hasMore; ) {
    const last = pages.at(-1)?.pageInfo;
    const cursor = isForward ? { after: last?.endCursor } : { before: last?.startCursor };
    const page = await pageOf(rows, { [isForward ? "first" : "last"]: size, ...(last ? cursor : {}) });
    const { pageInfo, edges } = page;
    expect(pageInfo.startCursor).toBe(edges[0]?.cursor ?? "");
    expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor ?? "");
    expect(edges.length).toBeLessThanOrEqual(size);
    expect(isForward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(pages.length > 0);
    hasMore = isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    pages.push(page);
  }
  const inOrder = isForward ? pages : pages.reverse();
  return inOrder.flatMap(nodesOf);
}
describe("Relay connection pages in requests", () => {
  it("Pages cover the whole list forward and backward in any order", async () => {
    const paged = fc.record({ rows: listing, size: fc.integer({ min: 1, max: 9 }), isForward: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(paged, async ({ rows, size, isForward }) => {
        const expected = await listOf(rows);
        const whole = await pageOf(rows, {});
        expect(nodesOf(whole)).toEqual(expected);
        expect(whole.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
        expect(await allPages(rows, size, isForward)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("A page may be bounded by both kinds of cursor", async () => {
    const rows = { orderBy: [{ name: "desc" }, { at: "asc_nulls_first" }], where: {}, distinctOn: [] };
    const { edges } = await pageOf(rows, {});
    const [at, all] = [9, edges.map(({ node }) => node.id)];
    const before = await pageOf(rows, { first: 5, before: edges[at]?.cursor });
    expect(nodesOf(before)).toEqual(all.slice(0, 5));
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const after = await pageOf(rows, { last: 5, after: edges[at]?.cursor });
    expect(nodesOf(after)).toEqual(all.slice(-5));
    expect(after.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const few = await pageOf(rows, { last: 50, after: edges[at]?.cursor });
    expect(nodesOf(few)).toEqual(all.slice(at + 1));
    expect(few.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it("Pages beyond the ends are empty", async () => {
    const rows = { orderBy: [], where: {}, distinctOn: [] };
    const empty = { startCursor: "", endCursor: "", hasNextPage: false, hasPreviousPage: false };
    expect(await pageOf(rows, { first: 0 })).toEqual({ edges: [], pageInfo: empty });
    expect(await pageOf(rows, { first: 3, after: encode({ id: 1000 }) })).toEqual({ edges: [], pageInfo: empty });
    expect(await pageOf(rows, { last: 3, before: encode({ id: 0 }) })).toEqual({ edges: [], pageInfo: empty });
  });

  it("Parts of a page may be selected", async () => {
    const answer = await relay(`{
      item_connection(first: 2) { __typename pageInfo { __typename hasPreviousPage } }
      flags: item_connection(first: 2) { pageInfo { hasNextPage } }
      cursors: item_connection(last: 1) { a: edges { __typename } b: edges { cursor node { mood } } }
    }`);
    expect(answer.data).toEqual({
      item_connection: {
        __typename: "itemConnection",
        pageInfo: { __typename: "PageInfo", hasPreviousPage: false },
      },
      flags: { pageInfo: { hasNextPage: true } },
      cursors: {
        a: [{ __typename: "itemEdge" }],
        b: [{ cursor: Buffer.from('{"id" : 29}').toString("base64"), node: { mood: "ünï" } }],
      },
    });
  });

  it("Pages exist on relationships and functions within each parent", async () => {
    const answer = await relay(`{
      shelf_connection { edges { node { label items_connection(first: 1, order_by: {name: desc_nulls_last}) {
        edges { node { name shelf { id } } } pageInfo { hasNextPage }
      } } } }
      items_like_connection(args: {search: "3"}, last: 1) { edges { node { id name parts { no } } } pageInfo { hasPreviousPage } }
      part_connection(first: 1, order_by: {made: desc}) { edges { cursor node { id item { id } } } }
    }`);
    const items = (name: string, shelf: number) => ({
      edges: [{ node: { name, shelf: { id: encodeSpaced(`[1, "public", "shelf", ${shelf}]`) } } }],
      pageInfo: { hasNextPage: true },
    });
    expect(answer.data).toEqual({
      shelf_connection: {
        edges: [
          { node: { label: "low", items_connection: items("n1", 1) } },
          { node: { label: null, items_connection: items("n2", 2) } },
          { node: { label: "high", items_connection: items("n3", 3) } },
        ],
      },
      items_like_connection: {
        edges: [{ node: { id: itemId(27), name: "n3", parts: [{ no: "a" }, { no: "b" }, { no: "c" }] } }],
        pageInfo: { hasPreviousPage: true },
      },
      part_connection: {
        edges: [
          {
            cursor: encodeSpaced('{"made" : "2020-03-01", "no" : "a", "item_id" : 2}'),
            node: { id: encodeSpaced('[1, "public", "part", "a", 2]'), item: { id: itemId(2) } },
          },
        ],
      },
    });
  });
});

describe("Relay cursors in requests", () => {
  const page = (args: string, variables: object = {}, declared = "") =>
    relay(`query ${declared} { item_connection(${args}) { edges { cursor } } }`, variables);
  const refused = (message: string, path = "$.selectionSet.item_connection.args") => ({
    errors: [{ message, extensions: { path, code: "validation-failed" } }],
  });
  const invalid = refused('the "after" or "before" cursor is invalid');

  it("A cursor must belong to the ordering", async () => {
    const declared = "($c: String)";
    for (const c of [
      "",
      "x",
      encode(1),
      encode([]),
      encode({}),
      encode({ name: "a" }),
      encode({ id: {} }),
      encode({ id: [] }),
    ]) {
      expect(await page("after: $c", { c }, declared)).toEqual(invalid);
      expect(await page(`before: ${JSON.stringify(c)}`)).toEqual(invalid);
    }
    expect(await page(`after: "${encode({ id: 1 })}", order_by: {name: asc}`)).toEqual(invalid);
  });

  it("A cursor and a page size may be given only once and in one direction", async () => {
    expect(await page(`after: "x", before: "y"`)).toEqual(refused('"after" and "before" are not allowed at once'));
    expect(await page("first: 1, last: 1")).toEqual(refused('"first" and "last" are not allowed at once'));
    expect(await page("first: -1")).toEqual(
      refused(
        "expected a non-negative 32-bit integer for type 'Int', but found an integer",
        "$.selectionSet.item_connection.args.first",
      ),
    );
  });

  it("A cursor with values of wrong types is an error of the request", async () => {
    for (const id of ["x", 1.5, 1e300, true, "\u0000"]) {
      const answer = await page(`after: "${encode({ id })}"`);
      expect(answer.errors[0].extensions.code).toBe("data-exception");
    }
  });

  it("Cursors with different nulls do not share a plan", async () => {
    const rows = { orderBy: [{ name: "asc_nulls_first" }], where: {}, distinctOn: [] };
    const { edges } = await pageOf(rows, {});
    for (const [i, { cursor }] of edges.entries()) {
      expect(nodesOf(await pageOf(rows, { after: cursor }))).toEqual(edges.slice(i + 1).map(({ node }) => node.id));
    }
  });
});
