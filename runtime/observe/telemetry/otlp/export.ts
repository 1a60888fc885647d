/** Exports what is told, as the metadata says now: spans and log lines in batches, metrics every so often. */
import type { HttpClient } from "../../../outbound/http-client.ts";
import type { Meters } from "../../../ports/metrics.ts";
import type { LogListener } from "../../logs/log.ts";
import type { MetricStore } from "../metrics/metric-store.ts";
import type { EndedSpan } from "../tracing/trace-span.ts";
import { Batch } from "./batch.ts";
import { type CollectorParts, sendToCollector } from "./collector.ts";
import type { Exporter } from "./encode.ts";
import { encodeLogs, encodeMetrics, encodeSpans } from "./encode.ts";
import type { ExportSettings } from "./export-settings.ts";
import { readLogLine } from "./log-line.ts";

export interface ExportParts {
  readonly settings: ExportSettings;
  readonly client: Pick<HttpClient, "call">;
  readonly store: MetricStore;
  readonly meters: Meters;
  /** Of the product. */
  readonly version: string;
  /** Told what collectors say. */
  readonly onFailed: (error: unknown) => void;
}

/** What is exported; absent: it is not. */
export interface Export {
  readonly addSpan?: (span: EndedSpan) => void;
  readonly addLine?: LogListener;
  /** Sends what waits, once, and ends. Never rejects. */
  close(): Promise<void>;
}

/** In milliseconds: from one export of the metrics to the next. */
const metricsInterval = 15_000;
/** In log lines of one request. */
const logBatch = 512;
const start = Date.now();

export function openExport(parts: ExportParts): Export {
  const { settings } = parts;
  const { traces, logs, metrics } = settings.endpoints;
  const spans = traces === undefined ? undefined : spanBatch(parts, traces);
  const lines = logs === undefined ? undefined : lineBatch(parts, logs);
  const stopMetrics = metrics === undefined ? undefined : exportMetrics(parts, metrics);
  return {
    ...(spans && { addSpan: (span) => spans.add(span) }),
    ...(lines && { addLine: (line) => lines.add({ line, time: Date.now() }) }),
    close: async () => void (await Promise.all([spans?.close(), lines?.close(), stopMetrics?.()])),
  };
}

interface WrittenLine {
  readonly line: string;
  readonly time: number;
}

function spanBatch(parts: ExportParts, url: string): Batch<EndedSpan> {
  const { meters, settings, onFailed } = parts;
  return new Batch<EndedSpan>({
    size: settings.batchSize,
    async send(spans) {
      await sendToCollector(collector(parts, url), encodeSpans(spans, exporterOf(parts)));
    },
    onSent: (count) => meters.sentSpans.add(count),
    onDropped: (count, reason) => meters.droppedSpans.add(count, { reason }),
    onFailed,
  });
}

function lineBatch(parts: ExportParts, url: string): Batch<WrittenLine> {
  const { meters, onFailed } = parts;
  return new Batch<WrittenLine>({
    size: logBatch,
    async send(written) {
      const lines = written.flatMap(({ line, time }) => readLogLine(line, time) ?? []);
      await sendToCollector(collector(parts, url), encodeLogs(lines, exporterOf(parts)));
    },
    onSent: (count) => meters.sentLogs.add(count),
    onDropped: (count, reason) => meters.droppedLogs.add(count, { reason }),
    onFailed,
  });
}

/** @returns exports them for the last time */
function exportMetrics(parts: ExportParts, url: string): () => Promise<void> {
  const { store, meters, onFailed } = parts;
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    const families = store.read();
    const points = families.reduce((sum, { size }) => sum + size, 0);
    try {
      await sendToCollector(collector(parts, url), encodeMetrics(families, start, exporterOf(parts)));
      meters.sentMetrics.add(points);
    } catch (error) {
      meters.droppedMetrics.add(points, { reason: "send_failed" });
      onFailed(error);
    }
  };
  const begin = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(() => void begin(), metricsInterval);
  timer.unref();
  return () => {
    clearInterval(timer);
    return begin();
  };
}

function collector({ client, settings }: ExportParts, url: string): CollectorParts {
  return { client, url, headers: settings.headers };
}

function exporterOf({ settings, version }: ExportParts): Exporter {
  return { attributes: settings.attributes, version };
}
