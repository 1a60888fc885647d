/** Relationships that send their keys to a remote schema as one list: `batch`, and entities of Apollo Federation. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  scalar _Any
  union _Entity = Product | Maker
  type Product { sku: String! title: String stock(at: String): Int maker: Maker }
  type Maker { id: ID! name: String }
  type User { id: ID! name: String friends: [User!]! }
  type Post { author: Int! title: String! }
  type Stay { room: String! night: Int! guest: String }
  input StayKey { room: String! night: Int! }
  input Some { ids: [ID!]! active: Boolean }
  type Query {
    _entities(representations: [_Any!]!): [_Entity]!
    users(ids: [ID!]!): [User]!
    found(where: Some!): [User]
    posts(authors: [Int!]!, first: Int): [Post!]!
    stays(keys: [StayKey!]!): [Stay]
    names(ids: [Int!]!): [String]!
    tags(ids: [Int!]!): [[String!]!]!
    one(id: ID!): User
    in: Inner
  }
  type Inner { users(ids: [ID!]!): [User]! }
`;

const user = (id: string) => (Number(id) > 50 ? null : { id, name: `user ${id}`, friends: () => [user("1")] });
/** Overrides the response of the server. */
let answered: ((users: readonly unknown[]) => unknown) | undefined;

const root = {
  _entities: ({ representations }: { representations: readonly { __typename: string; sku?: string; id?: string }[] }) =>
    representations.map(({ __typename, sku, id }) => {
      if (__typename === "Maker") return { __typename, id, name: `maker ${id}` };
      return sku === "gone" ? null : { __typename, sku, title: `title ${sku}`, maker: { id: 1, name: "m" }, stock: 5 };
    }),
  users: ({ ids }: { ids: readonly string[] }) => ids.map(user),
  // Returns items in a different order, and omits missing ones.
  found: ({ where: { ids } }: { where: { ids: readonly string[] } }) => {
    const users = ids.toReversed().map(user);
    return answered ? answered(users) : users;
  },
  posts: ({ authors, first = 9 }: { authors: readonly number[]; first?: number }) =>
    authors
      .filter((author) => author !== 2)
      .flatMap((author) => ["a", "b"].map((title) => ({ author, title })).slice(0, first)),
  stays: ({ keys }: { keys: readonly { room: string; night: number }[] }) =>
    keys.toReversed().map(({ room, night }) => ({ room, night, guest: `${room}/${night}` })),
  names: ({ ids }: { ids: readonly number[] }) => ids.map((id) => (id === 2 ? null : `name ${id}`)),
  tags: ({ ids }: { ids: readonly number[] }) => ids.map((id) => Array.from({ length: id % 3 }, (_, n) => `t${n}`)),
  in: { users: ({ ids }: { ids: readonly string[] }) => ids.map(user) },
};

let remote: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, { root });
  const environment = {
    REMOTE: `http://127.0.0.1:${remote.port}/graphql`,
    ENGINE_GRAPHQL_REMOTE_RELATIONSHIPS_BATCH_SIZE: "4",
  };
  engine = await startTestServer({ environment });
  await query(
    engine.databaseUrl,
    `create table item (id int primary key, owner int, sku text, room text, night int);
     insert into item values (1, 1, 'x', 'a', 1), (2, 2, 'gone', 'b', 2), (3, 1, null, 'a', null), (4, null, 'y', 'b', 1), (5, 77, 'x', 'a', 1);`,
  );
  await engine.metadata("pg_track_table", { table: "item" });
  const definition = { url_from_env: "REMOTE", customization: { type_names: { prefix: "r_" } } };
  await engine.metadata("add_remote_schema", { name: "r", definition });
  for (const [name, lhs_fields, remote_field, batch] of relationships) {
    await engine.metadata("pg_create_remote_relationship", {
      table: "item",
      name,
      definition: to(lhs_fields, remote_field, batch),
    });
  }
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
});

beforeEach(() => {
  remote.requests.length = 0;
  answered = undefined;
});

const to = (lhs_fields: readonly string[], remote_field: object, batch?: object) => ({
  to_remote_schema: { remote_schema: "r", lhs_fields, remote_field, ...(batch && { batch }) },
});
const call = (name: string, args: object) => ({ [name]: { arguments: args } });
const position = { match: "position" };
const representation = (type: string, fields: object) =>
  call("_entities", { representations: [{ __typename: type, ...fields }] });

const relationships: readonly (readonly [string, readonly string[], object, object?])[] = [
  ["placed", ["owner"], call("users", { ids: ["$owner"] }), position],
  ["inner", ["owner"], { in: { arguments: {}, field: call("users", { ids: ["$owner"] }) } }, position],
  ["matched", ["owner"], call("found", { where: { ids: ["$owner"] } }), { match: { owner: "id" } }],
  [
    "posts",
    ["owner"],
    call("posts", { authors: ["$owner"] }),
    { match: { owner: "author" }, relationship_type: "array" },
  ],
  [
    "stay",
    ["room", "night"],
    call("stays", { keys: [{ room: "$room", night: "$night" }] }),
    { match: { night: "night", room: "room" } },
  ],
  ["label", ["owner"], call("names", { ids: ["$owner"] }), position],
  ["tags", ["id"], call("tags", { ids: ["$id"] }), position],
  ["product", ["sku"], representation("Product", { sku: "$sku" })],
  ["maker", ["owner"], representation("Maker", { id: "$owner" })],
];

