/**
 * `npm run bench -- --only writes` measures requests that insert 100 rows with nested rows, and a request with 10,000
 * rows, compared with a server of 40 lines that does the same with one statement. The ratio is requests per second of
 * processor time, of the server and its database connections, in five alternating pairs. The results are checked for
 * equality.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { processorSeconds, startEngine } from "./live/processes.ts";
import { askText, compare, createDatabase, loadScript, type Server, startProgram } from "./pairs.ts";

const target = 0.9;

const insertAuthors =
  "mutation Nested($objects: [author_insert_input!]!) { insert_author(objects: $objects) { affected_rows } }";
const authors = (booksOf: (author: number) => number) =>
  Array.from({ length: 100 }, (_, i) => ({
    name: `author ${i}`,
    books: { data: Array.from({ length: booksOf(i) }, (_, n) => ({ title: `book ${n} of ${i}` })) },
  }));

const cases = [
  { name: "100 rows with 2 nested rows each", query: insertAuthors, objects: authors(() => 2) },
  { name: "100 rows with 0 to 4 nested rows each", query: insertAuthors, objects: authors((i) => (i * 7) % 5) },
  {
    name: "10,000 rows",
    query: "mutation Many($objects: [entry_insert_input!]!) { insert_entry(objects: $objects) { affected_rows } }",
    objects: Array.from({ length: 10_000 }, (_, i) => ({ name: `entry ${i}`, amount: i })),
  },
];

const tables = `
  create table author (id serial primary key, name text not null);
  create table book (id serial primary key, author_id integer not null references author, title text not null);
  create table entry (id serial primary key, name text not null, amount integer not null)`;

/** Runs the benchmark. @param server URL of a PostgreSQL server on this machine */
export async function writeCost(server: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-writes-"));
  const names = ["bench_writes", "bench_writes_by_hand"] as const;
  const [own, other] = [await createTables(server, names[0]), await createTables(server, names[1])];
  const databases = [own, other].map((connectionString) => new pg.Client({ connectionString }));
  for (const database of databases) await database.connect();
  const port = await freePort();
  const engine = await startEngine(own, await createDatabase(server, "bench_writes_metadata"), port, {});
  const byHand = await startProgram("writes/server.ts", other);
  try {
    for (const table of ["author", "book", "entry"]) {
      await engine.post("/v1/metadata", { type: "pg_track_table", args: { table } });
    }
    const using = { foreign_key_constraint_on: { table: "book", column: "author_id" } };
    await engine.post("/v1/metadata", {
      type: "pg_create_array_relationship",
      args: { table: "author", name: "books", using },
    });
    const servers: readonly [Server, Server] = [
      serverOf(engine.pid, port, names[0], databases[0]),
      serverOf(byHand.pid, byHand.port, names[1], databases[1]),
    ];
    console.log("ms for one request                     engine, by hand   ratio (each pair)");
    for (const { name, query, objects } of cases) {
      const body = { query, variables: { objects } };
      const answers = await Promise.all(servers.map((each) => askText(each.port, body)));
      if (answers[0] !== answers[1]) throw new Error(`the engine answers ${answers[0]}, the other ${answers[1]}`);
      const script = join(folder, "load.lua");
      await writeFile(script, loadScript(body));
      const ratio = await compare(servers, script);
      const figures = `${(ratio.own / 1000).toFixed(1)}, ${(ratio.other / 1000).toFixed(1)}`.padEnd(17);
      const pairs = ratio.ratios.map((each) => each.toFixed(2)).join(", ");
      console.log(name.padEnd(38), figures, `${ratio.ratio.toFixed(2)} (${pairs}), target ${target}`);
    }
  } finally {
    await engine.stop();
    byHand.child.kill();
    for (const database of databases) await database.end();
    await rm(folder, { recursive: true });
  }
}

async function createTables(server: string, name: string): Promise<string> {
  const databaseUrl = await createDatabase(server, name);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(tables);
  await database.end();
  return databaseUrl;
}

/**
 * Returns a server whose processor time includes its open database connections, and whose tables are emptied before
 * each load.
 */
function serverOf(pid: number, port: number, database: string, emptying: pg.Client | undefined): Server {
  const spent = async (): Promise<number> => {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const titles = await Promise.all(pids.map((each) => readFile(`/proc/${each}/cmdline`, "utf8").catch(() => "")));
    const own = pids.filter((_, i) => titles[i]?.startsWith("postgres:") && titles[i]?.includes(` ${database} `));
    const times = await Promise.all([pid, ...own.map(Number)].map(processorSeconds));
    return times.reduce((sum, time) => sum + time, 0);
  };
  // Otherwise the faster server would have larger tables.
  const reset = async () => emptying?.query("truncate author, book, entry");
  return { pid, port, connections: 4, spent, reset };
}
