/** `engine downgrade` on sources: the tables of event triggers at each step, their recorders and their events. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { migrations } from "../../../runtime/databases/metadata/migrations.ts";
import { sourceStepsOf } from "../../../runtime/databases/metadata/releases.ts";
import { openSource } from "../../../runtime/databases/sources/open-source.ts";
import { downgradeTables } from "../../../runtime/jobs/events/downgrade.ts";
import { mssqlCatalog } from "../../../runtime/jobs/events/mssql/catalog.ts";
import { postgresCatalog } from "../../../runtime/jobs/events/postgres/catalog.ts";
import { migrate } from "../../../runtime/jobs/events/source-catalog.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let source: TestDatabase;

beforeAll(ensureBuilt, 120_000);
beforeEach(async () => {
  source = await createDatabase("source_downgrade");
});
afterEach(() => source.drop());

const newest = postgresCatalog.migrations.length;
const steps = postgresCatalog.migrations.map((_, i) => i + 1);

/** Returns the source with one connection, for the time of `work`. */
async function withSource<T>(work: (source: Parameters<typeof downgradeTables>[0]) => Promise<T>): Promise<T> {
  const address = { name: "default", kind: "postgres", connectionInfo: { database_url: source.url } };
  const database = openSource(address, { variables: {} });
  try {
    return await work({ name: "default", kind: "postgres", database });
  } finally {
    await database.close();
  }
}

/** Migrates the tables as a version does whose newest step is this one. */
const migrateTo = (step: number) =>
  withSource(({ database }) =>
    database.transaction({ isolation: "read-committed" }, (transaction) =>
      migrate(transaction, { ...postgresCatalog, migrations: postgresCatalog.migrations.slice(0, step) }),
    ),
  );

const downgrade = (to: number) => withSource((each) => downgradeTables(each, to, { dryRun: false, force: false }));

/** Returns columns, indexes, triggers and functions of the schema. */
const contents = () =>
  query(
    source.url,
    `select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
     from information_schema.columns where table_schema = 'engine_catalog'
     union all select indexdef from pg_indexes where schemaname = 'engine_catalog'
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'engine_catalog'::regnamespace
     order by 1`,
  );

describe("Downgrades of the tables for event triggers", () => {
  it.each(["postgres", "mssql"] as const)("Each step of %s has a reversal, or a reason for none", (kind) => {
    const catalog = { postgres: postgresCatalog, mssql: mssqlCatalog }[kind];
    expect(catalog.reversals).toHaveLength(catalog.migrations.length);
    expect(sourceStepsOf(migrations.length)[kind]).toBe(catalog.migrations.length);
  });

  it.each(steps)("A downgrade returns to step %i, and an installation upgrades the tables again", async (step) => {
    await migrateTo(step);
    const older = await contents();
    await migrateTo(newest);
    const newer = await contents();
    await downgrade(step);
    expect(await contents()).toEqual(older);
    await expect(migrateTo(step)).resolves.toMatchObject({ step });
    await migrateTo(newest);
    expect(await contents()).toEqual(newer);
  });

  it("A downgrade unpacks packed events and keeps the state of all events", async () => {
    await migrateTo(newest);
    await query(
      source.url,
      `insert into engine_catalog.packed_events (schema_name, table_name, trigger_name, op, events, column_names, column_values)
       values ('public', 'item', 't', 'INSERT', 3, array['n'], array['[1, 2, 3]'::json]);
       insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, delivered, tries)
       values ('public', 'item', 't', '{}', true, 2)`,
    );
    expect(await downgrade(1)).toMatchObject({ from: newest, to: 1 });
    expect(
      await query(
        source.url,
        "select delivered, tries, payload #>> '{data,new,n}' as n from engine_catalog.event_log order by 1, 3",
      ),
    ).toEqual([
      ...["1", "2", "3"].map((n) => ({ delivered: false, tries: 0, n })),
      { delivered: true, tries: 2, n: null },
    ]);
  });

  it("A source without tables, or with older ones, is left alone", async () => {
    expect(await downgrade(1)).toBeUndefined();
    await migrateTo(2);
    expect(await downgrade(3)).toBeUndefined();
  });

  it("A downgrade is refused for tables of a version that is newer still", async () => {
    await migrateTo(newest);
    await query(source.url, "update engine_catalog.engine_source_catalog_version set step = 99");
    await expect(downgrade(1)).rejects.toThrow(/source "default" cannot be downgraded: they are at step 99/);
  });

  it("A downgrade is refused while an artifact delivers events of the source", async () => {
    await migrateTo(newest);
    await query(source.url, "insert into engine_catalog.engine_instances (id) values (gen_random_uuid())");
    await expect(downgrade(1)).rejects.toThrow(/an instance uses them: stop all instances and artifacts first/);
    await withSource((each) => downgradeTables(each, 1, { dryRun: false, force: true }));
    await expect(migrateTo(1)).resolves.toMatchObject({ step: 1 });
  });

  it("A downgrade waits for a transaction on the tables, within limits", async () => {
    await migrateTo(newest);
    const locked = query(source.url, "begin; lock engine_catalog.event_log; select pg_sleep(1); commit");
    const isLocked =
      "select from pg_locks where relation = 'engine_catalog.event_log'::regclass and mode = 'AccessExclusiveLock'";
    await vi.waitFor(async () => expect(await query(source.url, isLocked)).toHaveLength(1));
    const before = performance.now();
    await downgrade(2);
    expect(performance.now() - before).toBeGreaterThan(500);
    await locked;
  });
});