const ask = async (text: string, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query: text }, headers)).json;
const items = async (selection: string) => {
  const { data, errors } = await ask(`{ item(order_by: {id: asc}) { ${selection} } }`);
  expect(errors).toBeUndefined();
  return data.item;
};
const sent = () => remote.requests.map(({ query: text }) => text);

describe("Batched remote relationships", () => {
  it("A batch requests each key once and matches items by position", async () => {
    const named = (id: number | null) => ({ placed: id && { name: `user ${id}` } });
    expect(await items("placed { name }")).toEqual([named(1), named(2), named(1), named(null), named(null)]);
    expect(sent()).toEqual(["query { f0: users(ids: [1, 2, 77]) { name } }"]);
    expect(await items("inner { name }")).toMatchObject([{ inner: { name: "user 1" } }, {}, {}, { inner: null }, {}]);
  });

  it("A batch matches items by their fields, in any order and with missing items", async () => {
    const named = (id: number | null) => ({ matched: id && { friends: [{ name: "user 1" }] } });
    expect(await items("matched { friends { name } }")).toEqual([
      named(1),
      named(2),
      named(1),
      named(null),
      named(null),
    ]);
    expect(sent()).toEqual(["query { f0: found(where: {ids: [1, 2, 77]}) { _join_1: id friends { name } } }"]);
    // Aliases of the request are not confused with keys.
    expect(await items("matched { _join_1: name }")).toMatchObject([
      { matched: { _join_1: "user 1" } },
      {},
      {},
      {},
      {},
    ]);
    expect(await ask("{ item(limit: 1, order_by: {id: asc}) { matched(where: {active: true}) { id } } }")).toEqual({
      data: { item: [{ matched: { id: "1" } }] },
    });
  });

  it("A batch may return several items per key and accepts arguments", async () => {
    const expected = (titles: readonly string[] | null) => ({ posts: titles?.map((title) => ({ title })) ?? null });
    expect(await items("posts { title }")).toEqual([["a", "b"], [], ["a", "b"], null, ["a", "b"]].map(expected));
    expect(await items("posts(first: 1) { title }")).toEqual([["a"], [], ["a"], null, ["a"]].map(expected));
  });

  it("A batch may use several keys", async () => {
    const guest = (name: string | null) => ({ stay: name && { guest: name } });
    expect(await items("stay { guest }")).toEqual(["a/1", "b/2", null, "b/1", "a/1"].map(guest));
    expect(sent()[0]).toContain('keys: [{room: "a", night: 1}, {room: "b", night: 2}, {room: "b", night: 1}]');
  });

  it("A batch may return scalars and lists", async () => {
    expect(await items("label tags")).toEqual([
      { label: "name 1", tags: ["t0"] },
      { label: null, tags: ["t0", "t1"] },
      { label: "name 1", tags: [] },
      { label: null, tags: ["t0"] },
      { label: "name 77", tags: ["t0", "t1"] },
    ]);
    // A list contains the maximum number of keys.
    expect(sent().toSorted()).toEqual([
      "query { f0: names(ids: [1, 2, 77]) f1: tags(ids: [1]) }",
      "query { f0: tags(ids: [2, 3, 4, 5]) }",
    ]);
  });

  it("A batch with aliases shares one request", async () => {
    await items("a: maker { id } product { title }");
    expect(sent()).toHaveLength(2);
    remote.requests.length = 0;
    await ask("{ item(where: {id: {_eq: 1}}) { a: placed { id } b: placed { name } maker { name } } }");
    expect(sent()).toEqual([
      'query { f0: users(ids: [1]) { id } f1: users(ids: [1]) { name } f2: _entities(representations: [{__typename: "Maker", id: 1}]) { ... on Maker { name } } }',
    ]);
  });

  it.each([
    ["errors of the server", () => Promise.reject(new Error("no")), /Errors from remote server/],
    ["several items of one key", (users: readonly unknown[]) => [...users, ...users], /several items for one key/],
  ])("A batch fails with %s", async (_, what, message) => {
    answered = what;
    const { errors } = await ask("{ item { matched { id } } }");
    expect(errors[0].message).toMatch(message);
  });

  it("A batch may have missing items and members", async () => {
    answered = () => [null, { id: 1, name: "n", friends: [] }];
    expect(await items("matched { name }")).toMatchObject([{ matched: { name: "n" } }, { matched: null }, {}, {}, {}]);
    answered = () => null;
    expect(await items("matched { name }")).toMatchObject([{ matched: null }, {}, {}, {}, {}]);
  });
});

