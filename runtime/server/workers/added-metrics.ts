/** The metrics of a server: those of its workers added up, with what those have counted that are gone. */

import { addReadings, countedIn } from "../../observe/telemetry/metrics/readings.ts";
import type { MetricReading } from "../../ports/metric-reading.ts";
import { within } from "../../values/within.ts";

/** A worker that is asked what it has counted. Rejects where it is gone. */
export interface Metered {
  read(): Promise<MetricReading>;
}

/** In milliseconds: of a worker that does not answer by then, what it said last counts. */
const patience = 1000;

export class AddedMetrics {
  /** What each worker said last. */
  readonly #latest = new Map<Metered, MetricReading>();
  #gone: MetricReading = {};

  async read(workers: readonly Metered[]): Promise<MetricReading> {
    await Promise.all(workers.map((worker) => this.#look(worker)));
    return addReadings([this.#gone, ...this.#latest.values()]);
  }

  /** What it said last stays in the sums, so that they never go down. */
  gone(worker: Metered): void {
    const latest = this.#latest.get(worker);
    this.#latest.delete(worker);
    if (latest !== undefined) this.#gone = addReadings([this.#gone, countedIn(latest)]);
  }

  async #look(worker: Metered): Promise<void> {
    const before = this.#latest.get(worker) ?? {};
    this.#latest.set(worker, before);
    const reading = await within(worker.read(), patience, before).catch(() => before);
    // It may be gone by now, and is counted among those then.
    if (this.#latest.has(worker)) this.#latest.set(worker, reading);
  }
}
