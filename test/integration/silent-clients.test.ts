/**
 * Slow and vanished clients beside a client that reads: their buffers are bounded, their connections are closed, and
 * their subscriptions end. The test controls the clock of keep-alives.
 */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type ClientSettings, WebsocketClient } from "../support/websocket.ts";

const keepAliveSeconds = 5;
const longText = 1024 * 1024;

/** In milliseconds, for a busy machine. */
const patience = 60_000;

let server: TestServer;
/** The clients of one test. */
const clients: WebsocketClient[] = [];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  server = await startTestServer({
    // The server runs in this process, whose clock the test controls.
    sealed: false,
    environment: {
      ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: String(keepAliveSeconds),
      ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "10",
      ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "livequery-poller-log,websocket-log",
    },
  });
  await query(server.databaseUrl, "create table item (id int primary key, text text)");
  await query(server.databaseUrl, "insert into item values (0, '')");
  await server.metadata("pg_track_table", { table: "item" });
});

afterAll(async () => {
  await server.close();
  vi.useRealTimers();
});

afterEach(() => {
  for (const client of clients.splice(0)) client.ws.terminate();
});

async function subscribe(settings: ClientSettings = {}): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { ...settings, protocol: "graphql-transport-ws" });
  clients.push(client);
  client.send({ type: "connection_init" });
  client.send({ type: "subscribe", id: "1", payload: { query: "subscription { item { id text } }" } });
  await result(client);
  return client;
}

interface Result {
  readonly id: number;
  readonly length: number;
}

/** Returns the next result, skipping keep-alives. */
async function result(client: WebsocketClient): Promise<Result> {
  for (;;) {
    const text = await client.text();
    const message = JSON.parse(text) as { type: string; payload: { data: { item: { id: number }[] } } };
    if (message.type === "next") return { id: message.payload.data.item[0]?.id ?? -1, length: text.length };
  }
}

const change = (id: number) => query(server.databaseUrl, `update item set id = ${id}, text = repeat('x', ${longText})`);

/** Returns the number of subscribers in the last log line of a poll. */
function subscribers(): number {
  const polls = server.log.filter((line) => line.includes('"type":"livequery-poller-log"'));
  return (JSON.parse(polls.at(-1) ?? "{}") as { detail: { subscriber_count: number } }).detail.subscriber_count;
}

it(
  "A silent client's buffered data is bounded, and it receives the newest result when it reads again",
  async () => {
    const [slow, other] = [await subscribe(), await subscribe()];
    slow.ws.pause();
    const changes = 40;
    for (let id = 1; id <= changes; id++) {
      await change(id);
      // The other client is not delayed: it receives each change.
      expect(await result(other)).toMatchObject({ id });
    }
    slow.ws.resume();
    let received = 0;
    for (let last = 0; last < changes; ) {
      const { id, length } = await result(slow);
      expect(id).toBeGreaterThan(last);
      last = id;
      received += length;
    }
    // The kernel's buffers add to the engine's.
    expect(received).toBeLessThan((changes * longText) / 2);
  },
  patience,
);

it(
  "Unresponsive clients are closed with their subscriptions, and other clients are not affected",
  async () => {
    const [frozen, gone, present] = [await subscribe(), await subscribe({ autoPong: false }), await subscribe()];
    await expect.poll(subscribers, { timeout: patience / 3 }).toBe(3);
    frozen.ws.pause();
    await change(1000);
    expect(await result(present)).toMatchObject({ id: 1000 });
    const answered = async (): Promise<void> => {
      const heard = new Promise((resolve) => present.ws.once("pong", resolve));
      present.ws.ping();
      await heard;
    };
    for (let seconds = 0; seconds <= 40; seconds += keepAliveSeconds) {
      vi.advanceTimersByTime(keepAliveSeconds * 1000);
      await answered();
    }
    expect((await gone.closed).code).toBe(1006);
    await expect.poll(subscribers, { timeout: patience / 3 }).toBe(1);
    frozen.ws.resume();
    expect((await frozen.closed).code).toBe(1006);
    await change(1001);
    expect(await result(present)).toMatchObject({ id: 1001 });
  },
  patience,
);
