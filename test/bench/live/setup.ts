/** Setup of the live query benchmark: the database, an engine, and changes of rows. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Engine, startEngine } from "./processes.ts";
import { changesPerSecond, port, rooms, rowsPerRoom, seconds } from "./settings.ts";

export interface Bench {
  readonly server: string;
  readonly database: pg.Client;
  readonly databaseUrl: string;
  readonly metadataUrl: string;
}

export async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

export async function prepare(server: string): Promise<Bench> {
  for (const name of ["bench_live", "bench_live_metadata"]) {
    await onServer(server, `drop database if exists ${name} with (force)`);
    await onServer(server, `create database ${name}`);
  }
  const at = (name: string): string => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const database = new pg.Client({ connectionString: at("bench_live") });
  await database.connect();
  await database.query(`
    create table reading (id int primary key, room int not null, change int not null, sent_at float8 not null, pad text not null);
    insert into reading select n, n % ${rooms}, 0, 0, repeat('x', 10000) from generate_series(0, ${rooms * rowsPerRoom - 1}) n;
    create index on reading (room); analyze reading;
  `);
  return { server, database, databaseUrl: at("bench_live"), metadataUrl: at("bench_live_metadata") };
}

export async function start(bench: Bench, environment: Readonly<Record<string, string>>): Promise<Engine> {
  const engine = await startEngine(bench.databaseUrl, bench.metadataUrl, port, environment);
  const tracked = await bench.database.query("select 1 from pg_tables where tablename = 'tracked'");
  if (tracked.rowCount === 0) {
    await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "reading" } });
    await bench.database.query("create table tracked ()");
  }
  return engine;
}

export function websocketUrl({ url }: Engine): string {
  return `${url.replace("http", "ws")}/v1/graphql`;
}

/** Changes rows at a steady rate. Each change contains its send time. */
export async function change({ database }: Bench): Promise<void> {
  const began = performance.now();
  const { rows } = await database.query("select max(change) as last from reading");
  let number = Number(rows[0]?.last);
  for (let done = 0; done < changesPerSecond * seconds; done++) {
    const due = (done / changesPerSecond) * 1000;
    const wait = began + due - performance.now();
    if (wait > 1) await delay(wait);
    number++;
    const id = Math.floor(Math.random() * rooms * rowsPerRoom);
    await database.query("update reading set change = $1, sent_at = $2 where id = $3", [number, Date.now(), id]);
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
