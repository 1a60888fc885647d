/**
 * `npm run bench:event-log -- [--rows N] [--only statements|clean-up|partitions|claims] [--against FOLDER]
 * [--pg-url URL]` measures the statements on a large event log (`docs/internals/performance.md`). N is in millions,
 * default 1; FOLDER is another checkout, whose statements are measured as well.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { optionValue, root, runMain, withPostgres } from "../support/shared-checks.ts";
import { addPending, createEventLog, drain, type EventLog, lanes } from "./events/log-tables.ts";

interface Settings {
  readonly server: string;
  readonly rows: number;
  readonly folders: readonly string[];
}

const million = 1_000_000;

/** The statements of a checkout. */
async function statementsOf(folder: string) {
  const load = (file: string) => import(join(folder, "runtime/jobs/events/postgres", file));
  const [{ postgresQueue }, { postgresLogs, postgresCleanup }, { postgresCatalog }] = await Promise.all(
    ["queue.ts", "logs.ts", "catalog.ts"].map(load),
  );
  return { queue: postgresQueue, logs: postgresLogs, cleanup: postgresCleanup, catalog: postgresCatalog };
}

type Values = readonly (string | null)[];

// ---------------------------------------------------------------- statements

/** Measures statements that run regularly, with 1,000 pending events and 100,000 retries that are not due. */
async function statements({ server, rows, folders }: Settings): Promise<void> {
  const log = await createEventLog(server, rows);
  const { client } = log;
  await addPending(client, 1000);
  await addPending(client, 100_000, "1 hour");
  await client.query("vacuum analyze engine_catalog.event_log");
  const me = randomUUID();
  await client.query("insert into engine_catalog.engine_instances (id) values ($1)", [me]);
  for (const folder of folders) {
    const { queue, logs, cleanup, catalog } = await statementsOf(folder);
    const measured: Readonly<Record<string, readonly [string, Values]>> = {
      "claim of 20 events": [queue.take, [me, "{pending}", "{20}", "20", "{-infinity}"]],
      "claim of 2,000 events": [queue.take, [me, "{pending}", "{2000}", "2000", "{-infinity}"]],
      "next retry": [queue.wait, [me, "{pending}"]],
      "release of an instance's events": [queue.free, [`{${me}}`]],
      "release of old locks": [queue.freeStale, []],
      "archiving at the start": [catalog.archiveOthers, [JSON.stringify([...lanes, "pending"])]],
      "backlog, for metrics": [queue.backlog, [`{${[...lanes, "pending"].join(",")}}`, "100000"]],
      "failed events, for metrics": [logs.failedCounts, [JSON.stringify(lanes), null, null, "100000"]],
      "newest page of the console": [logs.events.all, ["t1", "50", "0", null, null]],
      "clean-up that finds nothing": [cleanup.deleteEvents, ["t1", "9999", "10000", null]],
    };
    console.log(`  ${folder === root ? "this checkout" : folder}: milliseconds, pages read`);
    for (const [name, [text, values]] of Object.entries(measured)) {
      console.log(`    ${name.padEnd(34)} ${await cost(client, text, values)}`);
    }
  }
  await log.close();
}

/** Returns the shortest time and the pages of five runs, which are rolled back. */
async function cost(client: pg.Client, text: string, values: Values): Promise<string> {
  const used = values.slice(0, new Set(text.match(/\$\d+/g)).size);
  const times: number[] = [];
  let pages = 0;
  for (let run = 0; run < 5; run++) {
    await client.query("begin");
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, [...used]);
    await client.query("rollback");
    const [{ "Execution Time": time, Plan: plan }] = rows[0]["QUERY PLAN"];
    times.push(time);
    pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  }
  return `${Math.min(...times).toFixed(1)}, ${pages}`;
}

// ---------------------------------------------------------------- clean-up

/**
 * Deletes the events of one trigger after another in batches of 10,000, with invocations; without and with an older
 * transaction, during which the database keeps deleted rows.
 */
async function cleanUp({ server, rows, folders }: Settings): Promise<void> {
  const log = await createEventLog(server, rows);
  const { client, url } = log;
  const left = [...lanes];
  for (const isHeld of [false, true]) {
    for (const folder of folders) {
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      if (isHeld) await holder.query("begin isolation level repeatable read; select count(*) from pg_class");
      const { cleanup } = await statementsOf(folder);
      const wal = await position(client);
      const deleted = await deleteAll(client, cleanup.deleteWithInvocations, left.shift() ?? "");
      console.log(
        `  ${folder === root ? "this checkout" : folder}${isHeld ? ", with an older transaction" : ""}: ${deleted}, ` +
          `${(((await position(client)) - wal) / 1024 / 1024).toFixed(0)} MiB of WAL`,
      );
      await holder.end();
    }
  }
  console.log(`  VACUUM ${((await timed(() => client.query("vacuum engine_catalog.event_log"))) / 1000).toFixed(1)} s`);
  await log.close();
}

