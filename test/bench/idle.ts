/**
 * `npm run bench:idle -- [--seconds 60] [--pg-url URL]` counts the transactions of an idle instance in the metadata
 * database and in a source, and the cost of heartbeats of many instances (`docs/how-to/scaling.md`).
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Engine } from "../faults/lab/engine.ts";
import { ensureBuilt, optionValue, runMain, withPostgres } from "../support/shared-checks.ts";

const source = "bench_idle";
const metadata = "bench_idle_metadata";

interface Idle {
  readonly server: string;
  readonly seconds: number;
  readonly client: pg.Client;
}

/** An event trigger, a cron trigger that is never due, and an asynchronous action. */
const automation: readonly unknown[] = [
  { type: "pg_track_table", args: { table: "item" } },
  {
    type: "pg_create_event_trigger",
    args: { name: "items", table: "item", webhook: "http://127.0.0.1:9/", insert: { columns: "*" } },
  },
  {
    type: "create_cron_trigger",
    args: { name: "yearly", webhook: "http://127.0.0.1:9/", schedule: "0 0 1 1 *", include_in_metadata: true },
  },
  { type: "set_custom_types", args: { objects: [{ name: "Done", fields: [{ name: "id", type: "Int!" }] }] } },
  {
    type: "create_action",
    args: {
      name: "work",
      definition: { kind: "asynchronous", type: "mutation", handler: "http://127.0.0.1:9/", output_type: "Done" },
    },
  },
];

const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "default options": {},
  "--disable-event-processing": { ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING: "true" },
  "the same, --schema-sync-poll-interval 10000": {
    ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING: "true",
    ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: "10000",
  },
};

async function idle({ server, seconds, client }: Idle): Promise<void> {
  const [sourceUrl = "", metadataUrl = ""] = [source, metadata].map(
    (name) => Object.assign(new URL(server), { pathname: `/${name}` }).href,
  );
  const environment = { ENGINE_GRAPHQL_DATABASE_URL: sourceUrl, ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataUrl };
  const first = await Engine.start({ environment });
  for (const operation of automation) await first.post("/v1/metadata", operation);
  await first.kill("SIGTERM");
  for (const [name, options] of Object.entries(variants)) {
    const engine = await Engine.start({ environment: { ...environment, ...options } });
    await delay(15_000);
    const before = await counts(client);
    await delay(seconds * 1000);
    const after = await counts(client);
    const { rows } = await client.query(
      `select datname, count(*)::int as count from pg_stat_activity where datname = any ($1) group by datname`,
      [[source, metadata]],
    );
    const lines = [metadata, source].map((database) => {
      const rate = (Number(after.get(database)) - Number(before.get(database))) / seconds;
      const connections = rows.find(({ datname }) => datname === database)?.count ?? 0;
      return `${database === source ? "source" : "metadata database"} ${rate.toFixed(1)} transactions/s, ${connections} connections`;
    });
    console.log(`  ${name}: ${lines.join("; ")}`);
    await engine.kill("SIGTERM");
  }
}

async function counts(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  // Sessions report their counts at most once a second.
  await delay(1500);
  const text = "select datname, xact_commit::float8 as count from pg_stat_database where datname = any ($1)";
  const { rows } = await client.query(text, [[source, metadata]]);
  return new Map(rows.map(({ datname, count }) => [datname, count]));
}

const renewals = 2000;

/** Measures a heartbeat, which is one renewal and one search for instances without one, among many instances. */
async function heartbeats({ server }: Idle): Promise<void> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(server), { pathname: `/${metadata}` }).href });
  await client.connect();
  for (const instances of [10, 100, 1000, 3000]) {
    await client.query("truncate engine_catalog.engine_server_instances");
    const ids = Array.from({ length: instances }, () => randomUUID());
    await client.query("insert into engine_catalog.engine_server_instances (id) select unnest($1::uuid[])", [ids]);
    await client.query("vacuum analyze engine_catalog.engine_server_instances");
    const began = performance.now();
    for (let n = 0; n < renewals; n++) {
      const id = ids[n % instances];
      await client.query(
        "update engine_catalog.engine_server_instances set seen_at = clock_timestamp() where id = $1 returning id",
        [id],
      );
      await client.query(
        "delete from engine_catalog.engine_server_instances where id <> $1 and seen_at < clock_timestamp() - make_interval(secs => $2)",
        [id, 3600],
      );
    }
    console.log(`  ${instances} leases: ${((performance.now() - began) / renewals).toFixed(2)} ms for a heartbeat`);
  }
  await client.end();
}

await runMain(async () => {
  const args = process.argv.slice(2);
  await ensureBuilt();
  return withPostgres(args, async (server) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    const drop = async () => {
      for (const name of [source, metadata]) await client.query(`drop database if exists ${name} with (force)`);
    };
    await drop();
    for (const name of [source, metadata]) await client.query(`create database ${name}`);
    const url = Object.assign(new URL(server), { pathname: `/${source}` }).href;
    const tables = new pg.Client({ connectionString: url });
    await tables.connect();
    await tables.query("create table item (id serial primary key)").finally(() => tables.end());
    try {
      const settings: Idle = { server, client, seconds: Number(optionValue(args, "--seconds") ?? 60) };
      await idle(settings);
      await heartbeats(settings);
    } finally {
      await drop();
      await client.end();
    }
    return 0;
  });
});
