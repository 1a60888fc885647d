/** Live queries over each endpoint and both sub-protocols, from the first result to an error and the end. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;
const clients: WebsocketClient[] = [];

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
      ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "20",
      ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
    },
  });
  await query(server.databaseUrl, "create table item (id int primary key, owner int, name text)");
  await server.metadata("pg_track_table", { table: "item" });
  await server.metadata("pg_create_select_permission", {
    table: "item",
    role: "owner",
    permission: { columns: ["id", "name"], filter: { owner: { _eq: "X-Engine-User-Id" } } },
  });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.ws.terminate();
  await query(server.databaseUrl, "truncate item");
});

afterAll(() => server.close());

const protocols = [
  { protocol: "graphql-ws", start: "start", stop: "stop", data: "data" },
  { protocol: "graphql-transport-ws", start: "subscribe", stop: "complete", data: "next" },
] as const;
type Spoken = (typeof protocols)[number];

async function open(path: string, { protocol }: Spoken, user: number): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { path, protocol });
  clients.push(client);
  const headers = { "X-Engine-Role": "owner", "X-Engine-User-Id": String(user) };
  client.send({ type: "connection_init", payload: { headers } });
  await client.take(3);
  return client;
}

const sql = (text: string) => query(server.databaseUrl, text);
/** Returns the id of a row in the Relay API. */
const nodeId = (id: number) => Buffer.from(`[1, "public", "item", ${id}]`).toString("base64");

const edges = (...names: string[]) => ({ item_connection: { edges: names.map((name) => ({ node: { name } })) } });
const refused = {
  message: "field 'owner' not found in type: 'item'",
  extensions: { path: "$.selectionSet.item.selectionSet.owner", code: "validation-failed" },
};

describe.each(protocols)("Subscription endpoints over $protocol", (spoken) => {
  const ask = (client: WebsocketClient, id: string, text: string, variables?: unknown): void =>
    client.send({ type: spoken.start, id, payload: { query: text, variables } });
  const answer = (id: string, data: unknown) => ({ type: spoken.data, id, payload: { data } });

  it("A Relay connection follows the rows of each session", async () => {
    await sql("insert into item values (1, 1, 'a'), (2, 2, 'b')");
    const [one, two] = [await open("/v1beta1/relay", spoken, 1), await open("/v1beta1/relay", spoken, 2)];
    const text =
      "subscription ($n: Int!) { item_connection(first: $n, order_by: {id: asc}) { edges { node { name } } } }";
    for (const [client, name] of [
      [one, "a"],
      [two, "b"],
    ] as const) {
      ask(client, "1", text, { n: 2 });
      expect(await client.next()).toEqual(answer("1", edges(name)));
    }
    await sql("insert into item values (3, 1, 'c'), (4, 1, 'd'), (5, 2, 'e')");
    expect(await one.next()).toEqual(answer("1", edges("a", "c")));
    expect(await two.next()).toEqual(answer("1", edges("b", "e")));
    one.send({ type: spoken.stop, id: "1" });
    await sql("delete from item where id in (1, 2)");
    expect(await two.next()).toEqual(answer("1", edges("e")));
    ask(one, "2", "{ __typename }");
    expect(await one.next()).toEqual(answer("2", { __typename: "query_root" }));
  });

  it("A Relay node is delivered when it appears, changes and disappears", async () => {
    const client = await open("/v1beta1/relay", spoken, 1);
    ask(client, "1", "subscription ($id: ID!) { node(id: $id) { ... on item { name } } }", { id: nodeId(1) });
    expect(await client.next()).toEqual(answer("1", { node: null }));
    await sql("insert into item values (1, 1, 'a')");
    expect(await client.next()).toEqual(answer("1", { node: { name: "a" } }));
    await sql("update item set owner = 2");
    expect(await client.next()).toEqual(answer("1", { node: null }));
  });

  it("The Relay API has no lists and no streams", async () => {
    const client = await open("/v1beta1/relay", spoken, 1);
    for (const field of ["item", "item_stream"]) {
      ask(client, "1", `subscription { ${field} { id } }`);
      const message = `field '${field}' not found in type: 'subscription_root'`;
      const error = { message, extensions: { path: `$.selectionSet.${field}`, code: "validation-failed" } };
      expect(await client.take(2)).toEqual([
        { type: "error", id: "1", payload: spoken.protocol === "graphql-ws" ? { errors: [error] } : [error] },
        { type: "complete", id: "1" },
      ]);
    }
  });

  it("The older endpoint serves live queries and streams with its own error format", async () => {
    const client = await open("/v1alpha1/graphql", spoken, 1);
    ask(client, "1", "subscription { item(order_by: {id: asc}) { name } }");
    expect(await client.next()).toEqual(answer("1", { item: [] }));
    await sql("insert into item values (1, 1, 'a')");
    expect(await client.next()).toEqual(answer("1", { item: [{ name: "a" }] }));
    client.send({ type: spoken.stop, id: "1" });
    ask(client, "2", "subscription { item_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { id } }");
    expect(await client.next()).toEqual(answer("2", { item_stream: [{ id: 1 }] }));
    client.send({ type: spoken.stop, id: "2" });
    ask(client, "3", "subscription { item { owner } }");
    const { message: error, extensions } = refused;
    const errors = [{ error, ...extensions }];
    expect(await client.take(2)).toEqual([
      { type: "error", id: "3", payload: spoken.protocol === "graphql-ws" ? { errors } : errors },
      { type: "complete", id: "3" },
    ]);
  });
});
