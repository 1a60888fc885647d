/**
 * `node --import tsx test/bench/libraries.ts [--only metrics|websocket|workers|pool|routes|mcp] [--pg-url URL]` compares
 * our own components with the libraries that could replace them (`docs/internals/libraries.md`).
 */
import { execFile } from "node:child_process";
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer as createHttpServer, IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { connect, createServer, Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import Fastify from "fastify";
import { stringifyMessage } from "graphql-ws";
import pg from "pg";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import { exactRoutes } from "../../runtime/http/route-finder.ts";
import { frameBeginning, ResultEndings, resultBeginning } from "../../runtime/http/websocket/result-frame.ts";
import { exposition } from "../../runtime/observe/telemetry/metrics/exposition.ts";
import { MetricStore } from "../../runtime/observe/telemetry/metrics/metric-store.ts";
import type { Handler } from "../../runtime/ports/request.ts";
import { optionValue, runMain, withPostgres } from "../support/shared-checks.ts";
import { mcpServers } from "./mcp-server.ts";

const rounds = 15;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Returns the processor time of one call in nanoseconds, by variant. The variants alternate. */
function measure<Way extends string>(count: number, ways: Readonly<Record<Way, () => void>>): Record<Way, number> {
  const times = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [way, call] of Object.entries<() => void>(ways)) {
      const begin = process.cpuUsage();
      for (let i = 0; i < count; i++) call();
      const { user, system } = process.cpuUsage(begin);
      times.get(way)?.push(((user + system) * 1000) / count);
    }
  }
  return Object.fromEntries([...times].map(([way, all]) => [way, median(all)])) as Record<Way, number>;
}

const peerFolder = join(import.meta.dirname, "peers/prom-client");
const operations = 1700;

/** Compares metrics: three series for each of many operations, and one observation per request. */
async function metrics(): Promise<void> {
  if (!existsSync(join(peerFolder, "node_modules"))) {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: peerFolder });
  }
  const { Counter, Histogram, Registry } = createRequire(join(peerFolder, "package.json"))("prom-client");
  const registry = new Registry();
  const labelNames = ["operation_type", "response_status", "operation_name", "parameterized_query_hash"];
  const registers = [registry];
  const counters = ["requests", "backlog", "oldest"].map((name) => {
    return new Counter({ name: `engine_${name}`, help: name, labelNames, registers });
  });
  const buckets = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];
  const histogram = new Histogram({
    name: "engine_time",
    help: "t",
    labelNames: ["operation_type"],
    buckets,
    registers,
  });
  const store = new MetricStore({ highCardinality: true });
  store.isOn = true;
  const { meters } = store;
  const labelsOf = (i: number) => ({
    ...{ operation_type: "query", response_status: "success", operation_name: `Operation${i}` },
    parameterized_query_hash: `${i}`.padStart(40, "0"),
  });
  const triggerOf = (i: number) => ({ trigger_name: `trigger_${i}`, source_name: "default" });
  for (let i = 0; i < operations; i++) {
    for (const counter of counters) counter.inc(labelsOf(i), 1);
    meters.requests.add(1, labelsOf(i));
    meters.eventBacklog.set(1, triggerOf(i));
    meters.eventOldest.set(1, triggerOf(i));
  }
  const labels = labelsOf(7);
  const [counted, timed] = [meters.requests.of(labels), meters.executionTime.of({ operation_type: "query" })];
  const [child, timer] = [counters[0]?.labels(labels), histogram.labels({ operation_type: "query" })];
  const found = measure(100_000, {
    own: () => {
      counted.add(1);
      timed.record(0.02);
    },
    library: () => {
      child.inc(1);
      timer.observe(0.02);
    },
  });
  console.log(
    `metrics: a request counted in ${found.own.toFixed(0)} ns, by prom-client in ${found.library.toFixed(0)} ns`,
  );
  const [own, library] = [
    await longestTurn(() => exposition(store.read())),
    await longestTurn(() => registry.metrics() as Promise<string>),
  ];
  console.log(
    `metrics: a scrape of 5,100 series holds up ${own.toFixed(1)} ms, of prom-client ${library.toFixed(1)} ms`,
  );
}

/** Returns the median of the longest event loop delays during a call, in milliseconds. */
async function longestTurn(call: () => Promise<string>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let [longest, last, isDone] = [0, performance.now(), false];
    const turn = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await call();
    isDone = true;
    await new Promise(setImmediate);
    found.push(longest);
  }
  return median(found);
}

/** Compares the frames of one result for many subscribers. */
function websocket(): void {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, state: "paid", note: `order ${id}`, city: "Rome" }));
  const data = JSON.stringify({ orders: rows });
  const endings = new ResultEndings();
  const found = measure(2000, {
    own: () => {
      const ending = endings.of(data);
      frameBeginning(resultBeginning("next", "1"), ending.length);
    },
    library: () => {
      const payload = { data: JSON.parse(data) };
      Buffer.from(stringifyMessage({ id: "1", type: "next", payload } as never));
    },
  });
  const [own, library] = [found.own / 1000, found.library / 1000];
  console.log(
    `websocket: a result of ${(data.length / 1000).toFixed(1)} kB for one more subscriber in ${own.toFixed(2)} µs, ` +
      `by graphql-ws in ${library.toFixed(0)} µs`,
  );
}

