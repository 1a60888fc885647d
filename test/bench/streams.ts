/**
 * `npm run bench:streams -- [--seconds 20] [--writers 8] [--pg-url URL]` measures the rows that a stream misses and their
 * delays while writers commit in another order than their ids, with and without rows that are held back. A delay runs
 * from the commit, as the writer sees it, to the message. Engine, client, writers and database run on this machine.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { optionValue, runMain, withPostgres } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";
import { startEngine } from "./live/processes.ts";
import { onServer } from "./live/setup.ts";

const args = process.argv.slice(2);
const seconds = Number(optionValue(args, "--seconds") ?? 20);
const writers = Number(optionValue(args, "--writers") ?? 8);

/** Longest transaction in milliseconds. */
const longest = 40;

const cases = [
  { name: "not held back", environment: { ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK: "false" } },
  { name: "held back (default)", environment: {} },
] as const;

const names = ["bench_streams", "bench_streams_metadata"] as const;

/** Inserts a row per transaction for some seconds. @returns the time of each commit by id */
async function write(url: string): Promise<readonly (readonly [number, number])[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const commits: (readonly [number, number])[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await client.query("begin");
    const { rows } = await client.query("insert into entry default values returning id");
    await delay(Math.random() * longest);
    await client.query("commit");
    commits.push([Number(rows[0].id), performance.now()]);
  }
  await client.end();
  return commits;
}

async function follow(url: string, received: Map<number, number>): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(url, { protocol: "graphql-ws" });
  client.send({ type: "connection_init" });
  const query = "subscription { entry_stream(batch_size: 10000, cursor: {initial_value: {id: 0}}) { id } }";
  client.send({ type: "start", id: "s", payload: { query } });
  client.ws.on("message", (data) => {
    const now = performance.now();
    const { type, payload } = JSON.parse(String(data));
    if (type === "data") for (const { id } of payload.data.entry_stream) received.set(Number(id), now);
  });
  return client;
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

async function measure(server: string, { name, environment }: (typeof cases)[number]): Promise<void> {
  for (const database of names) await onServer(server, `create database ${database}`);
  const [databaseUrl = "", metadataUrl = ""] = names.map(
    (database) => Object.assign(new URL(server), { pathname: `/${database}` }).href,
  );
  const engine = await startEngine(databaseUrl, metadataUrl, 8898, environment);
  try {
    await onServer(databaseUrl, "create table entry (id bigserial primary key)");
    await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "entry" } });
    const received = new Map<number, number>();
    const client = await follow(engine.url, received);
    const commits = (await Promise.all(Array.from({ length: writers }, () => write(databaseUrl)))).flat();
    await delay(5000);
    client.ws.terminate();
    const delays = commits.flatMap(([id, at]) => (received.has(id) ? [(received.get(id) ?? at) - at] : []));
    delays.sort((one, other) => one - other);
    const [median, most] = [quantile(delays, 0.5), quantile(delays, 0.99)].map((each) => (each / 1000).toFixed(2));
    const missed = commits.length - delays.length;
    console.log(`${name}: ${commits.length} rows, ${missed} missed; delay ${median} s in the median, ${most} s in p99`);
  } finally {
    await engine.stop();
    for (const database of names) await onServer(server, `drop database if exists ${database} with (force)`);
  }
}

await runMain(() =>
  withPostgres(args, async (server) => {
    for (const each of cases) await measure(server, each);
    return 0;
  }),
);