describe("Entities of federated subgraphs", () => {
  it("Entities are requested by their representations in one field", async () => {
    expect(await items('product { __typename title stock(at: "now") maker { name } }')).toEqual([
      { product: { __typename: "r_Product", title: "title x", stock: 5, maker: { name: "m" } } },
      { product: null },
      { product: null },
      { product: { __typename: "r_Product", title: "title y", stock: 5, maker: { name: "m" } } },
      { product: { __typename: "r_Product", title: "title x", stock: 5, maker: { name: "m" } } },
    ]);
    expect(sent()).toEqual([
      'query { f0: _entities(representations: [{__typename: "Product", sku: "x"}, {__typename: "Product", sku: "gone"}, {__typename: "Product", sku: "y"}]) { ... on Product { __typename title stock(at: "now") maker { name } } } }',
    ]);
  });

  it("Entities have their type in introspection", async () => {
    const text =
      '{ __type(name: "item") { fields { name type { kind name ofType { name kind ofType { name } } } args { name } } } }';
    const { data } = await ask(text);
    const field = (name: string) => data.__type.fields.find((each: { name: string }) => each.name === name);
    expect(field("product")).toMatchObject({ type: { kind: "OBJECT", name: "r_Product" }, args: [] });
    expect(field("placed").type).toMatchObject({ kind: "OBJECT", name: "r_User" });
    expect(field("posts")).toMatchObject({
      type: { kind: "LIST", ofType: { kind: "NON_NULL", ofType: { name: "r_Post" } } },
      args: [{ name: "first" }],
    });
    expect(field("label").type).toMatchObject({ kind: "SCALAR", name: "String" });
    expect(field("tags").type).toMatchObject({ kind: "LIST", ofType: { kind: "NON_NULL" } });
  });
});

describe("Definitions of batched relationships", () => {
  const create = async (lhs_fields: readonly string[], remote_field: object, batch?: object) => {
    const args = { table: "item", name: "refused", definition: to(lhs_fields, remote_field, batch) };
    const { status, json } = await engine.post("/v1/metadata", { type: "pg_create_remote_relationship", args });
    if (status === 200) await engine.metadata("pg_delete_remote_relationship", { table: "item", name: "refused" });
    return json.internal?.[0]?.reason ?? json.internal?.reason ?? json.error ?? json.message;
  };

  it.each([
    ["one list with one element", ["owner"], call("one", { id: "$owner" }), position],
    ["one list with one element", ["id"], call("posts", { authors: [1] }), position],
    ["no entity", ["sku"], representation("User", { id: "$sku" }), undefined],
    ["__typename", ["sku"], call("_entities", { representations: [{ sku: "$sku" }] }), undefined],
    ['"batch" is not needed', ["sku"], representation("Product", { sku: "$sku" }), position],
    ['is not one of "lhs_fields"', ["owner"], call("users", { ids: ["$owner"] }), { match: { posts: "id" } }],
    ['has no field "none"', ["owner"], call("users", { ids: ["$owner"] }), { match: { owner: "none" } }],
    ['has no field "friends"', ["owner"], call("users", { ids: ["$owner"] }), { match: { owner: "friends" } }],
    [
      '"match" has no field of the items for "night"',
      ["room", "night"],
      call("stays", { keys: [{ room: "$room", night: "$night" }] }),
      { match: { room: "room" } },
    ],
    ["only if they are objects", ["owner"], call("names", { ids: ["$owner"] }), { match: { owner: "id" } }],
    ["cannot be", ["owner"], call("users", { ids: ["$owner"] }), { match: "position", relationship_type: "array" }],
    ["expected 'position'", ["owner"], call("users", { ids: ["$owner"] }), { match: "order" }],
    ["match", ["owner"], call("users", { ids: ["$owner"] }), {}],
  ])("A batch definition that cannot work is refused: %s", async (message, lhs, field, batch) => {
    const reason = await create(lhs, field, batch);
    expect(reason).toContain(message === "no entity" ? "is not an entity of the remote schema" : message);
  });

  it("A batch definition is exported unchanged", async () => {
    const { json } = await engine.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
    const [table] = json.metadata.sources[0].tables;
    const found = table.remote_relationships.find((each: { name: string }) => each.name === "matched");
    expect(found?.definition).toEqual(
      to(["owner"], call("found", { where: { ids: ["$owner"] } }), { match: { owner: "id" } }),
    );
  });

  it("A batch definition follows renamed columns", async () => {
    const sql = (text: string) => engine.post("/v2/query", { type: "run_sql", args: { sql: text } });
    expect((await sql("alter table item rename column owner to holder")).status).toBe(200);
    expect(await items("matched { id } placed { id }")).toMatchObject([
      { matched: { id: "1" }, placed: { id: "1" } },
      {},
      {},
      {},
      {},
    ]);
    expect((await sql("alter table item rename column holder to owner")).status).toBe(200);
  });
});
