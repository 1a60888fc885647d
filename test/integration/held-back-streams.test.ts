/** Streams that wait for open transactions (`ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK`). */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;
let writer: pg.Client;
const clients: WebsocketClient[] = [];

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
      ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "20",
      ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK: "true",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "livequery-poller-log",
    },
  });
  await query(server.databaseUrl, "create table item (id serial primary key, at timestamptz default now())");
  await server.metadata("pg_track_table", { table: "item" });
  writer = new pg.Client({ connectionString: server.databaseUrl });
  await writer.connect();
});

afterAll(async () => {
  for (const client of clients) client.ws.terminate();
  await writer?.end();
  await server?.close();
});

async function stream(cursor: string): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
  clients.push(client);
  client.send({ type: "connection_init" });
  await client.take(3);
  const text = `subscription { item_stream(batch_size: 10, cursor: {initial_value: ${cursor}}) { id } }`;
  client.send({ type: "start", id: "s", payload: { query: text } });
  return client;
}

const rows = (...ids: readonly number[]) => ({
  type: "data",
  id: "s",
  payload: { data: { item_stream: ids.map((id) => ({ id })) } },
});

/** Waits until several further polls have ended. */
async function polled(): Promise<void> {
  const polls = (): number => server.log.filter((line) => line.includes('"kind":"streaming"')).length;
  const before = polls();
  await expect.poll(polls).toBeGreaterThan(before + 4);
}

it.each([
  ["a sequence", "{id: 0}"],
  ["the time at which transactions began", '{at: "2020-01-01"}'],
])("Held-back streams deliver rows of %s in order even if they are committed late", async (_, cursor) => {
  await query(server.databaseUrl, "truncate item restart identity");
  const client = await stream(cursor);
  await polled();
  await writer.query("begin");
  await writer.query("insert into item default values");
  await query(server.databaseUrl, "insert into item default values");
  await polled();
  client.send({ type: "start", id: "q", payload: { query: "{ item { id } }" } });
  // The stream sent no event before the result of a later operation.
  expect(await client.next()).toMatchObject({ id: "q", payload: { data: { item: [{ id: 2 }] } } });
  expect(await client.next()).toMatchObject({ type: "complete", id: "q" });
  await writer.query("commit");
  expect(await client.next()).toEqual(rows(1, 2));
  await query(server.databaseUrl, "insert into item default values");
  expect(await client.next()).toEqual(rows(3));
});

it("Descending streams are not held back", async () => {
  await query(server.databaseUrl, "truncate item restart identity; insert into item default values");
  await writer.query("begin; insert into item default values");
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
  clients.push(client);
  client.send({ type: "connection_init" });
  await client.take(3);
  const cursor = "{initial_value: {id: 9}, ordering: DESC}";
  const text = `subscription { item_stream(batch_size: 10, cursor: ${cursor}) { id } }`;
  client.send({ type: "start", id: "s", payload: { query: text } });
  expect(await client.next()).toEqual(rows(1));
  await writer.query("rollback");
});
