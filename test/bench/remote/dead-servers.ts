/**
 * Measures starts and requests for other fields with ten dead remote servers, half of which refuse connections while
 * the others accept them and do not respond. Compared with an engine without remote schemas, in alternating rounds.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { buildSchema, graphql } from "graphql";
import { type Engine, startEngine } from "../live/processes.ts";
import { createDatabase, median } from "../pairs.ts";
import { latencies, quantile } from "./latencies.ts";

const count = 10;
const rounds = 7;
const seconds = 4;
/** Warm-up, because both engines run code for the first time, and not the same amount. */
const warmSeconds = 2;

export async function measureDeadServers(databaseUrl: string, port: number): Promise<void> {
  const sides = await Promise.all(["none", "dead"].map((name) => prepare(databaseUrl, name)));
  const [none, dead] = sides;
  if (!none || !dead) throw new Error("there are two sides");
  const servers = await addServers(dead, port);
  const startTimes = { none: [] as number[], dead: [] as number[] };
  const waits = { none: [] as number[], dead: [] as number[] };
  try {
    for (let round = 0; round < rounds; round++) {
      const turn = round % 2 === 0 ? ([none, dead] as const) : ([dead, none] as const);
      for (const side of turn) {
        const kind = side === none ? "none" : "dead";
        const begin = performance.now();
        const engine = await start(side, port);
        startTimes[kind].push(performance.now() - begin);
        // Another client concurrently queries the dead servers, or `__typename` equally often.
        const asking = askAlong(engine, kind === "dead" ? servers.fields : ["__typename"]);
        await latencies(port, warmSeconds);
        waits[kind].push(quantile(await latencies(port, seconds), 0.99));
        asking.abort();
        await engine.stop();
      }
    }
  } finally {
    for (const silent of servers.silent) silent.close();
  }
  const ratio = (times: typeof waits): number => median(times.dead) / median(times.none);
  const milliseconds = (values: readonly number[]): string => `${median(values).toFixed(1)} ms`;
  console.log(
    `start: ${milliseconds(startTimes.none)} without remote schemas, ${milliseconds(startTimes.dead)} with ${count} dead ` +
      `ones: x ${ratio(startTimes).toFixed(2)}`,
  );
  console.log(`  of each: ${startTimes.dead.map((time) => time.toFixed(0)).join(", ")} ms`);
  console.log(
    `p99 of other fields: ${milliseconds(waits.none)} and ${milliseconds(waits.dead)}: x ${ratio(waits).toFixed(2)}`,
  );
  const each = (times: readonly number[]): string => times.map((time) => time.toFixed(1)).join(", ");
  console.log(`  of each: ${each(waits.none)} and ${each(waits.dead)} ms`);
}

interface Side {
  readonly databaseUrl: string;
  readonly metadataUrl: string;
}

async function prepare(url: string, name: string): Promise<Side> {
  return {
    databaseUrl: await createDatabase(url, `bench_${name}`),
    metadataUrl: await createDatabase(url, `bench_${name}_metadata`),
  };
}

const start = ({ databaseUrl, metadataUrl }: Side, port: number): Promise<Engine> =>
  startEngine(databaseUrl, metadataUrl, port, {});

/** Adds the servers while they respond, then kills them. */
async function addServers(
  side: Side,
  port: number,
): Promise<{ readonly fields: readonly string[]; readonly silent: readonly TcpServer[] }> {
  const engine = await start(side, port);
  const fields = Array.from({ length: count }, (_, i) => `field${i}`);
  const silent: TcpServer[] = [];
  for (const [i, field] of fields.entries()) {
    const server = await startServer(field);
    const address = (server.address() as AddressInfo).port;
    await engine.post("/v1/metadata", {
      type: "add_remote_schema",
      args: { name: field, definition: { url: `http://127.0.0.1:${address}/`, timeout_seconds: 5 } },
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (i % 2 === 1) silent.push(createTcpServer(() => {}).listen(address, "127.0.0.1"));
  }
  await engine.stop();
  return { fields, silent };
}

async function startServer(field: string) {
  const schema = buildSchema(`type Query { ${field}: Int }`);
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { query: source } = JSON.parse(text) as { query: string };
    response.end(JSON.stringify(await graphql({ schema, source })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Sends 20 requests per second. */
function askAlong(engine: Engine, fields: readonly string[]): AbortController {
  const controller = new AbortController();
  let next = 0;
  const timer = setInterval(() => {
    const body = JSON.stringify({ query: `{ ${fields[next++ % fields.length]} }` });
    fetch(`${engine.url}/v1/graphql`, { method: "POST", body, signal: controller.signal })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }, 50);
  controller.signal.addEventListener("abort", () => clearInterval(timer));
  return controller;
}
