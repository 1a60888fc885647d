/** Saved operations with actions, served from precompiled plans by a live server and an artifact. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { replaceConsistently } from "../../support/consistent-metadata.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";
import { expectServedAhead, planSources } from "../../support/plan-sources.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const order = (id: number, parts: readonly unknown[] = []) => ({
  id,
  buyer: id % 3,
  price: 1.5,
  size: "LARGE",
  to: { city: "Rome" },
  parts,
});

/** Operations with values for their variables. */
const operations: Readonly<Record<string, readonly [query: string, ...variables: object[]]>> = {
  place: [
    `mutation Place($items: [Item!]!, $note: json, $with: Boolean!) {
      insert_person_one(object: {id: 9, name: "New"}, on_conflict: {constraint: person_pkey, update_columns: [name]}) { id }
      a: place(items: $items, note: $note) {
        number: id __typename size to { city } person { name notes(limit: 1) { text } }
        parts @include(if: $with) { id person { name } shelf { place } }
      }
      place(items: {book: 7, parts: [{book: 8}, {book: 9, size: SMALL}]}, note: {a: [1, $note, "x"]}) { shelf { place } }
    }`,
    { items: [{ book: 1 }], with: true },
    { items: { book: "2", size: "LARGE", parts: [{ book: 3 }] }, note: { deep: [1.5, null] }, with: false },
    { items: [], note: null, with: true },
    // Invalid values must yield the same error message.
    { items: [{ book: 1, size: "HUGE" }], with: true },
    { items: [{ size: "LARGE" }], with: true },
  ],
  standard: [
    `query Standard($item: Item = {book: 5, size: SMALL}, $most: Int = 2) { sizes(like: $item, most: $most) }`,
    {},
    { item: { book: 6 }, most: 1 },
    { item: null, most: null },
    { most: "x" },
  ],
  nothing: ["query Nothing { all: sizes }", {}],
  beside: [
    `query Beside($id: Int!, $name: String = "Bob") {
      find(id: $id) { id person { name } people: parts { person { id name } } }
      person(where: {name: {_eq: $name}}) { id }
    }`,
    { id: 1, name: "Ann" },
    { id: 2 },
    { id: 7 },
  ],
};

const person = {
  table: "person",
  select_permissions: [{ role: "clerk", permission: { columns: ["id", "name"], filter: { id: { _lt: 9 } } } }],
  insert_permissions: [{ role: "clerk", permission: { columns: ["id", "name"], check: {} } }],
  update_permissions: [{ role: "clerk", permission: { columns: ["name"], filter: {} } }],
  array_relationships: [{ name: "notes", using: { foreign_key_constraint_on: { table: "note", column: "person" } } }],
};
const clerk = { "x-engine-role": "clerk", "x-engine-user-id": "7" };
const forClerk = [{ role: "clerk" }];
const select = (columns: readonly string[]) => [{ role: "clerk", permission: { columns, filter: {} } }];
const fields = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([name, type]) => ({ name, type }));
const toShelf = { relationship_type: "object", source: "other", table: "shelf", field_mapping: { id: "id" } };
const beside = {
  relationships: [{ name: "person", type: "object", remote_table: "person", field_mapping: { buyer: "id" } }],
  remote_relationships: [{ name: "shelf", definition: { to_source: toShelf } }],
};
const action = (name: string, type: string, output_type: string, args: Readonly<Record<string, string>>) => ({
  name,
  definition: {
    type,
    kind: "synchronous",
    handler: `{{HANDLER}}/${name}`,
    output_type,
    arguments: fields(args),
  },
  permissions: forClerk,
});
const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [person, { table: "note", select_permissions: select(["text"]) }],
    },
    {
      name: "other",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "OTHER" } } },
      tables: [{ table: "shelf", select_permissions: select(["id", "place"]) }],
    },
  ],
  custom_types: {
    scalars: [{ name: "Money" }],
    enums: [{ name: "Size", values: [{ value: "SMALL" }, { value: "LARGE" }] }],
    input_objects: [
      {
        name: "Item",
        fields: [
          { name: "book", type: "Int!" },
          { name: "size", type: "Size" },
          { name: "parts", type: "[Item!]" },
        ],
      },
    ],
    objects: [
      {
        name: "Order",
        fields: fields({ id: "Int!", buyer: "Int", price: "Money", size: "Size", to: "Address", parts: "[Order!]!" }),
        ...beside,
      },
      { name: "Parcel", fields: fields({ id: "Int!", buyer: "Int" }), ...beside },
      { name: "Address", fields: [{ name: "city", type: "String" }] },
    ],
  },
  actions: [
    action("place", "mutation", "Order!", { items: "[Item!]!", note: "json" }),
    action("find", "query", "Order", { id: "Int!" }),
    action("sizes", "query", "[Size!]", { like: "Item", most: "Int" }),
    {
      name: "later",
      definition: {
        kind: "asynchronous",
        handler: "{{HANDLER}}/find",
        output_type: "Parcel",
        arguments: [{ name: "id", type: "Int!" }],
      },
      permissions: forClerk,
    },
  ],
  query_collections: [
    {
      name: "desk",
      definition: {
        queries: [
          ...Object.entries(operations).map(([name, [query]]) => ({ name, query })),
          { name: "call", query: "mutation Call($id: Int!) { later(id: $id) }" },
          { name: "result", query: resultQuery() },
        ],
      },
    },
  ],
  rest_endpoints: [
    {
      name: "find",
      url: "orders/:id",
      methods: ["GET"],
      definition: { query: { collection_name: "desk", query_name: "beside" } },
    },
  ],
};

