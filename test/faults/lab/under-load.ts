/** A fault while clients read, write and follow: what they notice of it, and whether it leaves anything behind. */
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Engine } from "./engine.ts";
import { Load, type LoadSettings } from "./load.ts";
import { within } from "./processes.ts";
import type { Outcome } from "./report.ts";

export interface Bounds {
  /** Requests that may fail, or the part of all. */
  readonly failed?: number | { readonly part: number };
  readonly failedReads?: number;
  /** In milliseconds, of every request. */
  readonly longestWait: number;
  /** In milliseconds, from the end of the fault. */
  readonly recovery: number;
  /** Bytes that may stay behind. */
  readonly memory?: number;
  /** Descriptors that may stay behind. */
  readonly descriptors?: number;
}

export interface LoadedEngine {
  readonly cluster: Cluster;
  readonly database: string;
  readonly engine: Engine;
  /** Where clients go, if not to the engine itself. */
  readonly urls?: readonly string[];
  readonly load?: LoadSettings;
}

const megabyte = 1024 * 1024;

/**
 * @param fault breaks something and repairs it; resolves when it is repaired
 */
export async function underLoad(
  { cluster, database, engine, urls = [engine.url], load: settings }: LoadedEngine,
  bounds: Bounds,
  fault: (load: Load) => Promise<unknown>,
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
    await fault(load);
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

/** Memory and descriptors once nothing more is given back, or all is that has to be. */
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
