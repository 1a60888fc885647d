/** How the process does: memory, processor time, how long its event loop keeps others waiting. */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Meters } from "../../../ports/metrics.ts";

const nanoseconds = 1e9;
const microseconds = 1e6;
/** In milliseconds: how exactly delays are measured. */
const resolution = 20;

export interface ProcessWatch {
  start(): void;
  stop(): void;
}

/** To be called once: what was counted before goes on being counted. */
export function watchProcess(meters: Meters): ProcessWatch {
  const delays = monitorEventLoopDelay({ resolution });
  let loop = performance.eventLoopUtilization();
  let processor = { user: 0, system: 0 };
  meters.onRead(() => {
    for (const percentile of percentiles) {
      // Timers are late by what the measuring itself waits for; without anything measured yet there is no delay.
      const delay = delays.count === 0 ? 0 : delays.percentile(percentile) / nanoseconds - resolution / 1000;
      meters.eventLoopDelay.set(Math.max(0, delay), { percentile: String(percentile) });
    }
    delays.reset();
    const now = performance.eventLoopUtilization();
    meters.eventLoopUse.set(performance.eventLoopUtilization(now, loop).utilization);
    loop = now;
    const used = process.cpuUsage();
    for (const mode of ["user", "system"] as const) {
      meters.processorTime.add((used[mode] - processor[mode]) / microseconds, { mode });
    }
    processor = used;
    const memory = process.memoryUsage();
    meters.residentMemory.set(memory.rss);
    meters.heapMemory.set(memory.heapUsed);
    meters.uptime.set(process.uptime());
  });
  return { start: () => void delays.enable(), stop: () => void delays.disable() };
}

const percentiles = [50, 99, 100];
