/**
 * `npm run bench:events -- [--only backlog|delay|write|memory] [--pg-url URL]` measures the cost and the delay of
 * events. Engine, receiver, database and the peer job queue run on this machine, one after the other.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Engine } from "../faults/lab/engine.ts";
import { within } from "../faults/lab/processes.ts";
import { ensureBuilt, optionValue, runMain, withPostgres } from "../support/shared-checks.ts";
import { type Arrival, Peer, Receiver } from "./events/processes.ts";

const events = 20_000;
const million = 1_000_000;

interface Bench {
  readonly database: pg.Client;
  readonly databaseUrl: string;
  readonly receiver: Receiver;
  start(environment?: Readonly<Record<string, string>>): Promise<Engine>;
}

type Part = (bench: Bench) => Promise<void>;

const parts: Readonly<Record<string, Part>> = { backlog, delay: delays, write: writes, memory };

async function withBench(
  { server, receiver }: { readonly server: string; readonly receiver: Receiver },
  part: Part,
): Promise<void> {
  const names = ["bench_events", "bench_events_metadata"];
  for (const name of names) await onServer(server, `drop database if exists ${name} with (force)`);
  for (const name of names) await onServer(server, `create database ${name}`);
  const [databaseUrl = "", metadataUrl = ""] = names.map(
    (name) => Object.assign(new URL(server), { pathname: `/${name}` }).href,
  );
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(`
    create table item (id bigserial primary key, owner int not null, title text not null, note text, price numeric,
      created_at timestamptz not null default now());
    create index on item (owner);
    create table plain (like item including all);
  `);
  const engines: Engine[] = [];
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<Engine> => {
    const engine = await Engine.start({
      environment: {
        ENGINE_GRAPHQL_DATABASE_URL: databaseUrl,
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataUrl,
        ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup",
        ...environment,
      },
    });
    engines.push(engine);
    return engine;
  };
  try {
    await part({ database, databaseUrl, receiver, start });
  } finally {
    for (const engine of engines) await engine.kill();
    await database.end();
    for (const name of names) await onServer(server, `drop database if exists ${name} with (force)`);
    await receiver.take();
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const undelivered = { ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING: "true" };

/** Tracks the table and creates its trigger. */
async function makeTrigger(engine: Engine, webhook: string): Promise<void> {
  await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "item" } });
  await engine.post("/v1/metadata", {
    type: "pg_create_event_trigger",
    args: { name: "items", table: "item", webhook, insert: { columns: "*" } },
  });
}

const insert = (table: string, rows: number): string =>
  `insert into ${table} (owner, title, note, price)
   select n % 1000, 'title of row ' || n, repeat('note ', 10), n / 100.0 from generate_series(1, ${rows}) n`;

// ---------------------------------------------------------------- backlog

/** Measures deliveries per second of a backlog, alternating between engine and peer. */
async function backlog(bench: Bench): Promise<void> {
  const { database, databaseUrl, receiver } = bench;
  const preparing = await bench.start(undelivered);
  await makeTrigger(preparing, receiver.url);
  await preparing.kill();
  const rates: Record<string, number[]> = { engine: [], default: [], tuned: [] };
  // The job queue creates its own tables.
  await (await Peer.start(databaseUrl, receiver.url, "default")).end();
  for (let turn = 0; turn < 3; turn++) {
    await database.query(insert("item", events));
    await database.query("vacuum analyze engine_catalog.event_log");
    const engine = await bench.start();
    rates.engine?.push(await rate(receiver));
    await engine.kill("SIGTERM");
    for (const settings of ["default", "tuned"] as const) {
      await database.query(
        `select graphile_worker.add_job('post', json_build_object('id', e.id, 'created_at', e.created_at,
           'trigger', json_build_object('name', e.trigger_name),
           'table', json_build_object('schema', e.schema_name, 'name', e.table_name), 'event', e.payload,
           'delivery_info', json_build_object('current_retry', 0, 'max_retries', 0)))
         from (select * from engine_catalog.event_log order by created_at desc limit ${events}) e`,
      );
      await database.query("vacuum analyze graphile_worker._private_jobs");
      const peer = await Peer.start(databaseUrl, receiver.url, settings);
      rates[settings]?.push(await rate(receiver));
      await peer.end();
    }
  }
  const [own, usual, tuned] = ["engine", "default", "tuned"].map((name) => median(rates[name] ?? []));
  console.log(`  engine                    ${round(own)} deliveries/s (${rates.engine?.map(round).join(", ")})`);
  console.log(
    `  Graphile Worker           ${round(usual)} (${rates.default?.map(round).join(", ")}): ${ratio(own, usual)}`,
  );
  console.log(
    `  Graphile Worker, batched  ${round(tuned)} (${rates.tuned?.map(round).join(", ")}): ${ratio(own, tuned)}`,
  );
}

