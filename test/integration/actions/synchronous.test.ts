/** Synchronous actions: requests to the handler, and responses to the client. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ActionHandlerServer, type ActionRequest, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
/** The handler's response. */
let reply: { status?: number; body: unknown; headers?: Record<string, string> };

const types = {
  scalars: [{ name: "Money" }],
  enums: [{ name: "Size", values: [{ value: "SMALL" }, { value: "LARGE", is_deprecated: true }] }],
  input_objects: [
    {
      name: "Item",
      fields: [
        { name: "book", type: "Int!" },
        { name: "size", type: "Size" },
        { name: "parts", type: "[Item!]" },
        { name: "price", type: "Money" },
      ],
    },
  ],
  objects: [
    {
      name: "Address",
      fields: [
        { name: "city", type: "String" },
        { name: "street", type: "String!" },
      ],
    },
    {
      name: "Order",
      description: "What was ordered.",
      fields: [
        { name: "id", type: "Int!" },
        { name: "buyer", type: "Int" },
        { name: "to", type: "Address" },
        { name: "also", type: "[Address]" },
        { name: "price", type: "Money" },
        { name: "parts", type: "[Order!]" },
      ],
      relationships: [
        { name: "person", type: "object", remote_table: "person", field_mapping: { buyer: "id" } },
        { name: "friends", type: "array", remote_table: "person", field_mapping: { buyer: "friend" } },
      ],
    },
  ],
};

const action = (name: string, definition: object) => ({
  type: "create_action",
  args: { name, definition: { handler: `{{HANDLER}}/${name}`, ...definition } },
});

