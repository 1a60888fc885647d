/**
 * `npm run bench:joins -- [--pg-url URL] [--parents 10,1000] [--profile FILE.cpuprofile]` measures joins with rows of
 * another PostgreSQL database, compared with one SQL join inside one database and with a handwritten server
 * (`joins/peer.ts`), in alternating pairs. A ratio divides the engine's requests per second of processor time by those
 * of the alternative. One ratio counts the processor time of the servers alone, another one includes the databases.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { ensureBuilt, optionValue, runMain, withPostgres } from "../support/shared-checks.ts";
import { type Engine, processorSeconds, processorTime, startEngine } from "./live/processes.ts";
import {
  askText,
  compare,
  createDatabase,
  loadScript,
  median,
  profile,
  type Ratio,
  type Server,
  startProgram,
} from "./pairs.ts";

const enginePort = 8893;
const most = 10_000;

const joined = "query ($count: Int!) { item(limit: $count, order_by: {id: asc}) { id title part { id name } } }";
const inside = joined.replace("part {", "part: near {");

const partsOf = (table: string): string => `
  create table ${table} (id int primary key, name text not null);
  insert into ${table} select n, 'part number ' || n from generate_series(1, ${most}) n;
  analyze ${table};
`;
const items = `
  create table item (id int primary key, title text not null, part_id int);
  insert into item select n, 'the title of ' || n, (n * 7) % ${most} + 1 from generate_series(1, ${most}) n;
  analyze item;
`;

const metadata = {
  type: "bulk",
  args: [
    {
      type: "pg_add_source",
      args: { name: "other", configuration: { connection_info: { database_url: { from_env: "OTHER" } } } },
    },
    { type: "pg_track_table", args: { table: "item" } },
    { type: "pg_track_table", args: { table: "near" } },
    { type: "pg_track_table", args: { source: "other", table: "part" } },
    {
      type: "pg_create_object_relationship",
      args: {
        table: "item",
        name: "near",
        using: { manual_configuration: { remote_table: "near", column_mapping: { part_id: "id" } } },
      },
    },
    {
      type: "pg_create_remote_relationship",
      args: {
        table: "item",
        name: "part",
        definition: {
          to_source: {
            ...{ source: "other", table: "part", relationship_type: "object" },
            field_mapping: { part_id: "id" },
          },
        },
      },
    },
  ],
};

/** Checks that all variants do the same work. Otherwise the comparison is void. */
async function checkSame(peerPort: number, count: number): Promise<void> {
  const variables = { count };
  const texts = await Promise.all([
    askText(enginePort, { query: joined, variables }),
    askText(enginePort, { query: inside, variables }),
    askText(peerPort, { query: joined, variables }),
  ]);
  // Parsing removes the blanks in JSON of the databases.
  const [own, near, other] = texts.map((text) => JSON.stringify(JSON.parse(text)));
  if (own === near && own === other && own?.split('"name"').length === count + 1) return;
  throw new Error(`the answers differ: ${texts.map((text) => text.slice(0, 300)).join("\n")}`);
}

/** Returns the latency in milliseconds of one request without other load, as measured by the client. */
async function latency(query: string, count: number): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < 20; i++) {
    const from = performance.now();
    await askText(enginePort, { query, variables: { count } });
    taken.push(performance.now() - from);
  }
  return median(taken);
}

/** Returns a function that reads the processor time of the database server with all its connections. */
async function databaseTime(url: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const parent = await parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return async () => {
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
    const children: number[] = [];
    for (const pid of processes) if ((await parentOf(pid)) === parent) children.push(pid);
    const times = await Promise.all(children.map(processorTime));
    return times.reduce((sum, { user, system }) => sum + user + system, 0);
  };
}

async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const parent = /PPid:\s+(\d+)/.exec(status)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function line(name: string, { own, other, ratio, ratios }: Ratio): string {
  const pairs = ratios.map((each) => each.toFixed(2)).join(", ");
  return `  ${name} ${own.toFixed(0)} µs and ${other.toFixed(0)} µs: x ${ratio.toFixed(2)} (${pairs})`;
}

interface Servers {
  readonly engine: Engine;
  readonly peer: Server;
  readonly databases: () => Promise<number>;
}

async function measure({ engine, peer, databases }: Servers, count: number, folder: string): Promise<string> {
  await checkSame(peer.port, count);
  const [script, nearScript] = [join(folder, "joined.lua"), join(folder, "inside.lua")];
  await writeFile(script, loadScript({ query: joined, variables: { count } }));
  await writeFile(nearScript, loadScript({ query: inside, variables: { count } }));
  // Responses of a megabyte: if many were in progress, none would end before the load does.
  const connections = count > 1000 ? 2 : 20;
  const across: Server = { pid: engine.pid, port: enginePort, connections };
  const within: Server = { ...across, script: nearScript };
  console.log(`${count} parents`);
  console.log(line("engine and by hand", await compare([across, { ...peer, connections }], script)));
  console.log(line("two databases and one SQL join, engine", await compare([across, within], script)));
  const spent = async () => (await databases()) + (await processorSeconds(engine.pid));
  const withDatabases = [
    { ...across, spent },
    { ...within, spent },
  ] as const;
  console.log(line("the same with the databases", await compare(withDatabases, script)));
  const taken = [await latency(joined, count), await latency(inside, count)];
  console.log(`  alone: ${taken.map((each) => `${each.toFixed(1)} ms`).join(" and ")}`);
  return script;
}

await runMain(async () => {
  const args = process.argv.slice(2);
  await ensureBuilt();
  return withPostgres(args, async (url) => {
    const folder = await mkdtemp(join(tmpdir(), "bench-joins-"));
    const [left, right] = [await createDatabase(url, "bench_joins"), await createDatabase(url, "bench_joins_other")];
    for (const [database, sql] of [
      [left, items + partsOf("near")],
      [right, partsOf("part")],
    ]) {
      const client = new pg.Client({ connectionString: database });
      await client.connect();
      await client.query(sql ?? "");
      await client.end();
    }
    const peer = await startProgram("joins/peer.ts", left, right);
    const engine = await startEngine(left, await createDatabase(url, "bench_joins_metadata"), enginePort, {
      OTHER: right,
    });
    try {
      await engine.post("/v1/metadata", metadata);
      const databases = await databaseTime(url);
      const parents = optionValue(args, "--parents") ?? `10,1000,${most}`;
      for (const count of parents.split(",").map(Number)) {
        const script = await measure({ engine, peer, databases }, count, folder);
        await profile(optionValue(args, "--profile"), enginePort, String(count), script);
      }
    } finally {
      peer.child.kill("SIGKILL");
      await engine.stop();
      await rm(folder, { recursive: true });
    }
    return 0;
  });
});
