/**
 * Compares the engine with a handwritten server, each with a database of its own: requests per second of processor
 * time, of the server and its database connections, in five alternating pairs. The responses are checked for equality.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { processorSeconds, startEngine } from "./live/processes.ts";
import { askText, compare, createDatabase, loadScript, type Server, startProgram } from "./pairs.ts";

const target = 0.9;

export interface ByHand {
  /** Name of the engine's database; the other one has the suffix `_by_hand`. */
  readonly database: string;
  /** Statements that create the tables. */
  readonly tables: string;
  /** Metadata operations. */
  readonly metadata: readonly object[];
  /** File of the handwritten server in this folder, with the arguments port and URL of the database. */
  readonly program: string;
  readonly cases: readonly {
    readonly name: string;
    readonly body: object;
    /** Connections of the load; default 4. */
    readonly connections?: number;
  }[];
  /** Statement that runs before each load. */
  readonly reset?: string;
}

/** Runs the comparison and prints a line for each case. @param server URL of a PostgreSQL server on this machine */
export async function compareByHand(
  server: string,
  { database, tables, metadata, program, cases, reset }: ByHand,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-by-hand-"));
  const names = [database, `${database}_by_hand`] as const;
  const [own, other] = [await createTables(server, names[0], tables), await createTables(server, names[1], tables)];
  const databases = [own, other].map((connectionString) => new pg.Client({ connectionString }));
  for (const each of databases) await each.connect();
  const port = await freePort();
  const engine = await startEngine(own, await createDatabase(server, `${database}_metadata`), port, {});
  const byHand = await startProgram(program, other);
  const resets = databases.map((each) => async () => reset && each.query(reset));
  try {
    for (const operation of metadata) await engine.post("/v1/metadata", operation);
    const servers: readonly [Server, Server] = [
      serverOf(engine.pid, port, names[0], resets[0]),
      serverOf(byHand.pid, byHand.port, names[1], resets[1]),
    ];
    console.log("ms for one request                     engine, by hand   ratio (each pair)");
    for (const { name, body, connections = 4 } of cases) {
      const answers = await Promise.all(servers.map((each) => askText(each.port, body)));
      // Parsing removes the blanks in JSON of the database.
      const [byEngine, other] = answers.map((answer) => JSON.stringify(JSON.parse(answer)));
      if (byEngine !== other || byEngine?.startsWith('{"data"') !== true) {
        throw new Error(`the engine answers ${answers[0]}, the other ${answers[1]}`);
      }
      const script = join(folder, "load.lua");
      await writeFile(script, loadScript(body));
      const [first, second] = servers;
      const ratio = await compare(
        [
          { ...first, connections },
          { ...second, connections },
        ],
        script,
      );
      const figures = `${(ratio.own / 1000).toFixed(2)}, ${(ratio.other / 1000).toFixed(2)}`.padEnd(17);
      const pairs = ratio.ratios.map((each) => each.toFixed(2)).join(", ");
      console.log(name.padEnd(38), figures, `${ratio.ratio.toFixed(2)} (${pairs}), target ${target}`);
    }
  } finally {
    await engine.stop();
    byHand.child.kill();
    for (const each of databases) await each.end();
    await rm(folder, { recursive: true });
  }
}

async function createTables(server: string, name: string, tables: string): Promise<string> {
  const databaseUrl = await createDatabase(server, name);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(tables);
  await database.end();
  return databaseUrl;
}

/** Returns a server whose processor time includes its open database connections. */
function serverOf(pid: number, port: number, database: string, reset: Server["reset"]): Server {
  const spent = async (): Promise<number> => {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const titles = await Promise.all(pids.map((each) => readFile(`/proc/${each}/cmdline`, "utf8").catch(() => "")));
    const own = pids.filter((_, i) => titles[i]?.startsWith("postgres:") && titles[i]?.includes(` ${database} `));
    const times = await Promise.all([pid, ...own.map(Number)].map(processorSeconds));
    return times.reduce((sum, time) => sum + time, 0);
  };
  return { pid, port, spent, ...(reset && { reset }) };
}