beforeAll(async () => {
  handler = await startActionHandler((_, response) => {
    response.writeHead(reply.status ?? 200, reply.headers);
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  engine = await startTestServer({ environment: { HANDLER: `http://127.0.0.1:${handler.port}`, TOKEN: "tok" } });
  await engine.post("/v2/query", {
    type: "run_sql",
    args: {
      sql: `create table person (id int primary key, name text not null, friend int);
            insert into person values (1, 'Ann', 2), (2, 'Bob', 1), (3, 'Cid', 1)`,
    },
  });
  await engine.metadata("bulk", [
    { type: "pg_track_table", args: { table: "person" } },
    { type: "set_custom_types", args: types },
    action("order", {
      arguments: [
        { name: "items", type: "[Item!]!" },
        { name: "note", type: "String" },
        { name: "extra", type: "json" },
      ],
      output_type: "Order!",
      headers: [{ name: "x-token", value_from_env: "TOKEN" }],
      forward_client_headers: true,
    }),
    action("orders", { type: "query", output_type: "[Order]" }),
    action("total", { type: "query", arguments: [{ name: "of", type: "Int" }], output_type: "Int!" }),
    action("sizes", { type: "query", output_type: "[Size!]!" }),
    { type: "create_action_permission", args: { action: "orders", role: "user" } },
    {
      type: "pg_create_select_permission",
      args: { table: "person", role: "user", permission: { columns: ["name"], filter: { id: { _ne: 3 } } } },
    },
  ]);
});

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;
const lastRequest = (): ActionRequest => handler.requests.at(-1) as ActionRequest;

describe("Synchronous actions", () => {
  it("An action calls its handler with the arguments and returns the selected members", async () => {
    reply = {
      body: {
        id: 7,
        to: { street: "Ring", zip: 1 },
        also: [{ street: "A" }, null],
        price: 12345678901234567890n.toString(),
        more: 1,
      },
    };
    const query = `mutation Buy($items: [Item!]!, $note: String) {
      order(items: $items, note: $note, extra: { a: [1, $note] }) { __typename no: id to { city street } also { street } price parts { id } }
    }`;
    const variables = { items: [{ book: 1, size: "SMALL", price: "3.50" }] };
    const { data, errors } = await ask(query, variables, {
      "x-engine-user-id": "5",
      cookie: "a=b",
      "user-agent": "me",
    });
    expect(errors).toBeUndefined();
    expect(data.order).toEqual({
      __typename: "Order",
      no: 7,
      to: { city: null, street: "Ring" },
      also: [{ street: "A" }, null],
      price: "12345678901234567890",
      parts: null,
    });
    expect(JSON.parse(lastRequest().text)).toEqual({
      action: { name: "order" },
      input: { items: variables.items, extra: { a: [1, null] } },
      session_variables: { "x-engine-role": "admin", "x-engine-user-id": "5" },
      request_query: query,
    });
    expect(lastRequest()).toMatchObject({
      method: "POST",
      headers: { "x-token": "tok", cookie: "a=b", "x-forwarded-user-agent": "me", "content-type": "application/json" },
    });
    expect(lastRequest().headers).not.toHaveProperty("x-engine-user-id");
  });

  it("An object whose selected members are all skipped is returned empty, whatever the handler responds", async () => {
    reply = { body: { id: 7, to: { street: "Ring", zip: 1 }, also: [{ street: "A" }, null], secret: "s" } };
    const query = `mutation ($items: [Item!]!, $no: Boolean! = false) {
      order(items: $items) { id to { street @include(if: $no) } also { city @skip(if: true) } }
      other: order(items: $items) { id @include(if: $no) }
    }`;
    expect(await ask(query, { items: [{ book: 1 }] })).toEqual({
      data: { order: { id: 7, to: {}, also: [{}, null] }, other: {} },
    });
  });

  it("An action refuses a response whose nested objects lack non-null fields and names the path", async () => {
    reply = {
      body: {
        id: 7,
        parts: [
          { id: 8, to: { street: "A" } },
          { id: 9, to: { city: "Bonn" } },
        ],
      },
    };
    const response = await engine.post("/v1/graphql", { query: "mutation { order(items: []) { id } }" });
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({
      errors: [
        {
          message: 'field "parts[1].to.street" expected in webhook response, but not found',
          extensions: { code: "unexpected", path: "$" },
        },
      ],
    });
    expect(response.json).not.toHaveProperty("data");
  });

  it("An action reads related tables for all objects of its result in one statement", async () => {
    reply = { body: [{ id: 1, buyer: 1, parts: [{ id: 2, buyer: 2 }] }, null, { id: 3 }, { id: 4, buyer: 3 }] };
    const query = `{ orders { id person { name } friends(order_by: { id: asc }, where: { name: { _neq: "Zed" } }) { name }
      parts { person { name } } } }`;
    expect((await ask(query)).data.orders).toEqual([
      {
        id: 1,
        person: { name: "Ann" },
        friends: [{ name: "Bob" }, { name: "Cid" }],
        parts: [{ person: { name: "Bob" } }],
      },
      null,
      { id: 3, person: null, friends: [], parts: null },
      { id: 4, person: { name: "Cid" }, friends: [], parts: null },
    ]);
    const asUser = await ask("{ orders { id person { name } } }", {}, { "x-engine-role": "user" });
    expect(asUser.data.orders.map((order: { person: unknown } | null) => order?.person ?? null)).toEqual([
      { name: "Ann" },
      null,
      null,
      null,
    ]);
  });

  it("An action exists only for roles with a permission", async () => {
    reply = { body: 1 };
    const before = handler.requests.length;
    expect((await ask("{ total }", {}, { "x-engine-role": "user" })).errors[0].message).toBe(
      "field 'total' not found in type: 'query_root'",
    );
    expect(handler.requests).toHaveLength(before);
  });

  it.each([
    [
      "mutation { order(items: [{ book: true }]) { id } }",
      "$.selectionSet.order.args.items[0].book: expected a 32-bit integer for type 'Int', but found a boolean",
    ],
    [
      "mutation { order(items: [{}]) { id } }",
      "$.selectionSet.order.args.items[0].book: missing required field 'book'",
    ],
    [
      "mutation { order(items: [{ book: 1, size: BIG }]) { id } }",
      "$.selectionSet.order.args.items[0].size: expected one of the values ['SMALL', 'LARGE'] for type 'Size', but found 'BIG'",
    ],
    [
      "mutation { order(items: [{ book: 1, x: 1 }]) { id } }",
      "$.selectionSet.order.args.items[0].x: field 'x' not found in type: 'Item'",
    ],
    [
      "mutation { order(items: [{ book: 1, book: 2 }]) { id } }",
      "$.selectionSet.order.args.items[0].book: 'Item' has several fields named 'book'",
    ],
    ["mutation { order { id } }", "$.selectionSet.order.args.items: missing required field 'items'"],
    [
      "mutation { order(items: null) { id } }",
      "$.selectionSet.order.args.items: unexpected null value for type '[Item!]!'",
    ],
    ["mutation { order(items: [], x: 1) { id } }", "$.selectionSet.order: 'order' has no argument named 'x'"],
    ["mutation { order(items: []) }", "$.selectionSet.order: missing selection set for 'order'"],
    [
      "mutation { order(items: []) { nope } }",
      "$.selectionSet.order.selectionSet.nope: field 'nope' not found in type: 'Order'",
    ],
    ["{ total { x } }", "$.selectionSet.total: unexpected subselection set for non-object field"],
  ])("An action refuses %s without calling its handler", async (query, message) => {
    const before = handler.requests.length;
    const { errors } = await ask(query);
    expect(`${errors[0].extensions.path}: ${errors[0].message}`).toBe(message);
    expect(handler.requests).toHaveLength(before);
  });

  it("An action and its types are part of the schema", async () => {
    const { data } = await ask(`{
      order: __type(name: "Order") { description fields { name type { kind name ofType { name } } } }
      size: __type(name: "Size") { enumValues { name } }
      query: __type(name: "query_root") { fields { name } }
    }`);
    expect(data.order.description).toBe("What was ordered.");
    expect(data.order.fields.map(({ name }: { name: string }) => name)).toContain("friends_aggregate");
    expect(data.size.enumValues).toEqual([{ name: "SMALL" }]);
    expect(data.query.fields.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["orders", "sizes", "total"]),
    );
  });
});
