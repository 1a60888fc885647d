/**
 * Cached plans survive metadata changes that do not affect their role, however the change is made; the plans of other
 * roles are dropped.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { version } from "../../runtime/cli/version.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { openServices } from "../../runtime/server/live/open-services.ts";
import { Started } from "../../runtime/server/parts/start.ts";
import { AdmittedSession } from "../../runtime/values/admitted-session.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const started = new Started();
let databases: readonly TestDatabase[];
let letters: TestDatabase;
let databaseUrl: string;
let other: TestServer;
let engine: Awaited<ReturnType<typeof openServices>>;

/** The role `note` may read the table `note`, and so on. */
const readers = ["note", "page"];
const asking = (role: string) => ({ query: `{ ${role} { id } }`, operationName: null, variables: null });
const sessionOf = (role: string) => ({ role, variables: new Map<string, string>(), backendOnly: false });
const planning = { stringifyNumbers: false, nullCollapse: false };

const ask = (role: string) => engine.services.graphql.execute(asking(role), new AdmittedSession(sessionOf(role)));

/** Returns the readers whose plans are cached. */
function planned(): readonly string[] {
  const { generation } = engine.control;
  const { plans } = generation;
  return readers.filter((role) => {
    const schema = generation.schemaOf(sessionOf(role));
    return plans.plan(plans.find(schema, asking(role), planning), {}) !== undefined;
  });
}

const metadata = (type: string, args: unknown) =>
  engine.services.metadata.handle("/v1/metadata", { type, args }, sessionOf("admin"), {
    ip: "127.0.0.1",
    peer: "127.0.0.1",
  });

const permission = (role: string, filter: object) => ({ table: role, role, permission: { columns: "*", filter } });

beforeAll(async () => {
  databases = await Promise.all(["main", "metadata", "letters"].map(createDatabase));
  const [main, stored, third] = databases;
  if (!main || !stored || !third) throw new Error("there are three databases");
  databaseUrl = main.url;
  letters = third;
  await query(databaseUrl, "create table note (id integer primary key); create table page (id integer primary key)");
  await query(letters.url, "create table letter (id integer primary key)");
  other = await startTestServer({ on: { databaseUrl, metadataUrl: stored.url } });
  const environment = {
    ENGINE_GRAPHQL_DATABASE_URL: databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: stored.url,
    ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: "0",
  };
  const options = parseOptions({}, environment);
  const log = createLog(options, { write: () => undefined });
  engine = await openServices(started, { options, environment, log, version, sample: null });
  for (const table of ["note", "page"]) await metadata("pg_track_table", { table });
  await metadata("pg_add_source", {
    name: "letters",
    configuration: { connection_info: { database_url: letters.url } },
  });
  await metadata("pg_track_table", { source: "letters", table: "letter" });
  for (const role of readers) await metadata("pg_create_select_permission", permission(role, {}));
});

beforeEach(async () => {
  for (const role of readers) await ask(role);
  expect(planned()).toEqual(readers);
});

afterAll(async () => {
  await started.close();
  await other?.stop();
  await Promise.all(databases.map((database) => database.drop()));
});

/** Returns the readers whose plans survive `change`. */
async function plannedAfter(change: () => Promise<unknown>): Promise<readonly string[]> {
  const before = engine.control.generation;
  await change();
  expect(engine.control.generation).not.toBe(before);
  return planned();
}

/** Changes the row filter of the role `note`. */
const setFilter = (of: (type: string, args: unknown) => Promise<unknown>, filter: object): Promise<unknown> =>
  of("bulk", [
    { type: "pg_drop_select_permission", args: { table: "note", role: "note" } },
    { type: "pg_create_select_permission", args: permission("note", filter) },
  ]);

it("A metadata change replans only the roles that it affects", async () => {
  expect(await plannedAfter(() => setFilter(metadata, { id: { _gt: 1 } }))).toEqual(["page"]);
});

it("A metadata change of another instance replans only the roles that it affects", async () => {
  const change = async (): Promise<void> => {
    await setFilter(other.metadata, { id: { _gt: 2 } });
    await engine.control.synchronise();
  };
  expect(await plannedAfter(change)).toEqual(["page"]);
});

it("run_sql replans only the roles that it affects", async () => {
  const sql = "alter table note add column text text";
  const body = { type: "run_sql", args: { source: "default", sql } };
  const run = () =>
    engine.services.metadata.handle("/v2/query", body, sessionOf("admin"), { ip: "127.0.0.1", peer: "127.0.0.1" });
  expect(await plannedAfter(run)).toEqual(["page"]);
});

it("A reload after a database change replans only the roles that it affects", async () => {
  await query(databaseUrl, "alter table note alter column text type varchar");
  expect(await plannedAfter(() => metadata("reload_metadata", {}))).toEqual(["page"]);
  await ask("note");
  expect(await plannedAfter(() => metadata("reload_metadata", {}))).toEqual(readers);
});

it("The return of another database replans no role", async () => {
  const admit = (open: boolean) => query(databaseUrl, `alter database "${letters.name}" allow_connections ${open}`);
  await admit(false);
  await query(databaseUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${letters.name}'`);
  expect(await plannedAfter(() => metadata("reload_metadata", {}))).toEqual(readers);
  const comeBack = async (): Promise<void> => {
    await admit(true);
    await engine.control.retrySources();
  };
  expect(await plannedAfter(comeBack)).toEqual(readers);
});

it("A refused change replans no role", async () => {
  const before = engine.control.generation;
  await expect(metadata("pg_create_select_permission", permission("note", {}))).rejects.toThrow();
  expect(engine.control.generation).toBe(before);
  expect(planned()).toEqual(readers);
});
