/** Runs a fault under a load of reads, writes and subscriptions, and measures its effect on clients and leaks. */
import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseServer } from "./cluster.ts";
import type { Engine } from "./engine.ts";
import { Load, type LoadSettings } from "./load.ts";
import { within } from "./processes.ts";
import type { Outcome } from "./report.ts";

export interface Bounds {
  /** Maximum number of failed requests, or their fraction of all. */
  readonly failed?: number | { readonly part: number };
  readonly failedReads?: number;
  /** Maximum number of failed requests that overlap no outage. */
  readonly failedOutsideOutages?: number;
  /** Maximum latency of every request, in milliseconds. */
  readonly longestWait: number;
  /** Maximum time from the end of the fault to recovery, in milliseconds. */
  readonly recovery: number;
  /** Maximum growth of memory in bytes. */
  readonly memory?: number;
  /** Maximum growth of the number of descriptors. */
  readonly descriptors?: number;
}

export interface LoadedEngine {
  readonly cluster: DatabaseServer;
  readonly database: string;
  readonly engine: Engine;
  /** Servers that the clients use; default: the engine. */
  readonly urls?: readonly string[];
  readonly load?: LoadSettings;
}

const megabyte = 1024 * 1024;

/** An interval in milliseconds of `performance.now()` in which no request can succeed. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/**
 * Runs a fault under load.
 * @param fault breaks something, repairs it and adds its outages to the list; resolves when everything is repaired
 */
export async function underLoad(
  { cluster, database, engine, urls = [engine.url], load: settings }: LoadedEngine,
  bounds: Bounds,
  fault: (load: Load, outages: Outage[]) => Promise<unknown>,
): Promise<Outcome> {
  const ask = (sql: string, values?: readonly unknown[]) => cluster.sql(database, sql, values);
  const load = new Load(urls, settings);
  const broken: string[] = [];
  try {
    load.start();
    const began = performance.now();
    if (!(await within(30_000, () => load.hasRecoveredSince(began) && load.hasSeen(1))))
      broken.push("it did not work before");
    await delay(500);
    const before = await usage(engine);
    const broke = performance.now();
    const outages: Outage[] = [];
    await fault(load, outages);
    const repaired = performance.now();
    const [state] = await ask("select value::int as value from counter");
    const newest = Number(state?.value) + 1;
    const recovered = await within(
      bounds.recovery + 20_000,
      () => load.hasRecoveredSince(repaired) && load.hasSeen(newest),
    );
    const recovery = performance.now() - repaired;
    if (!recovered) broken.push("not everybody is served again");
    else if (recovery > bounds.recovery)
      broken.push(`served again after ${Math.round(recovery)} ms, not ${bounds.recovery}`);
    await load.stop();
    const { requests, failed, failedReads, longestWait } = load.figures(broke);
    broken.push(...(await load.faultsOf(ask)));
    const mayFail = typeof bounds.failed === "object" ? bounds.failed.part * requests : bounds.failed;
    const said = `: ${load.failures().slice(0, 2).join(" | ")}`;
    if (mayFail !== undefined && failed > mayFail)
      broken.push(`${failed} requests failed, not ${Math.floor(mayFail)}${said}`);
    if (bounds.failedReads !== undefined && failedReads > bounds.failedReads)
      broken.push(`${failedReads} reads failed${said}`);
    const outside = load.failuresOutside(outages, broke);
    if (bounds.failedOutsideOutages !== undefined && outside > bounds.failedOutsideOutages)
      broken.push(`${outside} requests failed that no outage overlaps${said}`);
    if (longestWait > bounds.longestWait)
      broken.push(`somebody waited ${Math.round(longestWait)} ms, not ${bounds.longestWait}`);
    const after = await settled(engine, before, bounds);
    broken.push(...after.broken);
    return {
      figures: {
        requests,
        failed,
        longestWait,
        recovery,
        memory: [before.memory, after.memory],
        descriptors: [before.descriptors, after.descriptors],
      },
      broken,
    };
  } finally {
    load.close();
  }
}

async function usage(engine: Engine): Promise<{ readonly memory: number; readonly descriptors: number }> {
  return { memory: await engine.memory(), descriptors: await engine.descriptors() };
}

/** Waits for memory and descriptors to return to their bounds, and reports those that do not. */
async function settled(
  engine: Engine,
  before: { readonly memory: number; readonly descriptors: number },
  { memory = 100 * megabyte, descriptors = 30 }: Bounds,
) {
  if (engine.ended !== undefined) return { ...before, broken: ["the engine has ended"] };
  const isMemoryBack = async () => (await engine.memory()) <= before.memory + memory;
  const areDescriptorsBack = async () => (await engine.descriptors()) <= before.descriptors + descriptors;
  await within(5000, async () => (await isMemoryBack()) && (await areDescriptorsBack()));
  const broken: string[] = [];
  if (!(await isMemoryBack())) broken.push(`memory stays more than ${memory / megabyte} MB higher`);
  if (!(await areDescriptorsBack())) broken.push(`more than ${descriptors} descriptors stay open`);
  return { ...(await usage(engine)), broken };
}
