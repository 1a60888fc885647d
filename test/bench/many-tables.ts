/**
 * `npm run bench -- --only tables` measures, with 5,000 tables and 11 roles, the time to change one object, to
 * introspect the whole schema, and to restart. Each generated table has a foreign key and a select permission with a
 * row filter for every role. Times are measured by a client, from sending a request to receiving its response. For
 * changes, the processor time of the engine is reported too, which depends less on the load of the machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createGunzip } from "node:zlib";
import { getIntrospectionQuery } from "graphql";
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { type Engine, processorMilliseconds, residentBytes, startEngine } from "./live/processes.ts";
import { delay, othersDuring, seconds } from "./others.ts";
import { createDatabase, median } from "./pairs.ts";

const usualTables = 5000;
const roles = 11;
const rounds = 7;
/** Number of clients that query rows during introspection. */
const others = 4;
const columns = ["id", "parent_id", "name", "owner"];

/** Upper bounds, in the unit that the name ends with. */
const targets: Readonly<Record<string, number>> = {
  "track a table, s": 0.15,
  "untrack it, s": 0.15,
  "run_sql that adds a column, s": 0.5,
  "role's introspection, s": 3,
  "administrator's introspection, s": 10,
  "memory while it is written, MiB": 700,
  "others' p99, role's introspection over before": 1.5,
  "others' p99, administrator's introspection over before": 1.5,
};

const tableName = (index: number): string => `table_${index}`;

function tables(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const parent = index === 0 ? "" : ` references ${tableName(index - 1)}`;
    return `create table ${tableName(index)} (id integer primary key, parent_id integer${parent}, name text, owner text);`;
  }).join("\n");
}

function metadata(count: number): unknown {
  const permission = { columns, filter: { owner: { _eq: "X-Engine-User-Id" } } };
  const select = Array.from({ length: roles }, (_, role) => ({ role: `role_${role}`, permission }));
  const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
  const connection_info = { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } };
  return {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        configuration: { connection_info },
        tables: Array.from({ length: count }, (_, index) => ({
          table: { schema: "public", name: tableName(index) },
          object_relationships: index === 0 ? [] : [parent],
          select_permissions: select,
        })),
      },
    ],
  };
}

type Figures = Record<string, number>;

/** Runs the benchmark. @param server URL of a PostgreSQL server @param tableCount number of tables; default 5,000 */
export async function manyTables(server: string, tableCount: string | undefined): Promise<void> {
  const count = tableCount === undefined ? usualTables : Number(tableCount);
  const databaseUrl = await createDatabase(server, "bench_tables");
  const metadataUrl = await createDatabase(server, "bench_tables_metadata");
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(tables(count));
  const port = await freePort();
  const start = () => startEngine(databaseUrl, metadataUrl, port, {});
  let engine = await start();
  try {
    const replace = { type: "replace_metadata", args: { metadata: metadata(count) } };
    report({ "the whole metadata, s": await seconds(() => engine.post("/v1/metadata", replace)) });
    report(await changes(engine, database));
    report(await introspections(engine));
    await engine.stop();
    let started = 0;
    const first = await seconds(async () => {
      started = await seconds(async () => {
        engine = await start();
      });
      await answers(engine, "role_1", 1);
    });
    report({ "restart to the first answer, s": first, "of that until it serves, s": started });
    report(await introspectionsBesideOthers(engine));
  } finally {
    await engine.stop();
    await database.end();
  }
}

async function changes(engine: Engine, database: pg.Client): Promise<Figures> {
  await database.query("create table added (id integer primary key, name text)");
  const figures = new Map<string, number[]>();
  const note = async (name: string, change: () => Promise<unknown>): Promise<void> => {
    const before = await processorMilliseconds(engine.pid);
    const took = await seconds(change);
    const spent = ((await processorMilliseconds(engine.pid)) - before) / 1000;
    for (const [figure, value] of [
      [`${name}, s`, took],
      [`${name}: processor time, s`, spent],
    ] as const) {
      figures.set(figure, [...(figures.get(figure) ?? []), value]);
    }
  };
  for (let round = 0; round < rounds; round++) {
    const operation = (type: string) => () => engine.post("/v1/metadata", { type, args: { table: "added" } });
    await note("track a table", operation("pg_track_table"));
    await note("untrack it", operation("pg_untrack_table"));
    const sql = `alter table ${tableName(round)} add column extra integer`;
    await note("run_sql that adds a column", () => engine.post("/v2/query", { type: "run_sql", args: { sql } }));
    const query = { query: `{ ${tableName(round)} { extra } }` };
    const answer = JSON.stringify(await engine.post("/v1/graphql", query));
    if (answer !== `{"data":{"${tableName(round)}":[]}}`) throw new Error(`the new column is not served: ${answer}`);
  }
  return Object.fromEntries(Array.from(figures, ([name, values]) => [name, median(values)]));
}