async function deleteAll(client: pg.Client, text: string, lane: string): Promise<string> {
  const parameters = new Set(text.match(/\$\d+/g)).size;
  const began = performance.now();
  let [done, slowest]: [number, number] = [0, 0];
  let from: string | null = null;
  for (let count = 1; count > 0; done += count) {
    const start = performance.now();
    const query: pg.QueryArrayConfig = {
      text,
      values: [lane, "24", "10000", from].slice(0, parameters),
      rowMode: "array",
    };
    const result: pg.QueryArrayResult<(string | null)[]> = await client.query(query);
    slowest = Math.max(slowest, performance.now() - start);
    count = Number(result.rows[0]?.[0]);
    from = result.rows[0]?.[2] ?? null;
  }
  const seconds = (performance.now() - began) / 1000;
  return `${done} events in ${seconds.toFixed(1)} s, slowest batch ${slowest.toFixed(0)} ms`;
}

async function position(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as at");
  return rows[0].at;
}

// ---------------------------------------------------------------- partitions

const delivered = 20_000;

/** Compares one table with partitions by day: recording, delivering and deleting a day. */
async function partitions({ server, rows }: Settings): Promise<void> {
  for (const isPartitioned of [false, true]) {
    const log = await createEventLog(server, rows, isPartitioned);
    const { client, url } = log;
    const record = await timed(() => addPending(client, delivered));
    await client.query("analyze engine_catalog.event_log");
    const rate = await drain(url, delivered);
    const drop = isPartitioned ? await dropWhileRecording(log) : undefined;
    console.log(
      `  ${isPartitioned ? "partitions" : "one table "}: ${delivered} events recorded in ${record.toFixed(0)} ms, ` +
        `delivered ${rate.toFixed(0)}/s${drop === undefined ? "" : `, ${drop}`}`,
    );
    await log.close();
  }
}

/** Drops the oldest day while a report reads the log, and a client records an event. */
async function dropWhileRecording({ client, url }: EventLog): Promise<string> {
  const [reader, writer] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([reader.connect(), writer.connect()]);
  await reader.query("begin; select from engine_catalog.event_log limit 1");
  const dropping = timed(() => client.query("drop table engine_catalog.event_log_30, engine_catalog.event_log_29"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const writing = timed(() => addPending(writer, 1));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await reader.query("commit");
  const [drop, write] = await Promise.all([dropping, writing]);
  await Promise.all([reader.end(), writer.end()]);
  return `DROP of two days ${drop.toFixed(0)} ms, an insert at the same time ${write.toFixed(0)} ms, with a transaction that reads for 1,200 ms`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

// ---------------------------------------------------------------- claims

/** Measures claims of 100 events after 100,000 others were delivered during an older transaction, which stops VACUUM. */
async function claims({ server, rows }: Settings): Promise<void> {
  const log = await createEventLog(server, rows);
  const { client, url } = log;
  const { queue } = await statementsOf(root);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin isolation level repeatable read; select count(*) from pg_class");
  await addPending(client, 100_000);
  const me = randomUUID();
  await client.query("insert into engine_catalog.engine_instances (id) values ($1)", [me]);
  for (const set of ["locked = now()", "locked = null, delivered = true"]) {
    await client.query(`update engine_catalog.event_log set ${set} where trigger_name = 'pending'`);
  }
  const { rows: now } = await client.query("select (now() at time zone 'utc')::text as at");
  await addPending(client, 1000);
  for (const [name, from] of [
    ["from the beginning", "-infinity"],
    ["from the last claim", now[0].at],
  ]) {
    console.log(`  ${name}: ${await cost(client, queue.take, [me, "{pending}", "{100}", "100", `{"${from}"}`])}`);
  }
  await holder.end();
  await log.close();
}

const parts: Readonly<Record<string, (settings: Settings) => Promise<void>>> = {
  statements,
  "clean-up": cleanUp,
  partitions,
  claims,
};

await runMain(async () => {
  const args = process.argv.slice(2);
  const only = optionValue(args, "--only");
  const against = optionValue(args, "--against");
  const rows = Number(optionValue(args, "--rows") ?? 1) * million;
  return withPostgres(args, async (server) => {
    for (const [name, part] of Object.entries(parts)) {
      if (only !== undefined && only !== name) continue;
      console.log(`\n${name}, ${rows} finished events`);
      await part({ server, rows, folders: [...(against === undefined ? [] : [against]), root] });
    }
    return 0;
  });
});
