/** The telemetry of one server: what is counted and traced, and where it goes as the metadata says now. */
import type { Options } from "../config/option-table.ts";
import { noTracer, type Telemetry } from "../ports/telemetry.ts";
import { exposition } from "./metrics/exposition.ts";
import { MetricStore } from "./metrics/metric-store.ts";
import { watchProcess } from "./metrics/process-metrics.ts";

export interface TelemetrySettings {
  readonly options: Pick<Options, "enabledApis" | "metricsHighCardinalityLabels">;
}

export class ServerTelemetry implements Telemetry {
  readonly meters: Telemetry["meters"];
  readonly tracer = noTracer;
  readonly metricsText: Telemetry["metricsText"];
  readonly #store: MetricStore;
  #stopWatching: (() => void) | undefined;

  constructor({ options }: TelemetrySettings) {
    this.#store = new MetricStore({ highCardinality: options.metricsHighCardinalityLabels });
    this.meters = this.#store.meters;
    const isRead = options.enabledApis.has("metrics");
    this.metricsText = isRead ? () => exposition(this.#store.read()) : undefined;
    this.#count(isRead);
  }

  #count(isOn: boolean): void {
    this.#store.isOn = isOn;
    if (isOn) this.#stopWatching ??= watchProcess(this.meters);
    else this.#stopWatching?.();
  }

  async close(): Promise<void> {
    this.#stopWatching?.();
  }
}
