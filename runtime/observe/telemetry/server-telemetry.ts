/** The telemetry of one server: metrics, traces, and their export according to the metadata. */

import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { MetricsDefinition, TelemetryDefinition } from "../../model/definitions/telemetry.ts";
import { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { type MetricsAnalysis, noAnalysis, type Telemetry } from "../../ports/telemetry.ts";
import { messageOf } from "../../values/message-of.ts";
import type { Log } from "../logs/log.ts";
import { exposition } from "./metrics/exposition.ts";
import { MetricStore } from "./metrics/metric-store.ts";
import { familiesOf, readingOf } from "./metrics/readings.ts";
import type { Export } from "./otlp/export.ts";
import { type ExportSettings, exportSettings } from "./otlp/export-settings.ts";
import { TraceMaker } from "./tracing/trace-maker.ts";

export interface TelemetrySettings {
  readonly options: Pick<
    Options,
    | "enabledApis"
    | "metricsHighCardinalityLabels"
    | "traceSqlQuery"
    | "tracesOldAttributes"
    | "tracesSampleRatio"
    | "outboundAllow"
  >;
  readonly log: Log;
  /** Product version. */
  readonly version: string;
  /** The other processes of the server; absent if there are none. */
  readonly siblings?: Siblings | undefined;
}

/** The telemetry configuration of the metadata. */
export interface Exported {
  readonly definition: TelemetryDefinition | undefined;
  readonly metrics: MetricsDefinition | undefined;
  /** Environment variables that the definition may reference. */
  readonly environment: Environment;
  /** Hosts whose certificates are not verified. */
  readonly uncheckedHosts: readonly TlsAllow[];
}

const clientLimits = { milliseconds: 10_000, connections: 4, callsAtOnce: 16, responseBytes: 65_536, redirects: 0 };
const instanceAttribute = "service.instance.id";
/** Minimum interval in milliseconds between log lines about failed exports. */
const failureLogPause = 60_000;

export class ServerTelemetry implements Telemetry {
  readonly meters: Telemetry["meters"];
  readonly tracer = new TraceMaker();
  readonly metricsText: Telemetry["metricsText"];
  readonly #settings: TelemetrySettings;
  readonly #store: MetricStore;
  readonly #client: HttpClient;
  #uncheckedHosts: readonly TlsAllow[] = [];
  readonly #instance = randomUUID();
  #analysis = noAnalysis;
  /** The current export settings as JSON; `undefined` if nothing is exported. */
  #exported: string | undefined;
  /** Serializes changes, so that the last configuration takes effect last. */
  #changing: Promise<Export | undefined> = Promise.resolve(undefined);
  #watch: ProcessWatch | undefined;
  #failureLoggedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: TelemetrySettings) {
    const { options } = settings;
    this.#settings = settings;
    this.#store = new MetricStore({ highCardinality: options.metricsHighCardinalityLabels });
    this.#client = new HttpClient({ ...clientLimits, outbound: options.outboundAllow }, () => this.#uncheckedHosts);
    this.meters = this.#store.meters;
    this.metricsText = this.#isScraped ? () => this.#exposition() : undefined;
    settings.siblings?.onRead(() => readingOf(this.#store.read()));
    this.#count(this.#isScraped);
  }

  get analysis(): MetricsAnalysis {
    return this.#analysis;
  }

  get #isScraped(): boolean {
    return this.#settings.options.enabledApis.has("metrics");
  }

  /** Returns the metrics of all processes of the server. */
  async #exposition(): Promise<string> {
    const { siblings } = this.#settings;
    if (siblings === undefined) return exposition(this.#store.read());
    const reading = await siblings.readAll();
    return exposition(familiesOf(this.#store.read(), reading));
  }

  /**
   * Applies the telemetry configuration. Waiting items are sent to the previous collector. Resolves when the
   * configuration is in effect; never rejects.
   */
  async configure({ definition, metrics, environment, uncheckedHosts }: Exported): Promise<void> {
    this.#uncheckedHosts = uncheckedHosts;
    this.#analysis = metrics
      ? { variables: metrics.analyze_query_variables, answers: metrics.analyze_response_body }
      : noAnalysis;
    const settings = this.#withInstance(exportSettings(definition, environment));
    const exported = settings && JSON.stringify(settings);
    if (exported === this.#exported) return void (await this.#changing);
    this.#exported = exported;
    this.#count(this.#isScraped || settings?.endpoints.metrics !== undefined);
    this.#changing = this.#changing.then(async (before) => {
      this.#setExport(undefined, false);
      // Not awaited, because an unresponsive collector must not delay the new export.
      void before?.close();
      if (settings === undefined) return undefined;
      const { openExport } = await import("./otlp/export.ts");
      const { version } = this.#settings;
      const onFailed = (error: unknown): void => this.#logFailure(error);
      const parts = { settings, client: this.#client, store: this.#store, meters: this.meters, version, onFailed };
      const opened = openExport(parts);
      this.#setExport(opened, settings.traceparent);
      return opened;
    });
    await this.#changing;
  }

  /**
   * Adds the worker number to the instance id: collectors would otherwise treat the workers as one process and
   * overwrite counts.
   */
  #withInstance(settings: ExportSettings | undefined): ExportSettings | undefined {
    const { siblings } = this.#settings;
    if (siblings === undefined || settings === undefined) return settings;
    const { [instanceAttribute]: server = this.#instance, ...attributes } = settings.attributes;
    return { ...settings, attributes: { ...attributes, [instanceAttribute]: `${server}-${siblings.worker}` } };
  }

  #setExport(exported: Export | undefined, traceparent: boolean): void {
    const { options, log } = this.#settings;
    const { traceSqlQuery: withTexts, tracesOldAttributes: withOldNames, tracesSampleRatio: sampleRatio } = options;
    const sink = exported?.addSpan;
    this.tracer.configure(sink && { sink, traceparent, withTexts, withOldNames, sampleRatio });
    log.listen?.(exported?.addLine);
  }

  #count(isOn: boolean): void {
    this.#store.isOn = isOn;
    if (isOn) this.#watch ??= watchProcess(this.meters);
    if (isOn) this.#watch?.start();
    else this.#watch?.stop();
  }

  #logFailure(error: unknown): void {
    const now = performance.now();
    if (now - this.#failureLoggedAt < failureLogPause) return;
    this.#failureLoggedAt = now;
    const reason = messageOf(error);
    this.#settings.log.warn("telemetry-log", { message: "failed to export telemetry", reason });
  }

  /** Sends all waiting items and stops. */
  async close(): Promise<void> {
    const exported = await this.#changing;
    this.#setExport(undefined, false);
    await exported?.close();
    this.#watch?.stop();
    await this.#client.close();
  }
}

// Metrics of the process: memory, CPU time, event loop delay.

const nanoseconds = 1e9;
const microseconds = 1e6;
/** Resolution of delay measurements in milliseconds. */
const resolution = 20;

interface ProcessWatch {
  start(): void;
  stop(): void;
}

/** Registers the process metrics. To be called once; counters continue across restarts of the watch. */
function watchProcess(meters: Meters): ProcessWatch {
  const delays = monitorEventLoopDelay({ resolution });
  let loop = performance.eventLoopUtilization();
  let processor = { user: 0, system: 0 };
  meters.onRead(() => {
    for (const percentile of percentiles) {
      // The histogram includes the resolution of the timer. Without samples, the delay is 0.
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
