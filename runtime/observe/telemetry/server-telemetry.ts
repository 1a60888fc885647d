/** The telemetry of one server: what is counted and traced, and where it goes as the metadata says now. */
import { randomUUID } from "node:crypto";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { MetricsDefinition, TelemetryDefinition } from "../../model/definitions/telemetry.ts";
import { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { type MetricsAnalysis, noAnalysis, type Telemetry } from "../../ports/telemetry.ts";
import type { Log } from "../logs/log.ts";
import { exposition } from "./metrics/exposition.ts";
import { MetricStore } from "./metrics/metric-store.ts";
import { type ProcessWatch, watchProcess } from "./metrics/process-metrics.ts";
import { familiesOf, readingOf } from "./metrics/readings.ts";
import type { Export } from "./otlp/export.ts";
import { type ExportSettings, exportSettings } from "./otlp/export-settings.ts";
import { TraceMaker } from "./tracing/trace-maker.ts";

export interface TelemetrySettings {
  readonly options: Pick<
    Options,
    "enabledApis" | "metricsHighCardinalityLabels" | "traceSqlQuery" | "tracesSampleRatio" | "outboundAllow"
  >;
  readonly log: Log;
  /** Of the product. */
  readonly version: string;
  /** The other processes of the server; absent: there are none. */
  readonly siblings?: Siblings | undefined;
}

/** What the metadata says. */
export interface Exported {
  readonly definition: TelemetryDefinition | undefined;
  readonly metrics: MetricsDefinition | undefined;
  /** What the definition names. */
  readonly environment: Environment;
  /** Hosts whose certificates are not checked. */
  readonly uncheckedHosts: readonly TlsAllow[];
}

const clientLimits = { milliseconds: 10_000, connections: 4, callsAtOnce: 16, responseBytes: 65_536, redirects: 0 };
const instanceAttribute = "service.instance.id";
/** In milliseconds: a collector that does not answer gets a line in the log so often. */
const complaintPause = 60_000;

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
  /** What is exported now, as JSON; `undefined`: nothing. */
  #exported: string | undefined;
  /** One change after the other; the last is what the metadata said last. */
  #changing: Promise<Export | undefined> = Promise.resolve(undefined);
  #watch: ProcessWatch | undefined;
  #complained = Number.NEGATIVE_INFINITY;

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

  /** Of all processes of the server. */
  async #exposition(): Promise<string> {
    const { siblings } = this.#settings;
    if (siblings === undefined) return exposition(this.#store.read());
    const reading = await siblings.readAll();
    return exposition(familiesOf(this.#store.read(), reading));
  }

  /**
   * Exports as the metadata says; what waits for another collector is sent there. Resolves when that is so; never
   * rejects.
   */
  async configure({ definition, metrics, environment, uncheckedHosts }: Exported): Promise<void> {
    this.#uncheckedHosts = uncheckedHosts;
    this.#analysis = metrics
      ? { variables: metrics.analyze_query_variables, answers: metrics.analyze_response_body }
      : noAnalysis;
    const settings = this.#identified(exportSettings(definition, environment));
    const exported = settings && JSON.stringify(settings);
    if (exported === this.#exported) return void (await this.#changing);
    this.#exported = exported;
    this.#count(this.#isScraped || settings?.endpoints.metrics !== undefined);
    this.#changing = this.#changing.then(async (before) => {
      this.#tell(undefined, false);
      // A collector that does not answer must not keep others waiting.
      void before?.close();
      if (settings === undefined) return undefined;
      const { openExport } = await import("./otlp/export.ts");
      const { version } = this.#settings;
      const onFailed = (error: unknown): void => this.#complain(error);
      const parts = { settings, client: this.#client, store: this.#store, meters: this.meters, version, onFailed };
      const opened = openExport(parts);
      this.#tell(opened, settings.traceparent);
      return opened;
    });
    await this.#changing;
  }

  /** Collectors take what has the same attributes for one process: workers would overwrite each other's counts. */
  #identified(settings: ExportSettings | undefined): ExportSettings | undefined {
    const { siblings } = this.#settings;
    if (siblings === undefined || settings === undefined) return settings;
    const { [instanceAttribute]: server = this.#instance, ...attributes } = settings.attributes;
    return { ...settings, attributes: { ...attributes, [instanceAttribute]: `${server}-${siblings.worker}` } };
  }

  #tell(exported: Export | undefined, traceparent: boolean): void {
    const { options, log } = this.#settings;
    const { traceSqlQuery: withTexts, tracesSampleRatio: sampleRatio } = options;
    const sink = exported?.addSpan;
    this.tracer.configure(sink && { sink, traceparent, withTexts, sampleRatio });
    log.listen?.(exported?.addLine);
  }

  #count(isOn: boolean): void {
    this.#store.isOn = isOn;
    if (isOn) this.#watch ??= watchProcess(this.meters);
    if (isOn) this.#watch?.start();
    else this.#watch?.stop();
  }

  #complain(error: unknown): void {
    const now = performance.now();
    if (now - this.#complained < complaintPause) return;
    this.#complained = now;
    const reason = error instanceof Error ? error.message : String(error);
    this.#settings.log.warn("telemetry-log", { message: "telemetry could not be exported", reason });
  }

  /** Sends what waits. */
  async close(): Promise<void> {
    const exported = await this.#changing;
    this.#tell(undefined, false);
    await exported?.close();
    this.#watch?.stop();
    await this.#client.close();
  }
}
