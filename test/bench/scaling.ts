/**
 * `npm run bench -- --only scaling` measures the cost of one permission change with few and with many tables. Each
 * generated table has a foreign key and a select permission with a row filter for every role. A client measures the
 * time until a request is served with the change. Then an admin introspects the whole schema while other clients keep
 * sending requests.
 */
import { getIntrospectionQuery } from "graphql";
import pg from "pg";
import { type Engine, processorSeconds, residentBytes, startEngine } from "./live/processes.ts";

const sizes = [250, 2000];
const roles = 20;
const rounds = 15;
const port = 8897;

const tableName = (index: number): string => `table_${index}`;
const tableOf = (index: number) => ({ schema: "public", name: tableName(index) });
const permissionOf = (columns: readonly string[]) => ({ columns, filter: { owner: { _eq: "X-Engine-User-Id" } } });
const columns = ["id", "parent_id", "name", "owner"];

function tables(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const parent = index === 0 ? "" : ` references ${tableName(index - 1)}`;
    return `create table ${tableName(index)} (id integer primary key, parent_id integer${parent}, name text, owner text);`;
  }).join("\n");
}

function metadata(count: number): unknown {
  const select = Array.from({ length: roles }, (_, role) => ({
    role: `role_${role}`,
    permission: permissionOf(columns),
  }));
  const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
  return {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
        tables: Array.from({ length: count }, (_, index) => ({
          table: tableOf(index),
          object_relationships: index === 0 ? [] : [parent],
          select_permissions: select,
        })),
      },
    ],
  };
}

interface Figures {
  readonly replace: number;
  readonly change: number;
  readonly changeAtMost: number;
  readonly served: number;
  /** Processor time of the engine for one change in milliseconds, without the request that follows. */
  readonly processor: number;
  readonly megabytes: number;
  /** Time of the first introspection of the whole schema, in milliseconds. */
  readonly introspection: number;
  /** Longest latency of other requests in the meantime. */
  readonly othersAtMost: number;
}

async function measure(engine: Engine, count: number): Promise<Figures> {
  const { pid } = engine;
  const operation = (type: string, args: unknown) => timed(() => engine.post("/v1/metadata", { type, args }));
  const replace = await operation("replace_metadata", { metadata: metadata(count) });
  const table = tableOf(count >> 1);
  const changes: number[] = [];
  const served: number[] = [];
  let processor = 0;
  for (let round = 0; round < rounds; round++) {
    for (const change of [
      () => operation("pg_drop_select_permission", { table, role: "role_7" }),
      () =>
        operation("pg_create_select_permission", { table, role: "role_7", permission: permissionOf(["id", "name"]) }),
    ]) {
      const before = await processorSeconds(pid);
      const milliseconds = await change();
      processor += (await processorSeconds(pid)) - before;
      changes.push(milliseconds);
      served.push(milliseconds + (await timed(() => ask(engine, table.name))));
    }
  }
  return {
    replace,
    change: median(changes),
    changeAtMost: Math.max(...changes),
    served: median(served),
    processor: (processor / changes.length) * 1000,
    megabytes: (await residentBytes(pid)) / 2 ** 20,
    ...(await introspect(engine, table.name)),
  };
}

async function introspect(engine: Engine, table: string): Promise<Pick<Figures, "introspection" | "othersAtMost">> {
  let isAnswered = false;
  const answer = timed(async () => {
    const body = JSON.stringify({ query: getIntrospectionQuery() });
    const response = await fetch(`${engine.url}/v1/graphql`, { method: "POST", body });
    await response.arrayBuffer();
    isAnswered = true;
  });
  let othersAtMost = 0;
  while (!isAnswered) othersAtMost = Math.max(othersAtMost, await timed(() => ask(engine, table)));
  return { introspection: await answer, othersAtMost };
}

/** Sends a query of a role. A refusal for lack of the permission is also valid. */
async function ask(engine: Engine, table: string): Promise<void> {
  await fetch(`${engine.url}/v1/graphql`, {
    method: "POST",
    headers: { "x-engine-role": "role_7", "x-engine-user-id": "u" },
    body: JSON.stringify({ query: `{ ${table}(limit: 1) { id } }` }),
  }).then((answer) => answer.text());
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function withDatabases<T>(server: string, work: (urls: readonly string[]) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const names = ["bench_scaling", "bench_scaling_metadata"];
  try {
    for (const name of names) {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.query(`create database ${name}`);
    }
    return await work(names.map((name) => Object.assign(new URL(server), { pathname: `/${name}` }).href));
  } finally {
    for (const name of names) await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

/** Runs the benchmark. @param server URL of a PostgreSQL server */
export async function scaling(server: string): Promise<void> {
  const found: Figures[] = [];
  for (const count of sizes) {
    const figures = await withDatabases(server, async ([databaseUrl = "", metadataUrl = ""]) => {
      const database = new pg.Client({ connectionString: databaseUrl });
      await database.connect();
      await database.query(tables(count));
      await database.end();
      const engine = await startEngine(databaseUrl, metadataUrl, port, {});
      try {
        return await measure(engine, count);
      } finally {
        await engine.stop();
      }
    });
    found.push(figures);
    const text = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`);
    console.log(`scaling ${count} tables x ${roles} roles: ${text.join(", ")}`);
  }
  const [few, many] = found;
  if (few === undefined || many === undefined) return;
  const ratio = (name: keyof Figures) => (many[name] / few[name]).toFixed(2);
  console.log(`scaling ratio: change ${ratio("change")}, served ${ratio("served")}, processor ${ratio("processor")}`);
}
