/** Two servers over one metadata database: one is stopped while permissions are revoked on the other. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

/** Longer than the threshold of a suspension. */
const suspensionMilliseconds = 1500;
const user = { "x-engine-role": "user" };

let source: TestDatabase;
let metadata: TestDatabase;
/** The proxy between the suspended server and the metadata database. */
let proxy: DatabaseProxy;
let first: EngineProcess;
let second: EngineProcess;

const catalog = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: {
        connection_info: {
          database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" },
          // The second request waits for the connection of the first.
          pool_settings: { max_connections: 1 },
        },
      },
      tables: [
        {
          table: { schema: "public", name: "note" },
          select_permissions: [{ role: "user", permission: { columns: "*", filter: {} } }],
          insert_permissions: [{ role: "user", permission: { columns: "*", check: {} } }],
        },
      ],
    },
  ],
};

async function post(server: EngineProcess, path: string, body: unknown, headers = {}): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

const change = async (type: string, args: unknown): Promise<void> => {
  expect(await post(first, "/v1/metadata", { type, args })).toMatchObject({ message: "success" });
};
const graphql = (text: string): Promise<unknown> => post(second, "/v1/graphql", { query: text }, user);
const read = "{ note { text } }";
const write = 'mutation { insert_note_one(object: {id: 2, text: "second"}) { text } }';
const found = { data: { note: [{ text: "first" }] } };
const notFound = { errors: [{ message: "field 'note' not found in type: 'query_root'" }] };

async function whileSuspended(work: () => Promise<unknown>): Promise<void> {
  second.child.kill("SIGSTOP");
  const end = delay(suspensionMilliseconds);
  await work();
  await end;
}

const resume = (): boolean => second.child.kill("SIGCONT");

async function revokeAll(): Promise<void> {
  await change("pg_drop_select_permission", { table: "note", role: "user" });
  await change("pg_drop_insert_permission", { table: "note", role: "user" });
}

beforeAll(async () => {
  await ensureBuilt();
  [source, metadata] = [await createDatabase("standstill"), await createDatabase("standstill_metadata")];
  await query(source.url, "create table note (id integer primary key, text text)");
}, 120_000);

beforeEach(async () => {
  await query(source.url, "truncate note; insert into note values (1, 'first')");
  proxy = await startProxy(metadata.url);
  const environment = { ENGINE_GRAPHQL_DATABASE_URL: source.url, ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup" };
  first = await startEngine({ ...environment, ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url });
  await change("replace_metadata", catalog);
  second = await startEngine({ ...environment, ENGINE_GRAPHQL_METADATA_DATABASE_URL: proxy.url });
  expect(await graphql(read)).toEqual(found);
}, 60_000);

afterEach(async () => {
  for (const server of [first, second]) {
    server?.child.kill("SIGKILL");
    await server?.ended;
  }
  await proxy?.close();
});

afterAll(async () => void (await Promise.all([source?.drop(), metadata?.drop()])));

it("A server does not apply a permission that was revoked while it was suspended", async () => {
  const socket = await WebsocketClient.open(second.url, { protocol: "graphql-transport-ws" });
  socket.send({ type: "connection_init", payload: { headers: user } });
  socket.send({ type: "subscribe", id: "1", payload: { query: `subscription ${read}` } });
  // Skips keep-alive messages and the acknowledgement.
  for (let type: unknown; type !== "next"; ) ({ type } = (await socket.next()) as { readonly type: unknown });
  // A query is in the database, and a mutation waits for its connection.
  const locked = new pg.Client({ connectionString: source.url });
  onTestFinished(() => locked.end());
  await locked.connect();
  await locked.query("begin; lock table note");
  const underWay = graphql(read);
  const inDatabase = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(() => query(source.url, inDatabase)).toHaveLength(1);
  const waiting = graphql(write);
  expect(await graphql("{ __typename }")).toEqual({ data: { __typename: "query_root" } });
  let late: readonly Promise<unknown>[] = [];
  await whileSuspended(async () => {
    late = [graphql(read), graphql(read), graphql(write)];
    await revokeAll();
    await locked.query("update note set text = 'secret'; commit");
  });
  resume();
  expect(await underWay).toMatchObject(notFound);
  expect(await waiting).toMatchObject({ errors: [{ message: "no mutations exist" }] });
  for (const response of await Promise.all(late)) expect(response).toHaveProperty("errors");
  expect(JSON.stringify(await socket.rest())).not.toContain("secret");
  expect(await socket.closed).toMatchObject({ code: 1012 });
  expect(await query(source.url, "select id from note")).toEqual([{ id: 1 }]);
  // Lines are written asynchronously.
  await expect.poll(() => second.log().join()).toContain("The process was suspended for");
}, 60_000);

it("After a suspension, a server opens a new connection if the earlier ones are dead", async () => {
  let late: Promise<unknown> | undefined;
  await whileSuspended(async () => {
    late = graphql(read);
    await revokeAll();
    proxy.freezeOld();
  });
  resume();
  expect(await late).toMatchObject(notFound);
}, 60_000);

it("After a suspension, a server without its metadata database serves as before", async () => {
  await whileSuspended(() => proxy.close());
  resume();
  const start = performance.now();
  expect(await graphql(read)).toEqual(found);
  expect(performance.now() - start).toBeLessThan(10_000);
}, 60_000);

it("After a suspension without changes, requests in progress complete", async () => {
  let late: readonly Promise<unknown>[] = [];
  await whileSuspended(async () => {
    late = [graphql(read), graphql('mutation { insert_note_one(object: {id: 3, text: "third"}) { text } }')];
  });
  resume();
  for (const response of await Promise.all(late)) expect(response).toHaveProperty("data");
  await query(source.url, "delete from note where id = 3");
}, 60_000);
