/** A start on a database that is as it was when the server was stopped: it is not read again. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type StatementLog, startStatementLog } from "../support/statement-log.ts";

const asked = "{ letter { id text } }";
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

it("does not read what has not changed", async () => {
  const { graphql } = await start();
  expect(await graphql(asked)).toEqual(rows);
  expect(log.statements.length).toBeGreaterThan(0);
  expect(isRead()).toBe(false);
});

it("reads it when that is asked for", async () => {
  const { metadata: administer } = await start();
  await administer("reload_metadata", { reload_sources: true });
  expect(isRead()).toBe(true);
});

it("reads what was changed while no server ran", async () => {
  await query(main.url, "alter table letter add column read_at date");
  const { graphql } = await start();
  expect(isRead()).toBe(true);
  expect(await graphql("{ letter { read_at } }")).toEqual({ data: { letter: [{ read_at: null }] } });
});

it.each([
  ["another version of the engine had read it, which may have seen less", "{version}", "0.0.1"],
  ["what was kept cannot be understood", "{shape,tables}", "no list"],
  ["what was kept was changed by hand", "{shape,serverVersion}", "1.0"],
])("reads it where %s", async (_, path, value) => {
  const shape = `jsonb_set(shape::jsonb, '${path}', '"${value}"')::json`;
  await query(metadata.url, `update engine_catalog.engine_source_shape set shape = ${shape}`);
  const { graphql } = await start();
  expect(isRead()).toBe(true);
  expect(await graphql(asked)).toEqual(rows);
  await server?.stop();
  await start();
  expect(isRead()).toBe(false);
});