/** Returns the delivery rate from the first to the last event of the backlog. */
async function rate(receiver: Receiver): Promise<number> {
  if (!(await within(120_000, async () => (await receiver.count()) >= events))) {
    throw new Error(`${await receiver.count()} of ${events} events were delivered`);
  }
  const times = (await receiver.take()).map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return (events / (last - first)) * 1000;
}

// ---------------------------------------------------------------- delay

/** Measures the delay from the commit of a row to the request, on an idle system. */
async function delays(bench: Bench): Promise<void> {
  const { database, receiver } = bench;
  const engine = await bench.start();
  await makeTrigger(engine, receiver.url);
  await delay(2000);
  const committed = new Map<number, number>();
  for (let n = 0; n < 200; n++) {
    const { rows } = await database.query("insert into item (owner, title) values (1, 'one') returning id");
    committed.set(Number(rows[0]?.id), performance.timeOrigin + performance.now());
    await delay(50 + 150 * Math.random());
  }
  await within(5000, async () => (await receiver.count()) >= committed.size);
  const arrivals: readonly Arrival[] = await receiver.take();
  const waits = arrivals.map(({ id, at }) => at - (committed.get(Number(id)) ?? at)).sort((a, b) => a - b);
  const at = (share: number): string => (waits[Math.floor(share * (waits.length - 1))] ?? 0).toFixed(1);
  console.log(
    `  ${waits.length} of ${committed.size} rows; median ${at(0.5)} ms, p99 ${at(0.99)} ms, maximum ${at(1)} ms`,
  );
}

// ---------------------------------------------------------------- write

/** Measures inserts of 10,000 rows in one statement, alternating between a table with a trigger and one without. */
async function writes(bench: Bench): Promise<void> {
  const { database, receiver } = bench;
  const engine = await bench.start(undelivered);
  await makeTrigger(engine, receiver.url);
  await engine.kill("SIGTERM");
  const times: Record<"item" | "plain", number[]> = { item: [], plain: [] };
  for (let turn = 0; turn < 11; turn++) {
    for (const table of ["item", "plain"] as const) {
      const began = performance.now();
      await database.query(insert(table, 10_000));
      if (turn > 0) times[table].push(performance.now() - began);
      await database.query("checkpoint");
    }
  }
  const [recorded, plain] = [median(times.item), median(times.plain)];
  console.log(`  with a trigger ${recorded.toFixed(0)} ms, without ${plain.toFixed(0)} ms: ${ratio(recorded, plain)}`);
}

// ---------------------------------------------------------------- memory

/** Measures an engine during 20 seconds with a million events to deliver. */
async function memory(bench: Bench): Promise<void> {
  const { database, receiver } = bench;
  const preparing = await bench.start(undelivered);
  await makeTrigger(preparing, receiver.url);
  await preparing.kill();
  for (let done = 0; done < million; done += 100_000) await database.query(insert("item", 100_000));
  const engine = await bench.start();
  let most = 0;
  const end = performance.now() + 20_000;
  while (performance.now() < end) {
    most = Math.max(most, await engine.memory());
    await delay(100);
  }
  const delivered = (await receiver.take()).length;
  console.log(`  at most ${round(most / 1024 / 1024)} MiB; ${delivered} deliveries in 20 s`);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const round = (value: number | undefined): string => String(Math.round(value ?? Number.NaN));
const ratio = (value: number | undefined, base: number | undefined): string =>
  `x ${((value ?? Number.NaN) / (base ?? Number.NaN)).toFixed(2)}`;

await runMain(async () => {
  const args = process.argv.slice(2);
  const only = optionValue(args, "--only");
  await ensureBuilt();
  await Peer.install();
  return withPostgres(args, async (server) => {
    const receiver = await Receiver.start();
    try {
      for (const [name, part] of Object.entries(parts)) {
        if (only !== undefined && only !== name) continue;
        console.log(`\n${name}`);
        await withBench({ server, receiver }, part);
      }
    } finally {
      receiver.end();
    }
    return 0;
  });
});
