/**
 * `npm run bench -- --only cost` measures the processor time per request of each throughput case, in the server and in
 * the database, compared with the handwritten ceiling, or with the engine of another built checkout (`--against
 * FOLDER`). It depends far less on other load of the machine than requests per second. `--cases NAMES` limits it to
 * some cases, separated by commas. Input: a PostgreSQL on this machine, and the data set of `../shared/bench`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { root } from "../support/shared-checks.ts";
import { processorSeconds, startEngine } from "./live/processes.ts";

const enginePort = 8895;
const ceilingPort = 8893;
const connections = 20;
/** Number of rounds in which the servers alternate. */
const rounds = 4;
const seconds = 2;
const database = "bench_cost";
const metadataDatabase = "bench_cost_metadata";

interface Case {
  readonly name: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly variables: unknown;
  /** Values of variables that alternate. */
  readonly vary?: readonly unknown[];
}

interface Server {
  readonly pid: number;
  readonly port: number;
}

/** Processor time of one request in microseconds. */
interface Cost {
  readonly server: number;
  readonly database: number;
}

interface Measured extends Server {
  stop(): Promise<void>;
}

export interface CostOptions {
  /** Folder of another checkout. */
  readonly against: string | undefined;
  /** Names of the cases, separated by commas; all if absent. */
  readonly cases: string | undefined;
}

/** Runs the benchmark. */
export async function requestCost(url: string, folder: string, { against, cases: only }: CostOptions): Promise<void> {
  const { cases } = (await import(pathToFileURL(join(folder, "queries.mjs")).href)) as {
    readonly cases: readonly Case[];
  };
  const databaseUrl = await createDatabase(url, database);
  await loadDump(databaseUrl, join(folder, "data", "chinook.sql.gz"));
  const metadata: unknown = JSON.parse(await readFile(join(folder, "data", "chinook.metadata.json"), "utf8"));
  const start = async (checkout: string, port: number): Promise<Measured> => {
    const own = await createDatabase(url, `${metadataDatabase}_${port}`);
    const engine = await startEngine(databaseUrl, own, port, {}, checkout);
    await engine.post("/v1/metadata", { type: "replace_metadata", version: 2, args: { metadata } });
    return { pid: engine.pid, port, stop: engine.stop };
  };
  const servers = [await start(root, enginePort)];
  const scripts = await mkdtemp(join(tmpdir(), "engine-bench-"));
  try {
    servers.push(
      against === undefined ? startCeiling(folder, databaseUrl) : await start(resolve(against), ceilingPort),
    );
    const other = against === undefined ? "ceiling" : "other";
    console.log(`µs for one request   engine, database   ${other}, database   ratio of the sums`);
    const chosen = only?.split(",");
    for (const each of cases.filter(({ name }) => chosen?.includes(name) ?? true)) {
      const [ours, theirs] = await compare(servers, each, join(scripts, "load.lua"));
      if (ours === undefined || theirs === undefined) continue;
      const ratio = (ours.server + ours.database) / (theirs.server + theirs.database);
      console.log(each.name.padEnd(21), text(ours).padEnd(18), text(theirs).padEnd(19), ratio.toFixed(2));
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(scripts, { recursive: true });
  }
}

function startCeiling(folder: string, databaseUrl: string): Measured {
  const ceiling = spawn(process.execPath, [join(folder, "ceiling.mjs"), String(ceilingPort), databaseUrl], {
    cwd: root,
  });
  return { pid: ceiling.pid ?? 0, port: ceilingPort, stop: async () => void ceiling.kill() };
}

const text = ({ server, database: inDatabase }: Cost): string => `${server.toFixed(0)}, ${inDatabase.toFixed(0)}`;

async function compare(servers: readonly Server[], each: Case, script: string): Promise<readonly Cost[]> {
  await writeFile(script, loadScript(each));
  const sums = servers.map(() => ({ server: 0, database: 0, requests: 0 }));
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    const inTurn = [...servers.entries()];
    // The order alternates, because the second server benefits from caches that the first one has filled.
    for (const [i, { pid, port }] of round % 2 === 0 ? inTurn : inTurn.reverse()) {
      const before = [await processorSeconds(pid), await databaseSeconds()] as const;
      const requests = await load(port, script);
      const sum = sums[i];
      if (round === 0 || sum === undefined) continue;
      sum.server += (await processorSeconds(pid)) - before[0];
      sum.database += (await databaseSeconds()) - before[1];
      sum.requests += requests;
    }
  }
  return sums.map((sum) => ({
    server: (sum.server / sum.requests) * 1e6,
    database: (sum.database / sum.requests) * 1e6,
  }));
}

/** Returns the sum over all open connections to the database. */
async function databaseSeconds(): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const times = pids.map(async (pid) => {
    const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return title.startsWith("postgres:") && title.includes(` ${database} `) ? processorSeconds(Number(pid)) : 0;
  });
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

function loadScript({ query, headers, variables, vary = [variables], name }: Case): string {
  const bodies = vary.map((each) => `[==[${JSON.stringify({ query, variables: each })}]==]`);
  const all = { "content-type": "application/json", "x-bench-case": name, ...headers };
  const lines = Object.entries(all).map(([header, value]) => `wrk.headers["${header}"]="${value}"`);
  return [
    'wrk.method="POST"',
    `local bodies={${bodies.join(",")}}`,
    "local i=0",
    ...lines,
    "request=function() i=i%#bodies+1; return wrk.format(nil,nil,nil,bodies[i]) end",
    'done=function(s) io.write(string.format("requests %d\\n", s.requests)) end',
  ].join("\n");
}

/** Runs a load. @returns the number of successful requests */
async function load(port: number, script: string): Promise<number> {
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, `http://127.0.0.1:${port}/v1/graphql`];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  wrk.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(wrk, "close");
  const requests = Number(/requests (\d+)/.exec(output)?.[1] ?? 0);
  if (requests === 0 || output.includes("Non-2xx")) throw new Error(`the load went wrong: ${output}`);
  return requests;
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function loadDump(databaseUrl: string, file: string): Promise<void> {
  const psql = spawn("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", databaseUrl]);
  psql.stdin.end(Buffer.concat([gunzipSync(await readFile(file)), Buffer.from("\nvacuum analyze;\n")]));
  const [code] = await once(psql, "close");
  if (code !== 0) throw new Error(`psql could not load ${file}`);
}
