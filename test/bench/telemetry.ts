/**
 * `npm run bench -- --only telemetry` measures the cost of telemetry for a small query: processor time of an engine
 * with telemetry, compared with one without, in 15 alternating pairs. Targets: 1.03 for metrics, 1.05 for traces with
 * one in a hundred exported. Then it measures how long a scrape blocks other work.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { exposition } from "../../runtime/observe/telemetry/metrics/exposition.ts";
import { MetricStore } from "../../runtime/observe/telemetry/metrics/metric-store.ts";
import { freePort } from "../support/free-port.ts";
import { createItems } from "./items.ts";
import { type Engine, startEngine } from "./live/processes.ts";
import { askText, compare, createDatabase, loadScript, type Server } from "./pairs.ts";

const query = { query: "query ByKey($id: Int!) { item_by_pk(id: $id) { id name } }", variables: { id: 7 } };

interface Kind {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Metadata operation to run first. */
  readonly metadata?: (collector: string) => object;
  /** Upper bound of the processor time relative to that without telemetry. */
  readonly target?: number;
}

const tracing = (collector: string) => ({
  type: "set_opentelemetry_config",
  args: {
    status: "enabled",
    data_types: ["traces"],
    exporter_otlp: { otlp_traces_endpoint: `${collector}/v1/traces`, traces_propagators: ["b3", "tracecontext"] },
  },
});

const kinds: readonly Kind[] = [
  { name: "nothing again" },
  {
    name: "metrics",
    environment: { ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics" },
    target: 1.03,
  },
  {
    name: "traces, 1 in 100",
    environment: { ENGINE_GRAPHQL_TRACES_SAMPLE_RATIO: "0.01" },
    metadata: tracing,
    target: 1.05,
  },
  { name: "traces, all", metadata: tracing },
];

/** Runs the benchmark. @param only the kind to measure; default all */
export async function telemetryCost(url: string, only?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-telemetry-"));
  const collector = await startCollector();
  try {
    const script = join(folder, "load.lua");
    await writeFile(script, loadScript(query));
    const databaseUrl = await createItems(url, "bench_telemetry");
    console.log("µs for one request      with, without    ratio (each pair)");
    for (const kind of kinds.filter(({ name }) => only === undefined || name.startsWith(only))) {
      const { own, other, ratio, ratios } = await measure(url, { databaseUrl, collector: collector.url, script, kind });
      const figures = `${own.toFixed(0)}, ${other.toFixed(0)}`.padEnd(16);
      const pairs = ratios.map((each) => (1 / each).toFixed(3)).join(", ");
      const verdict = kind.target === undefined ? "" : `, target ${kind.target}`;
      console.log(kind.name.padEnd(23), figures, `${(1 / ratio).toFixed(3)} (${pairs})${verdict}`);
    }
  } finally {
    collector.process.kill();
    await rm(folder, { recursive: true });
  }
  await scrape();
}

/**
 * Many pairs and requests, because the differences are small, and code that runs once in a hundred requests is
 * optimised a hundred times later.
 */
const thoroughness = { pairs: 15, warmRequests: 500_000 };

interface Measured {
  readonly databaseUrl: string;
  readonly collector: string;
  readonly script: string;
  readonly kind: Kind;
}

async function measure(url: string, { databaseUrl, collector, script, kind }: Measured) {
  const engines: Engine[] = [];
  const start = async (name: string, { environment = {}, metadata }: Omit<Kind, "name">): Promise<Server> => {
    const port = await freePort();
    const metadataUrl = await createDatabase(url, `bench_telemetry_${name}`);
    const engine = await startEngine(databaseUrl, metadataUrl, port, environment);
    engines.push(engine);
    await engine.post("/v1/metadata", { type: "pg_track_table", args: { table: "item" } });
    if (metadata) await engine.post("/v1/metadata", metadata(collector));
    const answer = await askText(port, query);
    if (!answer.includes('"item 7"')) throw new Error(`the engine answers ${answer}`);
    return { pid: engine.pid, port };
  };
  try {
    return await compare([await start("with", kind), await start("without", {})], script, thoroughness);
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
  }
}

/** Starts a collector that accepts everything, as a separate process so that it does not affect the engine. */
async function startCollector(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const started = fork(join(import.meta.dirname, "telemetry-collector.ts"), { execArgv: ["--import", "tsx"] });
  const [port] = await once(started, "message");
  return { url: `http://127.0.0.1:${port}`, process: started };
}

const seriesOfEach = 1700;
const scrapes = 20;

/** Measures the longest time that one scrape of 5,100 series blocks the event loop. */
async function scrape(): Promise<void> {
  const store = new MetricStore({ highCardinality: true });
  store.isOn = true;
  const { meters } = store;
  for (let i = 0; i < seriesOfEach; i++) {
    const operation = { operation_name: `Operation${i}`, parameterized_query_hash: `${i}`.padStart(40, "0") };
    const trigger = { trigger_name: `trigger_${i}`, source_name: "default" };
    meters.requests.add(1, { operation_type: "query", response_status: "success", ...operation });
    meters.eventBacklog.set(1, trigger);
    meters.eventOldest.set(1, trigger);
  }
  const held: number[] = [];
  for (let i = 0; i < scrapes; i++)
    held.push(await longestTurn(async () => Buffer.from(await exposition(store.read()))));
  const sorted = held.toSorted((a, b) => a - b);
  const [median = 0, longest = 0] = [sorted[scrapes >> 1], sorted.at(-1)];
  console.log(
    `a scrape of 5,100 series holds other work up for ${median.toFixed(1)} ms, ${longest.toFixed(1)} at most`,
  );
}

/** Returns the longest event loop delay in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  for (let last = performance.now(); !isDone; ) {
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await working;
  return longest;
}
