/**
 * Stores all metrics. An observation costs one lookup and one addition. Implemented here because no library is equally
 * cheap, limits the number of series, and serves both Prometheus and OpenTelemetry.
 */
import { metricTable } from "../../../ports/metric-table.ts";
import type { Meters } from "../../../ports/metrics.ts";
import { Family, type Switch } from "./series.ts";

export interface MetricStoreSettings {
  /** If true, metrics have labels with the names of operations and triggers. */
  readonly highCardinality: boolean;
}

export class MetricStore {
  readonly meters: Meters;
  readonly #switch: Switch = { isOn: false };
  readonly #families: readonly Family[];
  readonly #readers: (() => void)[] = [];

  constructor({ highCardinality }: MetricStoreSettings) {
    const state = this.#switch;
    const limited = new Family(metricTable.seriesLimited, {
      highCardinality,
      power: state,
      onLimited: () => undefined,
    });
    const settings = { highCardinality, power: state, onLimited: () => limited.add(1, undefined) };
    const families = Object.entries(metricTable).map(([key, row]): [string, Family] => [
      key,
      row === metricTable.seriesLimited ? limited : new Family(row, settings),
    ]);
    this.#families = families.map(([, family]) => family);
    const instruments = Object.fromEntries(families);
    const onRead = (look: () => void): void => void this.#readers.push(look);
    this.meters = Object.defineProperty({ ...instruments, onRead }, "isOn", { get: () => state.isOn }) as Meters;
  }

  /** Enables or disables counting. */
  set isOn(isOn: boolean) {
    this.#switch.isOn = isOn;
  }

  /** Returns the current values of all metrics. */
  read(): readonly Family[] {
    for (const look of this.#readers) look();
    return this.#families;
  }
}