function resultQuery(): string {
  return "query Result($id: uuid!) { later(id: $id) { id errors output { id person { name } shelf { place } } } }";
}

let handler: ActionHandlerServer;
let other: TestDatabase;

beforeAll(async () => {
  handler = await startActionHandler(({ path, text }, response) => {
    const { input } = JSON.parse(text) as { input: Record<string, unknown> };
    if (path === "/sizes") return response.end('["SMALL","LARGE"]');
    if (path === "/find")
      return response.end(input.id === 7 ? "null" : JSON.stringify(order(Number(input.id), [order(2)])));
    return response.end(JSON.stringify(order(1, [order(2), order(5)])));
  });
  other = await createDatabase("saved_actions");
  await runSql(
    other.url,
    "create table shelf (id int primary key, place text); insert into shelf values (1, 'A'), (2, 'B')",
  );
});

afterAll(async () => {
  await handler?.close();
  await other?.drop();
});

describe.each([
  ["the live server", false],
  ["an artifact", true],
])("Saved operations with actions on %s", (_, sealed) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      sealed,
      environment: {
        HANDLER: `http://127.0.0.1:${handler.port}`,
        OTHER: other.url,
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      },
    });
    const sql = `create table person (id int primary key, name text);
      create table note (id int primary key, person int references person, text text);
      insert into person values (1, 'Ann'), (2, 'Bob'), (7, null);
      insert into note values (1, 1, 'one'), (2, 1, 'two')`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await replaceConsistently(server, metadata);
  }, 180_000);

  afterAll(() => server?.close());

  /** Returns the response, and the requests that the handler received for it. */
  async function send(query: string, variables: object, headers: Record<string, string>) {
    handler.requests.length = 0;
    const { json } = await server.post("/v1/graphql", { query, variables }, headers);
    if (sealed) expect(server.sealing?.live).toEqual({});
    const requests = handler.requests.map(({ path, text }) => {
      const { action: called, input, session_variables } = JSON.parse(text);
      return { path, called, input, session_variables };
    });
    return { json, requests };
  }

  it.each(Object.entries(operations))(
    "The saved operation %s runs from its plan with the same result as a request-time plan",
    async (_name, [query, ...values]) => {
      for (const headers of [{ "x-engine-role": "admin" }, clerk]) {
        for (const variables of values) {
          await expectServedAhead(server, query, (text) => send(text, variables, headers));
        }
      }
    },
  );

  it("A saved operation combines the results of the handler, tables and other sources", async () => {
    const [query, variables = {}] = operations.place ?? [""];
    const { json, requests } = await send(query, variables, clerk);
    expect(json).toEqual({
      data: {
        insert_person_one: { id: 9 },
        a: {
          number: 1,
          __typename: "Order",
          size: "LARGE",
          to: { city: "Rome" },
          person: { name: "Ann", notes: [{ text: "one" }] },
          parts: [
            { id: 2, person: { name: "Bob" }, shelf: { place: "B" } },
            { id: 5, person: { name: "Bob" }, shelf: null },
          ],
        },
        place: { shelf: { place: "A" } },
      },
    });
    expect(requests.map(({ input }) => input)).toEqual([
      { items: [{ book: 1 }] },
      { items: [{ book: 7, parts: [{ book: 8 }, { book: 9, size: "SMALL" }] }], note: { a: [1, null, "x"] } },
    ]);
  });

  it("Saved operations start asynchronous calls and read their results", async () => {
    const before = await planSources(server);
    const call = "mutation Call($id: Int!) { later(id: $id) }";
    const { json } = await send(call, { id: 1 }, clerk);
    const id: string = json.data.later;
    await vi.waitFor(async () => {
      const found = await send(resultQuery(), { id }, clerk);
      expect(found.json.data.later).toEqual({
        id,
        errors: null,
        output: { id: 1, person: { name: "Ann" }, shelf: { place: "A" } },
      });
    }, 10_000);
    const after = await planSources(server);
    expect({ ...after, saved: 0 }).toEqual({ ...before, saved: 0 });
    expect(after.saved).toBeGreaterThan(before.saved + 1);
  });

  it("A REST endpoint runs from the saved plan", async () => {
    const before = await planSources(server);
    const response = await fetch(`${server.url}/api/rest/orders/1?name=Ann`, { headers: clerk });
    expect(await response.json()).toEqual({
      data: {
        find: { id: 1, person: { name: "Ann" }, people: [{ person: { id: 2, name: "Bob" } }] },
        person: [{ id: 1 }],
      },
    });
    expect(await planSources(server)).toEqual({ ...before, saved: before.saved + 1 });
  });
});