describe("The engine downgrade command on sources", () => {
  let webhook: WebhookReceiver;
  let metadata: TestDatabase;

  beforeEach(async () => {
    webhook = await startWebhookReceiver();
    metadata = await createDatabase("source_downgrade_metadata");
  });
  afterEach(async () => {
    await webhook.close();
    await metadata.drop();
  });

  const start = (): Promise<TestServer> =>
    startTestServer({
      sealed: false,
      on: { databaseUrl: source.url, metadataUrl: metadata.url },
      environment: { HOOK: webhook.url },
    });

  async function engine(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const { PATH = "" } = process.env;
    const urls = { ENGINE_GRAPHQL_DATABASE_URL: source.url, ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url };
    const command = [join(root, ".build/engine.mjs"), "downgrade", ...args];
    const run = promisify(execFile)(process.execPath, command, { env: { PATH, ...urls } });
    const { code = 0, stdout, stderr } = await run.catch((error) => error);
    return { code, output: stdout + stderr };
  }

  /** Creates a table with an unordered and an ordered trigger, whose first rows are delivered. */
  async function fill(): Promise<void> {
    const server = await start();
    await query(source.url, "create table item (id serial primary key, name text, facts json default '{\"a\": 1.0}')");
    await server.metadata("pg_track_table", { table: "item" });
    const watched = { table: "item", insert: { columns: "*" }, update: { columns: "*" }, delete: { columns: "*" } };
    await server.metadata("pg_create_event_trigger", { ...watched, name: "plain", webhook: "{{HOOK}}/plain" });
    await server.metadata("pg_create_event_trigger", {
      ...watched,
      name: "sorted",
      webhook: "{{HOOK}}/sorted",
      ordering: { key: ["id"] },
    });
    await server.graphql('mutation { insert_item_one(object: {name: "first"}) { id } }');
    await vi.waitFor(() => expect(webhook.received).toHaveLength(2), 15_000);
    await server.stop();
  }

  it.each([8, 9, 11])(
    "Between a downgrade to catalog version %i and the next start, no event is lost or doubled",
    async (version) => {
      await fill();
      const { code, output } = await engine("--to-catalog-version", String(version));
      expect(output).toContain(`to ${version}`);
      expect(code).toBe(0);
      const { postgres: step } = sourceStepsOf(version);
      expect(await migrateTo(step)).toMatchObject({ step });
      await query(source.url, "insert into item (name) select 'bulk' from generate_series(1, 400)");
      await query(source.url, "update item set facts = '{\"b\": 2}' where id = 1; delete from item where id = 2");
      const server = await start();
      await query(source.url, "insert into item (name) values ('last')");
      await vi.waitFor(() => expect(webhook.received).toHaveLength(2 * (1 + 400 + 2 + 1)), 30_000);
      const ids = webhook.received.map(({ body }) => JSON.parse(body).id);
      expect(new Set(ids).size).toBe(ids.length);
      const { body = "{}" } = webhook.received.find(({ body }) => JSON.parse(body).event.op === "UPDATE") ?? {};
      expect(JSON.parse(body).event.data).toMatchObject({ old: { facts: { a: 1 } }, new: { facts: { b: 2 } } });
      await server.stop();
    },
    90_000,
  );

  it("A dry run prints the statements of each source and changes nothing", async () => {
    await fill();
    const { code, output } = await engine("--to-catalog-version", "10", "--dryRun");
    expect(code).toBe(0);
    expect(output).toMatch(
      /-- source "default"[\s\S]*drop index engine_catalog\.event_log_failed[\s\S]*-- metadata database/,
    );
    await expect(migrateTo(newest)).resolves.toMatchObject({ step: newest });
  });

  it("An unreachable source stops the downgrade before the catalog, unless sources are skipped", async () => {
    await fill();
    await query(
      metadata.url,
      `update engine_catalog.engine_metadata_part set value = replace(value::text,
         'ENGINE_GRAPHQL_DATABASE_URL', 'ABSENT_VARIABLE')::json`,
    );
    const refused = await engine("--to-catalog-version", "10");
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/source "default".*ABSENT_VARIABLE.*--skip-sources/s),
    });
    const version = () => query(metadata.url, "select version from engine_catalog.engine_version");
    expect(await version()).toEqual([{ version: String(migrations.length) }]);
    expect(await engine("--to-catalog-version", "10", "--skip-sources")).toMatchObject({ code: 0 });
    expect(await version()).toEqual([{ version: "10" }]);
  });
});
