/**
 * Compares the processor time per request of two HTTP servers under the same load from wrk, in alternating pairs.
 * Processor time does not depend on other load of the machine.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/shared-checks.ts";
import { Inspector, inspectorPort, processorSeconds } from "./live/processes.ts";

const usualPairs = 5;
/** Duration of a load. */
export const seconds = 3;
const usualConnections = 20;

/**
 * Number of requests before measuring, so that both servers run optimised code. Optimisation depends on requests, not
 * on time.
 */
const usualWarmRequests = 30_000;
/** Maximum number of warm-up loads, for slow requests. */
const mostWarmLoads = 5;

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** The script for this server, instead of the common one. */
  readonly script?: string;
  /** Returns the processor time so far in seconds, if it includes other processes. */
  readonly spent?: () => Promise<number>;
  /** Connections of the load; default 20. */
  readonly connections?: number;
  /** Runs before each load. */
  readonly reset?: () => Promise<unknown>;
}

export interface Ratio {
  /** Processor time per request, in microseconds. */
  readonly own: number;
  readonly other: number;
  /** Requests per second of processor time, first server to second: the median of the pairs. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

export interface Thoroughness {
  readonly pairs?: number;
  /** Number of requests before measuring. */
  readonly warmRequests?: number;
}

/**
 * Compares two servers. Pairs alternate, and so does their order, so that other load of the machine affects both.
 * @param script script for wrk
 */
export async function compare(
  servers: readonly [Server, Server],
  script: string,
  { pairs = usualPairs, warmRequests = usualWarmRequests }: Thoroughness = {},
): Promise<Ratio> {
  const [engine, peer] = servers;
  for (const server of servers) await warm(server, script, warmRequests);
  const ratios: number[] = [];
  const costs: (readonly [number, number])[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const isSwapped = pair % 2 === 1;
    const first = await cost(isSwapped ? peer : engine, script);
    const second = await cost(isSwapped ? engine : peer, script);
    const [own, other] = isSwapped ? [second, first] : [first, second];
    costs.push([own, other]);
    ratios.push(other / own);
  }
  const own = median(costs.map(([cost]) => cost));
  const other = median(costs.map(([, cost]) => cost));
  return { own, other, ratio: median(ratios), ratios };
}

async function warm({ port, script: own, connections }: Server, script: string, warmRequests: number): Promise<void> {
  const mostLoads = Math.ceil((mostWarmLoads * warmRequests) / usualWarmRequests);
  let requests = 0;
  for (let loads = 0; loads < mostLoads && requests < warmRequests; loads++) {
    requests += await load(port, own ?? script, connections);
  }
}

/** Returns the processor time of one request in microseconds. */
async function cost(server: Server, script: string): Promise<number> {
  const { pid, port, spent = () => processorSeconds(pid) } = server;
  await server.reset?.();
  const before = await spent();
  const requests = await load(port, server.script ?? script, server.connections);
  return (((await spent()) - before) / requests) * 1e6;
}

/** Profiles an engine under load. @param port port of the engine @param file the case name is added to the file name */
export async function profile(file: string | undefined, port: number, name: string, script: string): Promise<void> {
  if (file === undefined) return;
  const inspector = await Inspector.open(inspectorPort(port));
  await inspector.startProfile();
  await load(port, script);
  await writeFile(file.replace(/(\.cpuprofile)?$/, ` ${name}$1`), JSON.stringify(await inspector.stopProfile()));
  inspector.close();
}

/** Returns a script for wrk that posts the body to `/v1/graphql`. */
export function loadScript(body: object): string {
  return [
    'wrk.method="POST"',
    'wrk.headers["content-type"]="application/json"',
    `wrk.body=[==[${JSON.stringify(body)}]==]`,
    'done=function(s) io.write(string.format("requests %d\\n", s.requests)) end',
  ].join("\n");
}

/** Runs a load. @returns the number of successful requests */
export async function load(port: number, script: string, connections = usualConnections): Promise<number> {
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, `http://127.0.0.1:${port}/v1/graphql`];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  wrk.stdout.on("data", (chunk) => (output += chunk));
  await once(wrk, "close");
  const requests = Number(/requests (\d+)/.exec(output)?.[1] ?? 0);
  if (requests === 0 || output.includes("Non-2xx")) throw new Error(`the load went wrong: ${output}`);
  return requests;
}

export async function askText(port: number, body: object): Promise<string> {
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1:${port}/v1/graphql`;
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
}

/** Starts a program. @param file file in the folder of the benchmarks; its first argument is its port */
export async function startProgram(
  file: string,
  ...args: readonly string[]
): Promise<Server & { readonly child: ChildProcess }> {
  const port = await freePort();
  const command = ["--import", "tsx", join(import.meta.dirname, file), String(port), ...args];
  return startCommand(process.execPath, command, { port, cwd: root });
}

export async function startCommand(
  program: string,
  args: readonly string[],
  { port, cwd, environment = {} }: { readonly port: number; readonly cwd: string; readonly environment?: object },
): Promise<Server & { readonly child: ChildProcess }> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (let attempt = 0; ; attempt++) {
    if (await fetch(`http://127.0.0.1:${port}/`, { method: "OPTIONS" }).catch(() => null)) break;
    if (attempt > 1200 || child.exitCode !== null) throw new Error(`${program} ${args.join(" ")} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { pid: child.pid ?? 0, port, child };
}

export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
