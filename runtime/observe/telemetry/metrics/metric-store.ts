/**
 * Holds what is counted. An observation is a look-up and an addition: no library keeps series that cheaply, bounds how
 * many there are, and gives them to Prometheus and to collectors of OpenTelemetry alike.
 */
import { metricTable } from "../../../ports/metric-table.ts";
import type { Meters } from "../../../ports/metrics.ts";
import { Family, type Switch } from "./series.ts";

export interface MetricStoreSettings {
  /** Whether metrics tell operations and triggers apart. */
  readonly highCardinality: boolean;
}

export class MetricStore {
  readonly meters: Meters;
  readonly #switch: Switch = { isOn: false };
  readonly #families: readonly Family[];
  readonly #looks: (() => void)[] = [];

  constructor({ highCardinality }: MetricStoreSettings) {
    const power = this.#switch;
    const limited = new Family(metricTable.seriesLimited, { highCardinality, power, onLimited: () => undefined });
    const settings = { highCardinality, power, onLimited: () => limited.add(1, undefined) };
    const families = Object.entries(metricTable).map(([key, row]): [string, Family] => [
      key,
      row === metricTable.seriesLimited ? limited : new Family(row, settings),
    ]);
    this.#families = families.map(([, family]) => family);
    const instruments = Object.fromEntries(families);
    const onRead = (look: () => void): void => void this.#looks.push(look);
    this.meters = Object.defineProperty({ ...instruments, onRead }, "isOn", { get: () => power.isOn }) as Meters;
  }

  /** Whether anything is counted from now on. */
  set isOn(isOn: boolean) {
    this.#switch.isOn = isOn;
  }

  /** All metrics as they are now. */
  read(): readonly Family[] {
    for (const look of this.#looks) look();
    return this.#families;
  }
}
