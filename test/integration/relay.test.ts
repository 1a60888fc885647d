/** The Relay API over HTTP and WebSockets: global ids, pages in both directions, errors, what roles see. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

const schema = `
  create table shelf (id integer primary key, label text, floor integer);
  create type size as (height integer, width integer);
  create table item (
    id integer primary key, name text, weight real, price numeric, code bigint, tags integer[], extra jsonb, box size,
    at timestamptz, open boolean, mood text not null, shelf_id integer references shelf
  );
  create table part (
    item_id integer not null references item, no text not null, grams real, made date, primary key (no, item_id)
  );
  create view open_item as select * from item where open;
  create table sealed (key jsonb primary key, spots integer[] not null);
  create function items_like(search text) returns setof item language sql stable as
    $$ select * from item where name like '%' || search || '%' $$;

  insert into shelf values (1, 'low', 1), (2, null, 2), (3, 'high', null);
  insert into item
    select i, case when i % 5 > 0 then 'n' || i % 4 end, case when i % 3 > 0 then i % 4 * 0.1 end,
      case when i % 7 > 0 then (i % 3)::numeric / 7 end, case when i % 4 > 0 then 9007199254740993 + i % 3 end,
      case when i % 6 > 0 then array[i % 2, null, i % 3] end,
      case i % 4 when 0 then null when 1 then 'null'::jsonb when 2 then '"x\\"y"' else '{"a": [1, "b"]}' end,
      case when i % 5 > 1 then row(i % 2, null)::size end,
      case when i % 5 > 0 then timestamptz '2020-01-01 00:00:00.123456+00' + i % 4 * interval '1 microsecond' end,
      case when i % 3 > 0 then i % 2 = 0 end, (array['grim', E'glad\\nsad', 'ünï'])[1 + i % 3],
      case when i % 4 > 0 then i % 4 end
    from generate_series(1, 29) i;
  insert into part
    select i, chr(96 + n), case when n > 1 then n * 0.1 * (i % 3) end, date '2020-02-28' + i % 3
    from generate_series(1, 29) i, generate_series(1, 3) n where n <= i % 4;
  insert into sealed values ('{"a": "ü"}', '{1,2}'), ('"text"', '{}'), ('null', '{3}');
`;

const table = (name: string, more: object = {}) => ({ table: { schema: "public", name }, ...more });
const select = (role: string, permission: object) => ({
  role,
  permission: { columns: "*", filter: {}, ...permission },
});
const column = (columns: readonly string[]) => ({ columns, filter: {} });

const tables = [
  table("shelf", {
    array_relationships: [
      {
        name: "items",
        using: { foreign_key_constraint_on: { table: { schema: "public", name: "item" }, column: "shelf_id" } },
      },
    ],
    select_permissions: [{ role: "reader", permission: { columns: ["label"], filter: {} } }],
  }),
  table("item", {
    object_relationships: [{ name: "shelf", using: { foreign_key_constraint_on: "shelf_id" } }],
    array_relationships: [
      {
        name: "parts",
        using: { foreign_key_constraint_on: { table: { schema: "public", name: "part" }, column: "item_id" } },
      },
      {
        name: "open_items",
        using: {
          manual_configuration: { remote_table: { schema: "public", name: "open_item" }, column_mapping: { id: "id" } },
        },
      },
    ],
    insert_permissions: [{ role: "reader", permission: { ...column(["name"]), check: {}, backend_only: true } }],
    select_permissions: [
      select("reader", { columns: ["name", "mood"], filter: { weight: { _lt: 0.25 } }, limit: 4 }),
      select("listed", { query_root_fields: ["select"], subscription_root_fields: ["select_by_pk"] }),
      select("related", { query_root_fields: [] }),
    ],
  }),
  table("part", {
    object_relationships: [{ name: "item", using: { foreign_key_constraint_on: "item_id" } }],
  }),
  table("open_item"),
  table("sealed"),
];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(server.databaseUrl, schema);
  await server.metadata("replace_metadata", {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        tables,
        functions: [{ function: { schema: "public", name: "items_like" } }],
        configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      },
    ],
  });
});

afterAll(() => server?.close());

async function relay(document: string, variables: object = {}, headers: Record<string, string> = {}) {
  const answer = await server.post("/v1beta1/relay", { query: document, variables }, headers);
  expect(answer.status).toBe(200);
  return answer.json;
}

const role = (name: string) => ({ "x-engine-role": name });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
const itemId = (id: number) => Buffer.from(`[1, "public", "item", ${id}]`).toString("base64");

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

/** The same rows by the plain list, in an order whose ties the key breaks. */
async function listOf({ orderBy, where, distinctOn }: Listing): Promise<readonly string[]> {
  const declared = "$order: [item_order_by!], $where: item_bool_exp, $distinct: [item_select_column!]";
  const order = [...orderBy, ...(orderBy.length === 0 ? distinctOn.map((name) => ({ [name]: "asc" })) : [])];
  const answer = (await server.graphql(
    `query (${declared}) { item(order_by: $order, where: $where, distinct_on: $distinct) { id } }`,
    {},
    { order: [...order, { id: "asc" }], where, ...(distinctOn.length > 0 ? { distinct: distinctOn } : {}) },
  )) as { readonly data: { readonly item: readonly { readonly id: number }[] } };
  const ids = answer.data.item.map(({ id }) => id);
  // Groups come in the order of their columns, pages without an order in that of the key.
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

/** Turns over all pages; checks what each says of itself. */
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

describe("the pages of a connection", () => {
  it("are the whole list, forward and backward, in any order", async () => {
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

  it("end at the other kind of cursor, too", async () => {
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

  it("are empty beyond the ends", async () => {
    const rows = { orderBy: [], where: {}, distinctOn: [] };
    const empty = { startCursor: "", endCursor: "", hasNextPage: false, hasPreviousPage: false };
    expect(await pageOf(rows, { first: 0 })).toEqual({ edges: [], pageInfo: empty });
    expect(await pageOf(rows, { first: 3, after: encode({ id: 1000 }) })).toEqual({ edges: [], pageInfo: empty });
    expect(await pageOf(rows, { last: 3, before: encode({ id: 0 }) })).toEqual({ edges: [], pageInfo: empty });
  });

  it("may be asked for in part", async () => {
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

  it("stand on relationships and functions, within each parent", async () => {
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

const encodeSpaced = (text: string) => Buffer.from(text).toString("base64");

describe("a global id", () => {
  it("leads back to its row, whatever its key is made of", async () => {
    for (const [type, fields] of [
      ["part", "no"],
      ["sealed", "spots"],
      ["item", "mood"],
    ] as const) {
      const listed = await relay(`{ ${type}_connection { edges { node { __typename id ${fields} } } } }`);
      for (const { node } of listed.data[`${type}_connection`].edges) {
        const found = await relay(
          `query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${fields} } ... on Node { again: id } } }`,
          { id: node.id },
        );
        expect(found.data.node).toEqual({ ...node, again: node.id });
      }
    }
  });

  it("of one table does not run the plan of another", async () => {
    const document = "query ($id: ID!) { node(id: $id) { __typename id } }";
    const ids = [itemId(1), encodeSpaced('[1, "public", "shelf", 1]'), itemId(2), itemId(1000)];
    const found = [];
    for (const id of ids) found.push((await relay(document, { id })).data.node?.__typename ?? null);
    expect(found).toEqual(["item", "shelf", "item", null]);
    const wrong = await relay(document, { id: encodeSpaced('[1, "public", "item", 1, 2]') });
    expect(wrong.errors[0].message).toBe("invalid node id: unexpected column values [2]");
  });

  it("is part of what a mutation answers", async () => {
    const document = `mutation { insert_shelf_one(object: {id: 9, label: "new"}) { id items_connection { edges { cursor } } } }`;
    const removed = `mutation { delete_shelf(where: {id: {_eq: 9}}) { returning { id label } } }`;
    const id = encodeSpaced('[1, "public", "shelf", 9]');
    expect(await relay(document)).toEqual({ data: { insert_shelf_one: { id, items_connection: { edges: [] } } } });
    expect(await relay(removed)).toEqual({ data: { delete_shelf: { returning: [{ id, label: "new" }] } } });
  });

  const hostile: readonly (readonly [string, unknown, string])[] = [
    ["that is no JSON", "random", "Error in $: Failed reading: not a valid json value at '\u00ad\u00a9\u00dd\u00a2'"],
    ["that is empty", "", "Error in $: Failed reading: not a valid json value at ''"],
    ["of an object", encode({}), "Error in $: parsing node id failed, expected Array, but encountered Object"],
    ["of null", encode(null), "Error in $: parsing node id failed, expected Array, but encountered Null"],
    ["of an empty list", encode([]), "Error in $: unexpected GUID format, found empty list"],
    ["without a version", encode(["1"]), "Error in $: unexpected GUID format, needs to start with a version number"],
    ["of another version", encode([1.5, "public", "item", 1]), "Error in $: unsupported GUID version: 1.5"],
    ["of a far version", encode([2e9, "public", "item", 1]), "Error in $: unsupported GUID version: 2000000000"],
    [
      "without a key",
      encode([1, "public", "item"]),
      "Error in $: GUID version 1: expecting schema name, table name and at least one column value",
    ],
    [
      "whose names are no texts",
      encode([1, {}, [], 1]),
      "Error in $: GUID version 1: expecting schema name, table name and at least one column value",
    ],
    ["of no table", encode([1, "public", "nothing", 1]), "no such table found: 'public.nothing'"],
    ["of a table without a key", encode([1, "public", "open_item", 1]), "no such table found: 'public.open_item'"],
    [
      "of a member that every object has",
      encode([1, "public", "toString", 1]),
      "no such table found: 'public.toString'",
    ],
    ["of a prototype", encode([1, "__proto__", "constructor", 1]), "no such table found: '__proto__.constructor'"],
    ["with part of the key", encode([1, "public", "part", "a"]), "primary key columns ['item_id'] are missing"],
  ];
  it.each(hostile)("%s is refused", async (_what, id, message) => {
    for (const [document, variables] of [
      ["query ($id: ID!) { node(id: $id) { id } }", { id }],
      [`{ node(id: ${JSON.stringify(id)}) { id } }`, {}],
    ] as const) {
      expect(await relay(document, variables)).toEqual({
        errors: [
          {
            message: `invalid node id: ${message}`,
            extensions: { path: "$.selectionSet.node.args.id", code: "validation-failed" },
          },
        ],
      });
    }
  });

  it("with values that the key does not take is an error of the request", async () => {
    const values = [
      ["x", null],
      ["x", {}],
      ["x", "1; drop table part"],
      ["x", 99999999999999],
      [[], 1],
      ["\u0000", 1],
    ];
    for (const key of values) {
      const answer = await relay("query ($id: ID!) { node(id: $id) { id } }", {
        id: encode([1, "public", "part", ...key]),
      });
      if (answer.errors) expect(["parse-failed", "data-exception"]).toContain(answer.errors[0].extensions.code);
      else expect(answer.data.node).toBeNull();
    }
  });
});

describe("a cursor", () => {
  const asked = (args: string, variables: object = {}, declared = "") =>
    relay(`query ${declared} { item_connection(${args}) { edges { cursor } } }`, variables);
  const refused = (message: string, path = "$.selectionSet.item_connection.args") => ({
    errors: [{ message, extensions: { path, code: "validation-failed" } }],
  });
  const invalid = refused('the "after" or "before" cursor is invalid');

  it("has to be one of this order", async () => {
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
      expect(await asked("after: $c", { c }, declared)).toEqual(invalid);
      expect(await asked(`before: ${JSON.stringify(c)}`)).toEqual(invalid);
    }
    expect(await asked(`after: "${encode({ id: 1 })}", order_by: {name: asc}`)).toEqual(invalid);
  });

  it("stands alone, like the size of a page", async () => {
    expect(await asked(`after: "x", before: "y"`)).toEqual(refused('"after" and "before" are not allowed at once'));
    expect(await asked("first: 1, last: 1")).toEqual(refused('"first" and "last" are not allowed at once'));
    expect(await asked("first: -1")).toEqual(
      refused(
        "expected a non-negative 32-bit integer for type 'Int', but found an integer",
        "$.selectionSet.item_connection.args.first",
      ),
    );
  });

  it("with values of other types is an error of the request", async () => {
    for (const id of ["x", 1.5, 1e300, true, "\u0000"]) {
      const answer = await asked(`after: "${encode({ id })}"`);
      expect(answer.errors[0].extensions.code).toBe("data-exception");
    }
  });

  it("whose nulls differ does not run the plan of another", async () => {
    const rows = { orderBy: [{ name: "asc_nulls_first" }], where: {}, distinctOn: [] };
    const { edges } = await pageOf(rows, {});
    for (const [i, { cursor }] of edges.entries()) {
      expect(nodesOf(await pageOf(rows, { after: cursor }))).toEqual(edges.slice(i + 1).map(({ node }) => node.id));
    }
  });
});

describe("a role", () => {
  it("sees pages as large as its permission allows, of the rows that it may read", async () => {
    const document = "{ item_connection { edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }";
    const answer = await relay(document, {}, role("reader"));
    const { edges, pageInfo } = answer.data.item_connection;
    expect(edges).toHaveLength(4);
    expect(pageInfo).toEqual({ hasNextPage: true, endCursor: edges[3].cursor });
    const hidden = await relay("query ($id: ID!) { node(id: $id) { id } }", { id: itemId(7) }, role("reader"));
    expect(hidden.data.node).toBeNull();
    const part = encode([1, "public", "part", "a", 1]);
    const absent = await relay("query ($id: ID!) { node(id: $id) { id } }", { id: part }, role("reader"));
    expect(absent.errors[0].message).toBe("invalid node id: no such table found: 'public.part'");
  });

  it("has the root fields that its permission lists", async () => {
    const rootsOf = async (name: string) => {
      const type = (root: string) => `${root}: __type(name: "${root}_root") { fields { name } }`;
      const { data } = await relay(`{ ${type("query")} ${type("subscription")} }`, {}, role(name));
      const names = (root: { readonly fields: readonly { readonly name: string }[] } | null) =>
        root?.fields.map((field) => field.name) ?? [];
      return { query: names(data.query), subscription: names(data.subscription) };
    };
    expect(await rootsOf("listed")).toEqual({
      query: ["item_connection", "items_like_connection"],
      subscription: ["node"],
    });
    expect(await rootsOf("related")).toMatchObject({ query: ["no_queries_available"] });
    expect(await rootsOf("nobody")).toMatchObject({ query: ["no_queries_available"], subscription: [] });
  });

  it("has mutations that are for backends where it asks as one", async () => {
    const document = `{ __type(name: "mutation_root") { fields { name } } }`;
    const backend = { ...role("reader"), "x-engine-use-backend-only-permissions": "true" };
    expect((await relay(document, {}, role("reader"))).data.__type).toBeNull();
    expect((await relay(document, {}, backend)).data.__type.fields).toContainEqual({ name: "insert_item_one" });
  });
});

describe("the Relay schema", () => {
  it("shows itself", async () => {
    const { data } = await relay(`{
      node: __type(name: "Node") { kind description fields { name type { name ofType { name } } } possibleTypes { name } }
      item: __type(name: "item") { interfaces { name } fields { name } }
      view: __type(name: "open_item") { interfaces { name } fields { name type { name } } }
      connection: __type(name: "itemConnection") { description fields { name } }
    }`);
    expect(data.node).toEqual({
      kind: "INTERFACE",
      description: "An object with globally unique ID",
      fields: [{ name: "id", type: { name: null, ofType: { name: "ID" } } }],
      possibleTypes: ["item", "part", "sealed", "shelf"].map((name) => ({ name })),
    });
    expect(data.item.interfaces).toEqual([{ name: "Node" }]);
    const names = data.item.fields.map(({ name }: { readonly name: string }) => name);
    expect(names.filter((name: string) => /^(parts|open_items)/.test(name))).toEqual([
      "open_items",
      "open_items_aggregate",
      "parts",
      "parts_aggregate",
      "parts_connection",
    ]);
    expect(data.view.interfaces).toEqual([]);
    expect(data.view.fields).toContainEqual({ name: "id", type: { name: "Int" } });
    expect(data.connection).toEqual({
      description: 'A Relay connection object on "item"',
      fields: [{ name: "edges" }, { name: "pageInfo" }],
    });
  });

  it("has no plain lists, and its fields are not in the other schema", async () => {
    expect((await relay("{ item { name } }")).errors[0].message).toBe("field 'item' not found in type: 'query_root'");
    expect(await server.graphql("{ item_connection { edges { cursor } } }")).toMatchObject({
      errors: [{ message: "field 'item_connection' not found in type: 'query_root'" }],
    });
  });

  it("refuses fields that an interface does not have", async () => {
    const id = itemId(1);
    for (const [fields, message, path] of [
      ["mood", "field 'mood' not found in type: 'Node'", "$.selectionSet.node.selectionSet.mood"],
      ["... on shelf { mood }", "field 'mood' not found in type: 'shelf'", "$.selectionSet.node.selectionSet.mood"],
      [
        "... on item { ... on Node { mood } }",
        "field 'mood' not found in type: 'Node'",
        "$.selectionSet.node.selectionSet.mood",
      ],
    ] as const) {
      const answer = await relay(`{ node(id: "${id}") { ${fields} } }`);
      expect(answer.errors).toEqual([{ message, extensions: { path, code: "validation-failed" } }]);
    }
  });
});

describe("over a WebSocket, the Relay API", () => {
  it("answers queries and live queries", async () => {
    const client = await WebsocketClient.open(server.url, { path: "/v1beta1/relay", protocol: "graphql-transport-ws" });
    try {
      client.send({ type: "connection_init" });
      const next = async () => {
        for (;;) {
          const message = JSON.parse(await client.text());
          if (message.type === "next" || message.type === "error") return message;
        }
      };
      const document = `($id: ID!) { node(id: $id) { ... on shelf { label } } }`;
      const variables = { id: encode([1, "public", "shelf", 3]) };
      client.send({ type: "subscribe", id: "q", payload: { query: `query ${document}`, variables } });
      expect(await next()).toMatchObject({ id: "q", payload: { data: { node: { label: "high" } } } });
      const pages =
        "($after: String) { shelf_connection(first: 1, after: $after, order_by: {floor: desc}) { edges { node { label } } pageInfo { hasPreviousPage } } }";
      const after = { after: encode({ floor: null, id: 3 }) };
      client.send({ type: "subscribe", id: "s", payload: { query: `subscription ${pages}`, variables: after } });
      const page = (label: string | null) => ({ edges: [{ node: { label } }], pageInfo: { hasPreviousPage: true } });
      expect(await next()).toMatchObject({ id: "s", payload: { data: { shelf_connection: page(null) } } });
      await query(server.databaseUrl, "update shelf set label = 'middle' where id = 2");
      expect(await next()).toMatchObject({ id: "s", payload: { data: { shelf_connection: page("middle") } } });
      await query(server.databaseUrl, "update shelf set label = null where id = 2");
    } finally {
      client.ws.terminate();
    }
  });
});

it("is refused where it is switched off", async () => {
  const off = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_ENABLE_RELAY: "false" } });
  try {
    const answer = await off.post("/v1beta1/relay", { query: "{ node(id: 1) { id } }" });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      error:
        "The Relay API is disabled. To enable it, set the ENGINE_GRAPHQL_ENABLE_RELAY environment variable to 'true'.",
      path: "$",
      code: "not-supported",
    });
  } finally {
    await off.stop();
  }
});
