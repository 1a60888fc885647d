/** The Relay API over HTTP and WebSockets: global ids, the data visible to roles, its schema. */
import { describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { encode, encodeSpaced, itemId, relay, role, server, useRelayServer } from "../../support/relay-server.ts";
import { startTestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

useRelayServer();

describe("Relay global ids in requests", () => {
  it("A global id returns its row for any kind of key", async () => {
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

  it("Ids of different tables do not share a plan", async () => {
    const document = "query ($id: ID!) { node(id: $id) { __typename id } }";
    const ids = [itemId(1), encodeSpaced('[1, "public", "shelf", 1]'), itemId(2), itemId(1000)];
    const found = [];
    for (const id of ids) found.push((await relay(document, { id })).data.node?.__typename ?? null);
    expect(found).toEqual(["item", "shelf", "item", null]);
    const wrong = await relay(document, { id: encodeSpaced('[1, "public", "item", 1, 2]') });
    expect(wrong.errors[0].message).toBe("invalid node id: unexpected column values [2]");
  });

  it("Mutations return global ids", async () => {
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
  it.each(hostile)("The node id is refused: %s", async (_what, id, message) => {
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

  it("A global id with values of wrong types is an error of the request", async () => {
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

describe("Roles in the Relay API", () => {
  it("A role sees pages within its limit and its permitted rows", async () => {
    const document = "{ item_connection { edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }";
    const answer = await relay(document, {}, role("reader"));
    const { edges, pageInfo } = answer.data.item_connection;
    expect(edges).toHaveLength(4);
    expect(pageInfo).toEqual({ hasNextPage: true, endCursor: edges[3].cursor });
    const hidden = await relay("query ($id: ID!) { node(id: $id) { id } }", { id: itemId(7) }, role("weighed"));
    expect(hidden.data.node).toBeNull();
    const part = encode([1, "public", "part", "a", 1]);
    const absent = await relay("query ($id: ID!) { node(id: $id) { id } }", { id: part }, role("reader"));
    expect(absent.errors[0].message).toBe("invalid node id: no such table found: 'public.part'");
  });

  it("A role has the root fields that its permission lists", async () => {
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

  it("A role has backend-only mutations in a backend request", async () => {
    const document = `{ __type(name: "mutation_root") { fields { name } } }`;
    const backend = { ...role("reader"), "x-engine-use-backend-only-permissions": "true" };
    expect((await relay(document, {}, role("reader"))).data.__type).toBeNull();
    expect((await relay(document, {}, backend)).data.__type.fields).toContainEqual({ name: "insert_item_one" });
  });
});

describe("The Relay schema", () => {
  it("The Relay schema supports introspection", async () => {
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
      "open_items_group",
      "parts",
      "parts_aggregate",
      "parts_connection",
      "parts_group",
    ]);
    expect(data.view.interfaces).toEqual([]);
    expect(data.view.fields).toContainEqual({ name: "id", type: { name: "Int" } });
    expect(data.connection).toEqual({
      description: 'A Relay connection object on "item"',
      fields: [{ name: "edges" }, { name: "pageInfo" }],
    });
  });

  it("The Relay schema has no plain lists, and the plain schema has no connections", async () => {
    expect((await relay("{ item { name } }")).errors[0].message).toBe("field 'item' not found in type: 'query_root'");
    expect(await server.graphql("{ item_connection { edges { cursor } } }")).toMatchObject({
      errors: [{ message: "field 'item_connection' not found in type: 'query_root'" }],
    });
  });

  it("A field that an interface lacks is refused", async () => {
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

describe("The Relay API over a WebSocket", () => {
  it("The Relay API serves queries and live queries over a WebSocket", async () => {
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

it("Both paths of the Relay API return the same response", async () => {
  const body = { query: "{ shelf_connection(first: 1, order_by: {id: asc}) { edges { cursor node { id label } } } }" };
  const answers = await Promise.all(["/v1/relay", "/v1beta1/relay"].map((path) => server.post(path, body)));
  expect(answers[0]?.json).toMatchObject({ data: { shelf_connection: { edges: [{ cursor: expect.any(String) }] } } });
  expect(answers[1]?.text).toBe(answers[0]?.text);
});

it("The Relay API is refused if it is disabled", async () => {
  const off = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_ENABLE_RELAY: "false" } });
  try {
    for (const path of ["/v1/relay", "/v1beta1/relay"]) {
      const answer = await off.post(path, { query: "{ node(id: 1) { id } }" });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({
        error:
          "The Relay API is disabled. To enable it, set the ENGINE_GRAPHQL_ENABLE_RELAY environment variable to 'true'.",
        path: "$",
        code: "not-supported",
      });
    }
  } finally {
    await off.stop();
  }
});