/** Measures an idle engine that has not served a whole schema before. */
async function introspections(engine: Engine): Promise<Figures> {
  const byRole = await introspect(engine, "role_3");
  const again = await introspect(engine, "role_3");
  const byAdmin = await introspect(engine, "admin");
  return {
    "role's introspection, s": byRole.seconds,
    "the same again, s": again.seconds,
    "its size, MB": byRole.megabytes,
    "administrator's introspection, s": byAdmin.seconds,
    "size of that, MB": byAdmin.megabytes,
    "memory while it is written, MiB": byAdmin.memory,
  };
}

/** Measures a freshly started engine while other clients query rows. */
async function introspectionsBesideOthers(engine: Engine): Promise<Figures> {
  await othersWhile(engine, () => delay(3));
  const before = await othersWhile(engine, () => delay(5));
  const besideProcess = await othersWhile(engine, () => computing(5));
  const byRole = await othersWhile(engine, () => introspect(engine, "role_3"));
  const byAdmin = await othersWhile(engine, () => introspect(engine, "admin"));
  return {
    "others' p99 before, ms": before,
    "others' p99, beside a process that only computes, over before": besideProcess / before,
    "others' p99, role's introspection over before": byRole / before,
    "others' p99, administrator's introspection over before": byAdmin / before,
  };
}

/** Burns processor time in another process. */
async function computing(seconds: number): Promise<void> {
  const child = spawn(process.execPath, [
    "-e",
    `const end = Date.now() + ${seconds * 1000}; while (Date.now() < end);`,
  ]);
  await once(child, "exit");
}

interface Introspected {
  readonly seconds: number;
  readonly megabytes: number;
  /** Peak resident memory in MiB. */
  readonly memory: number;
}

/** Introspects with a client that only decompresses the response, because it shares the machine with the engine. */
async function introspect(engine: Engine, role: string): Promise<Introspected> {
  let bytes = 0;
  let memory = 0;
  const sample = setInterval(async () => {
    memory = Math.max(memory, await residentBytes(engine.pid));
  }, 50);
  const took = await seconds(async () => {
    const headers = { "x-engine-role": role, "accept-encoding": "gzip" };
    const asking = request(`${engine.url}/v1/graphql`, { method: "POST", headers });
    asking.end(JSON.stringify({ query: getIntrospectionQuery() }));
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    for await (const chunk of response.pipe(createGunzip({ chunkSize: 256 * 1024 }))) bytes += chunk.length;
  });
  clearInterval(sample);
  if (bytes < 10_000) throw new Error(`the schema of ${role} is not answered`);
  return { seconds: took, megabytes: bytes / 1e6, memory: memory / 2 ** 20 };
}

/** Runs the work beside other requests. @returns the 99th percentile of the other requests, in milliseconds */
async function othersWhile(engine: Engine, work: () => Promise<unknown>): Promise<number> {
  return (await othersDuring(others, (request) => answers(engine, "role_1", request % 50), work)).p99;
}

async function answers(engine: Engine, role: string, table: number): Promise<void> {
  const response = await fetch(`${engine.url}/v1/graphql`, {
    method: "POST",
    headers: { "x-engine-role": role, "x-engine-user-id": "u" },
    body: JSON.stringify({ query: `query Some { ${tableName(table)}(limit: 1) { id name } }` }),
  });
  const text = await response.text();
  if (text !== `{"data":{"${tableName(table)}":[]}}`) throw new Error(`the engine answers ${text}`);
}

function report(figures: Figures): void {
  for (const [name, value] of Object.entries(figures)) {
    const target = targets[name];
    console.log(`tables: ${name}: ${value.toFixed(3)}${target === undefined ? "" : ` (target ${target})`}`);
  }
}
