/** A restart on a database that has not changed since the server stopped: it is not introspected again. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type StatementLog, startStatementLog } from "../support/statement-log.ts";

const letters = "{ letter { id text } }";
const rows = { data: { letter: [{ id: 1, text: "kept" }] } };

let main: TestDatabase;
let metadata: TestDatabase;
let server: TestServer | undefined;
let log: StatementLog;

beforeAll(async () => {
  [main, metadata] = await Promise.all([createDatabase("main"), createDatabase("metadata")]);
  await query(
    main.url,
    "create table letter (id integer primary key, text text); insert into letter values (1, 'kept')",
  );
  log = await startStatementLog(main.url);
  await start();
  await server?.metadata("pg_track_table", { source: "default", table: "letter" });
  await server?.stop();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

afterAll(async () => {
  await log.close();
  await Promise.all([main.drop(), metadata.drop()]);
});

async function start(): Promise<TestServer> {
  log.statements.length = 0;
  server = await startTestServer({ on: { databaseUrl: log.url, metadataUrl: metadata.url } });
  return server;
}

const isRead = (): boolean => log.statements.some((text) => text.includes("attnotnull"));

it("A restart does not introspect an unchanged database", async () => {
  const { graphql } = await start();
  expect(await graphql(letters)).toEqual(rows);
  expect(log.statements.length).toBeGreaterThan(0);
  expect(isRead()).toBe(false);
});

it("A reload of sources introspects the database", async () => {
  const { metadata: administer } = await start();
  await administer("reload_metadata", { reload_sources: true });
  expect(isRead()).toBe(true);
});

it("A restart introspects a database that changed in the meantime", async () => {
  await query(main.url, "alter table letter add column read_at date");
  const { graphql } = await start();
  expect(isRead()).toBe(true);
  expect(await graphql("{ letter { read_at } }")).toEqual({ data: { letter: [{ read_at: null }] } });
});

it.each([
  ["another engine version introspected it", "{version}", "0.0.1"],
  ["the stored shape is unreadable", "{shape,tables}", "no list"],
  ["the stored shape was modified", "{shape,serverVersion}", "1.0"],
])("A restart introspects the database if %s", async (_, path, value) => {
  const shape = `jsonb_set(shape::jsonb, '${path}', '"${value}"')::json`;
  await query(metadata.url, `update engine_catalog.engine_source_shape set shape = ${shape}`);
  const { graphql } = await start();
  expect(isRead()).toBe(true);
  expect(await graphql(letters)).toEqual(rows);
  await server?.stop();
  await start();
  expect(isRead()).toBe(false);
});
