/**
 * Measures databases for gauges. Reading the metrics starts a query in the background, at limited intervals; each read
 * returns the results of the previous query.
 */
import type { Meters } from "../../ports/metrics.ts";

/**
 * Pause in milliseconds between the end of a query and the next. At least `pauseFactor` times the duration of the
 * query.
 */
const pause = 15_000;
const pauseFactor = 50;

/** @param query sets the gauges; never rejects */
export function measureOnRead(meters: Meters, query: () => Promise<void>): void {
  let nextQueryAt = 0;
  let isQuerying = false;
  meters.onRead(() => {
    const start = performance.now();
    if (isQuerying || start < nextQueryAt) return;
    isQuerying = true;
    void query().finally(() => {
      isQuerying = false;
      const end = performance.now();
      nextQueryAt = end + Math.max(pause, (end - start) * pauseFactor);
    });
  });
}
