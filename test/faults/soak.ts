/** Runs ordinary load for hours, and checks that neither resources nor latencies grow. */
import { setTimeout as delay } from "node:timers/promises";
import { Inspector } from "../bench/live/processes.ts";
import { Follower } from "./lab/client.ts";
import { type Bench, Lab, type Premises } from "./lab/lab.ts";
import { Load } from "./lab/load.ts";
import { liveCounter } from "./lab/tables.ts";

const megabyte = 1024 * 1024;
/** Warm-up in minutes before measuring starts; half of a shorter run. */
const settledMinutes = 5;
/** Maximum growth of the median from the first to the last third. */
const mayGrow = { memory: 24 * megabyte, heap: 12 * megabyte, descriptors: 10 };
const slower = 2;

interface Minute {
  readonly memory: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
  readonly failed: number;
}

/** Returns the inspector's port, which Node prints first. */
function inspectorPort(log: readonly string[]): number {
  const [, port] = /Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(log.join("\n")) ?? [];
  if (port === undefined) throw new Error("the engine has no inspector");
  return Number(port);
}

/** Runs the load. Resolves to the exit code. */
export async function soak(premises: Premises, minutes: number): Promise<number> {
  const lab = new Lab(premises);
  try {
    const bench = await lab.bench({ flags: ["--inspect=127.0.0.1:0"] });
    const inspector = await Inspector.open(inspectorPort(bench.engine.log));
    lab.onClose(async () => inspector.close());
    const load = new Load([bench.engine.url], { writers: 4, readers: 8, restReaders: 2, followers: 20 });
    lab.onClose(async () => load.close());
    load.start();
    await delay(10_000);
    load.takeTimes();
    const idle = await minute(bench, load, inspector);
    console.log(`${"minute".padEnd(8)} memory MB  heap MB  descriptors  requests  failed  p50 ms  p99 ms`);
    print("idle", idle);
    const life = new AbortController();
    const living = Promise.all([changeMetadata(bench, life.signal), comeAndGo(bench, life.signal)]);
    const measured: Minute[] = [];
    for (let passed = 1; passed <= minutes; passed++) {
      measured.push(await minute(bench, load, inspector));
      print(String(passed), measured.at(-1));
    }
    life.abort();
    await living;
    await load.stop();
    const broken = [
      ...(await load.faultsOf((sql, values) => bench.cluster.sql(bench.database, sql, values))),
      ...judge(idle, measured),
    ];
    for (const each of broken) console.log(`FAILED: ${each}`);
    console.log(broken.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed");
    return broken.length === 0 ? 0 : 1;
  } finally {
    await lab.close();
  }
}

async function minute(bench: Bench, load: Load, inspector: Inspector): Promise<Minute> {
  const samples: { readonly memory: number; readonly descriptors: number }[] = [];
  for (const end = performance.now() + 60_000; performance.now() < end; await delay(2000)) {
    samples.push({ memory: await bench.engine.memory(), descriptors: await bench.engine.descriptors() });
  }
  const { times, failed } = load.takeTimes();
  const part = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  const memory = median(samples.map((each) => each.memory));
  const descriptors = median(samples.map((each) => each.descriptors));
  // Runs a garbage collection, outside the measured times.
  const heap = await inspector.heapBytes();
  load.takeTimes();
  return { memory, heap, descriptors, p50: part(0.5), p99: part(0.99), requests: times.length, failed };
}

function print(name: string, values: Minute | undefined): void {
  if (values === undefined) return;
  const { memory, heap, descriptors, requests, failed, p50, p99 } = values;
  const cells = [
    (memory / megabyte).toFixed(0).padStart(9),
    (heap / megabyte).toFixed(1).padStart(8),
    String(descriptors).padStart(12),
    String(requests).padStart(9),
    String(failed).padStart(7),
    p50.toFixed(1).padStart(7),
    p99.toFixed(1).padStart(7),
  ];
  console.log(`${name.padEnd(8)} ${cells.join(" ")}`);
}

/** Creates and drops a permission, once a second. */
async function changeMetadata({ engine }: Bench, signal: AbortSignal): Promise<void> {
  const args = { table: "ledger", role: "guest" };
  const permission = { columns: ["id"], filter: {} };
  while (!signal.aborted) {
    await engine.post("/v1/metadata", { type: "pg_create_select_permission", args: { ...args, permission } });
    await delay(1000);
    await engine.post("/v1/metadata", { type: "pg_drop_select_permission", args });
    await delay(1000);
  }
}

/** Starts short-lived subscribers. Every other one leaves without closing its connection. */
async function comeAndGo({ engine }: Bench, signal: AbortSignal): Promise<void> {
  const present: Follower[] = [];
  while (!signal.aborted) {
    present.push(new Follower(engine.url, liveCounter));
    if (present.length > 20) present.shift()?.close();
    await delay(100);
  }
  for (const follower of present) follower.close();
}

function judge(idle: Minute, measured: readonly Minute[]): readonly string[] {
  const settled = measured.slice(Math.min(settledMinutes, Math.floor(measured.length / 2)));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const broken: string[] = [];
  for (const key of ["memory", "heap", "descriptors"] as const) {
    const of = (minutes: readonly Minute[]): number => median(minutes.map((each) => each[key]));
    const [first, last] = [of(settled.slice(0, third)), of(settled.slice(-third))];
    if (last > first + mayGrow[key]) broken.push(`${key} grew from ${first} to ${last}`);
  }
  const p99 = median(settled.map((each) => each.p99));
  if (p99 > idle.p99 * slower)
    broken.push(`p99 is ${p99.toFixed(1)} ms, ${idle.p99.toFixed(1)} ms when nothing else happens`);
  const failed = measured.reduce((sum, each) => sum + each.failed, 0);
  if (failed > 0) broken.push(`${failed} requests failed`);
  return broken;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
