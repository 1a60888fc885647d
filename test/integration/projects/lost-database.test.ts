/** `engine migrate apply` when the database becomes unavailable: before its SQL runs, and during it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, startProxy } from "../../support/database-proxy.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
let server: TestServer;
let project: string;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await startProxy(database.url);
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_DATABASE_URL: proxy.url } });
});

beforeEach(async () => {
  project = await temporaryDirectory({ "config.yaml": `version: 3\nendpoint: ${server.url}\n` });
});

afterAll(async () => {
  await server?.close();
  await proxy?.close();
  await database?.drop();
});

const migrate = (...args: readonly string[]) => runCommand("migrate", ...args, "--project", project);

async function write(folder: string, up: string): Promise<void> {
  const path = join(project, "migrations/default", folder);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "up.sql"), up);
}

async function running(): Promise<unknown> {
  const busy =
    "select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()";
  return (await query(database.url, busy)).length;
}

it("An interrupted migration is reported and must be resolved before the next one", { timeout: 120_000 }, async () => {
  await write("1_a", "create table a ()");
  await write("2_b", "create table b (); select pg_sleep(60)");
  await write("3_c", "create table c ()");
  const applying = migrate("apply");
  await expect.poll(running, { timeout: 30_000 }).toBe(1);
  proxy.cut();
  const lost = await applying;
  expect(lost).toMatchObject({ code: 1, stdout: "applied 1_a on default\n" });
  expect(lost.stderr).toContain("it may have been applied, and is marked as unfinished");
  expect(lost.stderr).toContain("applied before it: 1 (up); not applied: 3 (up)");
  const next = await migrate("apply");
  expect(next).toMatchObject({ code: 1, stdout: "" });
  expect(next.stderr).toContain("migration 2 was interrupted: check whether");

  await query(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
  );
  await write("2_b", "create table b ()");
  expect(await migrate("apply", "--version", "2", "--type", "up")).toMatchObject({ code: 0 });
  expect(await migrate("apply")).toEqual({ code: 0, stdout: "applied 3_c on default\n", stderr: "" });
});

it("No migration is marked as applied if the database is unreachable", { timeout: 120_000 }, async () => {
  await server.metadata("set_catalog_state", { type: "cli", state: {} });
  await write("4_d", "create table d ()");
  await proxy.close();
  const away = await migrate("apply");
  expect(away).toMatchObject({ code: 1, stdout: "" });
  expect(away.stderr).toMatch(/^error: database default is unreachable, no migration was run: /);
  expect((await migrate("status")).stdout).toMatch(/^4 +d +Present +Not Present *$/m);
});
