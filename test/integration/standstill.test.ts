/** Two servers over one metadata database, of which one is stopped while the other takes permissions away. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

/** Longer than what counts as a standstill. */
const standstillMilliseconds = 1500;
const user = { "x-engine-role": "user" };

let source: TestDatabase;
let metadata: TestDatabase;
/** Between the server that stands still and the metadata database. */
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
          // The second request waits for the first one's.
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
  const answer = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return answer.json();
}

const change = async (type: string, args: unknown): Promise<void> => {
  expect(await post(first, "/v1/metadata", { type, args })).toMatchObject({ message: "success" });
};
const ask = (text: string): Promise<unknown> => post(second, "/v1/graphql", { query: text }, user);
const read = "{ note { text } }";
const write = 'mutation { insert_note_one(object: {id: 2, text: "second"}) { text } }';
const found = { data: { note: [{ text: "first" }] } };
const notFound = { errors: [{ message: "field 'note' not found in type: 'query_root'" }] };

async function standStill(meanwhile: () => Promise<unknown>): Promise<void> {
  second.child.kill("SIGSTOP");
  const end = delay(standstillMilliseconds);
  await meanwhile();
  await end;
}

const goOn = (): boolean => second.child.kill("SIGCONT");

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
  expect(await ask(read)).toEqual(found);
}, 60_000);

afterEach(async () => {
  for (const server of [first, second]) {
    server?.child.kill("SIGKILL");
    await server?.ended;
  }
  await proxy?.close();
});

afterAll(async () => void (await Promise.all([source?.drop(), metadata?.drop()])));

it("answers nothing under a permission that was taken away while it stood still", async () => {
  const socket = await WebsocketClient.open(second.url, { protocol: "graphql-transport-ws" });
  socket.send({ type: "connection_init", payload: { headers: user } });
  socket.send({ type: "subscribe", id: "1", payload: { query: `subscription ${read}` } });
  // Keep-alive messages, the acknowledgement, and the result.
  for (let type: unknown; type !== "next"; ) ({ type } = (await socket.next()) as { readonly type: unknown });
  // A query is in the database, and a mutation waits for its connection.
  const locked = new pg.Client({ connectionString: source.url });
  onTestFinished(() => locked.end());
  await locked.connect();
  await locked.query("begin; lock table note");
  const underWay = ask(read);
  const inDatabase = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(() => query(source.url, inDatabase)).toHaveLength(1);
  const waiting = ask(write);
  expect(await ask("{ __typename }")).toEqual({ data: { __typename: "query_root" } });
  let late: readonly Promise<unknown>[] = [];
  await standStill(async () => {
    late = [ask(read), ask(read), ask(write)];
    await revokeAll();
    await locked.query("update note set text = 'secret'; commit");
  });
  goOn();
  expect(await underWay).toMatchObject(notFound);
  expect(await waiting).toMatchObject({ errors: [{ message: "no mutations exist" }] });
  for (const answer of await Promise.all(late)) expect(answer).toHaveProperty("errors");
  expect(JSON.stringify(await socket.rest())).not.toContain("secret");
  expect(await socket.closed).toMatchObject({ code: 1012 });
  expect(await query(source.url, "select id from note")).toEqual([{ id: 1 }]);
  // Lines are written some time later.
  await expect.poll(() => second.log().join()).toContain("The process stood still for");
}, 60_000);

it("asks on a new connection where those from before lead nowhere", async () => {
  let late: Promise<unknown> | undefined;
  await standStill(async () => {
    late = ask(read);
    await revokeAll();
    proxy.freezeOld();
  });
  goOn();
  expect(await late).toMatchObject(notFound);
}, 60_000);

it("answers as before where the metadata database is gone", async () => {
  await standStill(() => proxy.close());
  goOn();
  const asked = performance.now();
  expect(await ask(read)).toEqual(found);
  expect(performance.now() - asked).toBeLessThan(10_000);
}, 60_000);

it("goes on with what it does where nobody changed anything", async () => {
  let late: readonly Promise<unknown>[] = [];
  await standStill(async () => {
    late = [ask(read), ask('mutation { insert_note_one(object: {id: 3, text: "third"}) { text } }')];
  });
  goOn();
  for (const answer of await Promise.all(late)) expect(answer).toHaveProperty("data");
  await query(source.url, "delete from note where id = 3");
}, 60_000);
