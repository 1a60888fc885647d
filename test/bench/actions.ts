/**
 * `npm run bench:actions -- [--pg-url URL] [--profile FILE.cpuprofile]`: processor time of a synchronous action beside that
 * of a server that is written by hand (`actions/peer.ts`), with the same handler, in pairs that take turns. The ratio is
 * requests for a second of processor time, the engine's over the other's.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { ensureBuilt, optionValue, root, runMain, withPostgres } from "../support/shared-checks.ts";
import { type Engine, Inspector, inspectorPort, processorSeconds, startEngine } from "./live/processes.ts";

const pairs = 5;
const seconds = 3;
const connections = 20;
const enginePort = 8897;

const query = "query ($count: Int!) { orders(count: $count) { id state total note to { city street } } }";
const cases = [
  { name: "one object", count: 1 },
  { name: "100 objects", count: 100 },
];

interface Server {
  readonly pid: number;
  readonly port: number;
}

const typed = (name: string, type: string) => ({ name, type });

const metadata = {
  type: "bulk",
  args: [
    {
      type: "set_custom_types",
      args: {
        enums: [{ name: "State", values: [{ value: "new" }, { value: "paid" }] }],
        objects: [
          { name: "Address", fields: [typed("city", "String!"), typed("street", "String!")] },
          {
            name: "Order",
            fields: [
              ...[typed("id", "Int!"), typed("state", "State!"), typed("total", "Float!"), typed("note", "String")],
              typed("to", "Address!"),
            ],
          },
        ],
      },
    },
    {
      type: "create_action",
      args: {
        name: "orders",
        definition: {
          ...{ type: "query", handler: "{{HANDLER}}", output_type: "[Order!]!" },
          arguments: [typed("count", "Int!")],
        },
      },
    },
  ],
};

/** Pairs take turns, and their order does, too: what else the machine does hits both. */
async function compare(servers: readonly [Server, Server], name: string, script: string): Promise<void> {
  const [engine, peer] = servers;
  for (const { port } of servers) await load(port, script);
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
  const [own, other] = [0, 1].map((side) => median(costs.map((pair) => pair[side] ?? Number.NaN)));
  console.log(
    `${name.padEnd(12)} engine ${own?.toFixed(0)} µs, by hand ${other?.toFixed(0)} µs for a call: ` +
      `x ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`,
  );
}

/** Processor time in microseconds for one request. */
async function cost({ pid, port }: Server, script: string): Promise<number> {
  const before = await processorSeconds(pid);
  const requests = await load(port, script);
  return (((await processorSeconds(pid)) - before) / requests) * 1e6;
}

async function profile(file: string | undefined, name: string, script: string): Promise<void> {
  if (file === undefined) return;
  const inspector = await Inspector.open(inspectorPort(enginePort));
  await inspector.startProfile();
  await load(enginePort, script);
  await writeFile(file.replace(/(\.cpuprofile)?$/, ` ${name}$1`), JSON.stringify(await inspector.stopProfile()));
  inspector.close();
}

/** Both do the same work, or nothing is compared. */
async function checkSame(servers: readonly Server[], count: number): Promise<void> {
  const texts = servers.map(async ({ port }) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query, variables: { count } });
    return (await fetch(`http://127.0.0.1:${port}/v1/graphql`, { method: "POST", headers, body })).text();
  });
  const [own, other] = await Promise.all(texts);
  if (own !== other || !own?.includes('"street"')) throw new Error(`the answers differ: ${own} and ${other}`);
}

function loadScript(count: number): string {
  return [
    'wrk.method="POST"',
    'wrk.headers["content-type"]="application/json"',
    `wrk.body=[==[${JSON.stringify({ query, variables: { count } })}]==]`,
    'done=function(s) io.write(string.format("requests %d\\n", s.requests)) end',
  ].join("\n");
}

/** @returns how many requests were answered */
async function load(port: number, script: string): Promise<number> {
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, `http://127.0.0.1:${port}/v1/graphql`];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  wrk.stdout.on("data", (chunk) => (output += chunk));
  await once(wrk, "close");
  const requests = Number(/requests (\d+)/.exec(output)?.[1] ?? 0);
  if (requests === 0 || output.includes("Non-2xx")) throw new Error(`the load went wrong: ${output}`);
  return requests;
}

async function startProgram(file: string, ...args: readonly string[]): Promise<Server & { child: ChildProcess }> {
  const port = await freePort();
  const program = join(import.meta.dirname, "actions", file);
  const child = spawn(process.execPath, ["--import", "tsx", program, String(port), ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (let attempt = 0; ; attempt++) {
    if (await fetch(`http://127.0.0.1:${port}/`, { method: "OPTIONS" }).catch(() => null)) break;
    if (attempt > 300 || child.exitCode !== null) throw new Error(`${file} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { pid: child.pid ?? 0, port, child };
}

async function end(engine: Engine, children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) child.kill("SIGKILL");
  await engine.stop();
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

await runMain(async () => {
  const args = process.argv.slice(2);
  await ensureBuilt();
  return withPostgres(args, async (url) => {
    const folder = await mkdtemp(join(tmpdir(), "bench-actions-"));
    const handler = await startProgram("handler.ts");
    const peer = await startProgram("peer.ts", `http://127.0.0.1:${handler.port}`);
    const engine = await startEngine(await createDatabase(url, "bench_actions"), "", enginePort, {
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: await createDatabase(url, "bench_actions_metadata"),
      HANDLER: `http://127.0.0.1:${handler.port}`,
    });
    try {
      await engine.post("/v1/metadata", metadata);
      const servers = [{ pid: engine.pid, port: enginePort }, peer] as const;
      const script = join(folder, "load.lua");
      for (const each of cases) {
        await writeFile(script, loadScript(each.count));
        await checkSame(servers, each.count);
        await compare(servers, each.name, script);
        await profile(optionValue(args, "--profile"), each.name, script);
      }
    } finally {
      await end(engine, [handler.child, peer.child]);
      await rm(folder, { recursive: true });
    }
    return 0;
  });
});