const clients = 40;

/** Measures how node:cluster distributes clients: those of one worker leave, and as many connect again. */
async function workers(): Promise<void> {
  const started = [cluster.fork(), cluster.fork()] as const;
  const ports = await Promise.all(started.map(async (worker) => Number((await once(worker, "message"))[0])));
  const port = ports[0] ?? 0;
  const open = async (): Promise<[string, Socket]> => {
    const socket = connect(port, "127.0.0.1");
    return [String((await once(socket, "data"))[0]), socket];
  };
  const all: [string, Socket][] = [];
  for (let i = 0; i < clients; i++) all.push(await open());
  const [first] = all[0] ?? [""];
  const stay = all.filter(([worker, socket]) => worker === first || void socket.destroy());
  for (let i = stay.length; i < clients; i++) stay.push(await open());
  const most = stay.filter(([worker]) => worker === first).length;
  console.log(`workers: of ${clients} clients after half have left and come, one worker of node:cluster has ${most}`);
  for (const [, socket] of stay) socket.destroy();
  for (const worker of started) (worker as Worker).kill();
}

/** Responds to each client with the name of the process, and keeps the connection open. */
function serveAsWorker(): void {
  const server = createServer((socket) => socket.on("error", () => undefined).write(String(process.pid)));
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(address !== null && typeof address === "object" ? address.port : 0);
  });
}

/** Compares routing of a request to a hot endpoint: by a look-up, or by Fastify up to `onRequest`. */
async function routes(): Promise<void> {
  const paths = ["/v1/graphql", "/v1/metadata", "/v1/query", "/v2/query", "/v1alpha1/graphql", "/v1beta1/relay"];
  let answered = 0;
  const handler: Handler = () => {
    throw new Error("invariant: the handler is found, and not called");
  };
  const found = exactRoutes(paths.map((path) => ({ method: "POST", path, handler })));
  let enter: RequestListener = () => undefined;
  const library = Fastify({
    serverFactory: (listener) => {
      enter = listener;
      return createHttpServer(listener);
    },
  });
  for (const url of paths) {
    library.post(
      url,
      {
        onRequest: (_request, reply) => {
          reply.hijack();
          answered++;
        },
      },
      () => undefined,
    );
  }
  await library.ready();
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: "POST", url: "/v1/graphql", headers: { "content-type": "application/json" } });
  const reply = new ServerResponse(request);
  const count = 20_000;
  const times = measure(count, {
    own: () => {
      if (found(request) !== undefined) answered++;
    },
    library: () => enter(request, reply),
  });
  await library.close();
  if (answered !== 2 * rounds * count) throw new Error("a request was not routed");
  console.log(
    `routes: a request is routed in ${times.own.toFixed(0)} ns, by Fastify in ${times.library.toFixed(0)} ns`,
  );
}

const connections = 10;
/** Time in seconds for which a write holds the lock. */
const held = 1;

/** Measures a read while all connections are used by writes that wait for a lock. */
async function pool(url: string): Promise<void> {
  const lock = `select pg_sleep(${held}) from (select pg_advisory_xact_lock(4711)) l`;
  const info = { database_url: url, pool_settings: { max_connections: connections } };
  const source = openPostgres(resolvePostgresSettings("default", info, { variables: {} }));
  const library = new pg.Pool({ connectionString: url, max: connections });
  const ways = {
    own: { write: () => source.execute({ text: lock }, []), read: () => source.query({ text: "select 1" }, []) },
    library: { write: () => library.query(lock), read: () => library.query("select 1") },
  };
  const waits = new Map<string, number>();
  for (const [way, { write, read }] of Object.entries(ways)) {
    const writes = Array.from({ length: connections }, (): Promise<unknown> => write());
    await new Promise((resolve) => setTimeout(resolve, 500));
    const begin = performance.now();
    await read();
    waits.set(way, performance.now() - begin);
    await Promise.all(writes);
  }
  console.log(
    `pool: beside ${connections} writes that wait for a lock a read takes ${waits.get("own")?.toFixed(0)} ms, ` +
      `with pg.Pool ${waits.get("library")?.toFixed(0)} ms`,
  );
  await Promise.all([source.close(), library.end()]);
}

if (cluster.isWorker) serveAsWorker();
else {
  await runMain(async () => {
    const args = process.argv.slice(2);
    const only = optionValue(args, "--only");
    const isWanted = (part: string): boolean => only === undefined || only === part;
    if (isWanted("metrics")) await metrics();
    if (isWanted("websocket")) websocket();
    if (isWanted("workers")) await workers();
    if (isWanted("routes")) await routes();
    if (isWanted("mcp")) await mcpServers();
    if (isWanted("pool")) await withPostgres(args, pool);
    return 0;
  });
}
