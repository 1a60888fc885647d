/** The metrics of a server: the sum over its current and ended workers. */

import { addReadings, withoutGauges } from "../../observe/telemetry/metrics/readings.ts";
import type { MetricReading } from "../../ports/metric-reading.ts";
import { within } from "../../values/timer.ts";

/** A worker whose metrics can be read. Rejects if the worker has ended. */
export interface Metered {
  read(): Promise<MetricReading>;
}

/** Timeout in milliseconds, after which the last reading of a worker is used. */
const timeout = 1000;

export class AddedMetrics {
  /** The last reading of each worker. */
  readonly #latest = new Map<Metered, MetricReading>();
  #ended: MetricReading = {};

  async read(workers: readonly Metered[]): Promise<MetricReading> {
    await Promise.all(workers.map((worker) => this.#update(worker)));
    return addReadings([this.#ended, ...this.#latest.values()]);
  }

  /** Moves the counters of an ended worker to the total, so that sums never decrease. */
  remove(worker: Metered): void {
    const latest = this.#latest.get(worker);
    this.#latest.delete(worker);
    if (latest !== undefined) this.#ended = addReadings([this.#ended, withoutGauges(latest)]);
  }

  async #update(worker: Metered): Promise<void> {
    const before = this.#latest.get(worker) ?? {};
    this.#latest.set(worker, before);
    const reading = await within(worker.read(), timeout, before).catch(() => before);
    // If the worker has ended in the meantime, the total already contains its counters.
    if (this.#latest.has(worker)) this.#latest.set(worker, reading);
  }
}
