/**
 * `npm run bench:remote -- [--only proxy|gateway|large|dead] [--pg-url URL] [--profile FILE.cpuprofile]` measures the
 * cost of remote schemas. `proxy` and `gateway`: processor time of a forwarded query, compared with a handwritten proxy
 * (`remote/proxy.ts`) and with Hive Gateway, over the same subgraph, in alternating pairs. `large`: waiting times of
 * other requests while responses of 10 MB pass. `dead`: starts and other requests with ten servers that refuse
 * connections or do not respond.
 */
import { type ChildProcess, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";
import { ensureBuilt, optionValue, runMain, withPostgres } from "../support/shared-checks.ts";
import { startEngine } from "./live/processes.ts";
import {
  askText,
  compare,
  createDatabase,
  loadScript,
  profile,
  type Server,
  startCommand,
  startProgram,
} from "./pairs.ts";
import { measureDeadServers } from "./remote/dead-servers.ts";
import { measureLargeAnswers } from "./remote/large-answers.ts";

const enginePort = 8907;
const query = "query ($count: Int!) { orders(count: $count) { id state total note to { city street } } }";
const cases = [
  { name: "one object", count: 1 },
  { name: "100 objects", count: 100 },
];

const peerFolder = join(import.meta.dirname, "peers/hive-gateway");

async function startGateway(subgraph: string): Promise<Server & { readonly child: ChildProcess }> {
  if (!existsSync(join(peerFolder, "node_modules"))) {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: peerFolder });
  }
  const port = await freePort();
  const program = join(peerFolder, "node_modules/@graphql-hive/gateway/dist/bin.js");
  const args = [program, "proxy", "-c", "gateway.config.mjs", "-h", "127.0.0.1", "-p", String(port)];
  const environment = { NODE_ENV: "production", SUBGRAPH: subgraph };
  return startCommand(join(peerFolder, "node_modules/node/bin/node"), args, { port, cwd: peerFolder, environment });
}

/** Many warm-up requests: the engine runs more code than a proxy, so it is optimised later. */
const thoroughness = { pairs: 11, warmRequests: 200_000 };

async function report(servers: readonly [Server, Server], peer: string, folder: string, file?: string): Promise<void> {
  const script = join(folder, "load.lua");
  for (const { name, count } of cases) {
    const body = { query, variables: { count } };
    await writeFile(script, loadScript(body));
    // Both servers must do the same work. Otherwise the comparison is void.
    const [own, other] = await Promise.all(servers.map(({ port }) => askText(port, body)));
    if (own !== other || !own?.includes('"street"')) throw new Error(`the answers differ: ${own} and ${other}`);
    const found = await compare(servers, script, thoroughness);
    const ratios = found.ratios.map((each) => each.toFixed(2)).join(", ");
    console.log(
      `${name.padEnd(12)} engine ${found.own.toFixed(0)} µs, ${peer} ${found.other.toFixed(0)} µs for a request: ` +
        `x ${found.ratio.toFixed(2)} (${ratios})`,
    );
    await profile(file, enginePort, name, script);
  }
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const only = optionValue(args, "--only");
  const isWanted = (part: string): boolean => only === undefined || only === part;
  await ensureBuilt();
  return withPostgres(args, async (url) => {
    const folder = await mkdtemp(join(tmpdir(), "bench-remote-"));
    const children: ChildProcess[] = [];
    const kept = async <T extends { readonly child: ChildProcess }>(starting: Promise<T>): Promise<T> => {
      const started = await starting;
      children.push(started.child);
      return started;
    };
    const subgraph = await kept(startProgram("remote/subgraph.ts"));
    const address = `http://127.0.0.1:${subgraph.port}/`;
    const engine = await startEngine(
      await createDatabase(url, "bench_remote"),
      await createDatabase(url, "bench_remote_metadata"),
      enginePort,
      {},
    );
    try {
      await engine.post("/v1/metadata", {
        type: "add_remote_schema",
        args: { name: "orders", definition: { url: address } },
      });
      const own = { pid: engine.pid, port: enginePort };
      if (isWanted("proxy")) {
        const proxy = await kept(startProgram("remote/proxy.ts", address));
        await report([own, proxy], "by hand", folder, optionValue(args, "--profile"));
      }
      if (isWanted("gateway")) {
        const gateway = await kept(startGateway(address));
        await report([own, gateway], "Hive Gateway", folder);
      }
      if (isWanted("large")) await measureLargeAnswers(own.port);
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await engine.stop();
      await rm(folder, { recursive: true });
    }
    if (isWanted("dead")) await measureDeadServers(url, enginePort);
    return 0;
  });
});
