/** The connection that listens for changes: the engine verifies that it receives notifications. */
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ChangeFeed } from "../../runtime/databases/sources/postgres/change-feed.ts";
import { PostgresConnection } from "../../runtime/databases/sources/postgres/connection.ts";
import { Listener, type ListenerTimes } from "../../runtime/databases/sources/postgres/listener.ts";
import type { SourceTransaction } from "../../runtime/databases/sources/source.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
let listener: Listener;
let client: pg.Client;
let hearing: boolean[];
let changes: number;

beforeEach(async () => {
  database = await createDatabase("change_feed");
  await query(database.url, "create table item (id integer)");
  proxy = await startProxy(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  hearing = [];
  changes = 0;
});

afterEach(async () => {
  listener.close();
  await client.end();
  await proxy.close();
  await database.drop();
});

function open(times: Partial<ListenerTimes>): ChangeFeed {
  const read: SourceTransaction["query"] = async ({ text }, values) => {
    const { rows } = await client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: "array",
      types: { getTypeParser: () => String },
    });
    return rows;
  };
  const runSql = async () => ({ result_type: "CommandOk", result: null }) as const;
  listener = new Listener(
    {
      take: async () => {
        const connection = new PostgresConnection({ connectionString: proxy.url, sessionSettings: {} });
        connection.on("error", () => undefined); // a lost connection also emits `end`
        await connection.connect();
        return connection;
      },
      give: (connection) => void connection.end(),
      query: read,
      onDelivery: (isHeard) => void hearing.push(isHeard),
    },
    { reconnect: 50, delivery: 300, check: 100, retry: 200, ...times },
  );
  return new ChangeFeed({
    listener,
    query: read,
    write: (work) =>
      work({ query: read, queryLast: read, runSql, probe: (statement) => read(statement, []), isEnded: false }),
  });
}

const watch = (watched: ChangeFeed) => watched.watch({ text: "select id from item" }, [], () => changes++);
const insert = () => query(database.url, "insert into item values (1)");

it("The change feed reports changes while its notifications arrive", async () => {
  const watching = await watch(open({}));
  expect(watching?.isLive).toBe(true);
  await insert();
  await expect.poll(() => changes).toBe(1);
  expect(hearing).toEqual([]);
});

it("The change feed is down while a pooler forwards no notifications, and live once it forwards them", async () => {
  proxy.holdMessages(true);
  const watching = await watch(open({}));
  expect(watching?.isLive).toBe(false);
  expect(hearing).toEqual([false]);
  proxy.holdMessages(false);
  await expect.poll(() => watching?.isLive).toBe(true);
  expect(hearing).toEqual([false, true]);
});

it("The change feed detects a silent connection and triggers new reads", async () => {
  const watching = await watch(open({}));
  expect(watching?.isLive).toBe(true);
  proxy.holdMessages(true);
  await expect.poll(() => watching?.isLive).toBe(false);
  expect(hearing).toEqual([false]);
  expect(changes).toBeGreaterThan(0);
  proxy.holdMessages(false);
  await expect.poll(() => watching?.isLive).toBe(true);
});

it("The change feed listens again after its connection was closed", async () => {
  const watching = await watch(open({}));
  const terminate = "select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%'";
  await query(database.url, terminate);
  await expect.poll(() => changes).toBeGreaterThan(0);
  await expect.poll(() => watching?.isLive).toBe(true);
  const before = changes;
  await insert();
  await expect.poll(() => changes).toBeGreaterThan(before);
});
