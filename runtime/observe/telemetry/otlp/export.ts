/** Exports telemetry according to the metadata: spans and log lines in batches, metrics at intervals. */

import { setTimeout as pause } from "node:timers/promises";
import type { HttpClient } from "../../../outbound/http-client.ts";
import type { Meters } from "../../../ports/metrics.ts";
import type { LogListener } from "../../logs/log.ts";
import type { MetricStore } from "../metrics/metric-store.ts";
import type { EndedSpan } from "../tracing/trace-span.ts";
import { type Exporter, encodeLogs, encodeMetrics, encodeSpans, readLogLine } from "./encode.ts";
import type { ExportSettings } from "./export-settings.ts";

/** Batches items for export within limits. Items beyond the limits are counted and dropped. */

interface BatchParts<T> {
  /** Maximum number of items per request. */
  readonly size: number;
  /**
   * Sends items.
   * @throws Error if the collector does not accept them
   */
  readonly send: (items: readonly T[]) => Promise<void>;
  readonly onSent: (count: number) => void;
  readonly onDropped: (count: number, reason: "buffer_full" | "send_failed") => void;
  /** Called when the collector rejects a batch or is unreachable. */
  readonly onFailed: (error: unknown) => void;
}

/** Capacity for a slow collector: this number of batches, but at least `minCapacity` items. */
const maxBatches = 8;
const minCapacity = 2048;
/** Delay in milliseconds after which an incomplete batch is sent. */
const delay = 5000;

export class Batch<T> {
  readonly #parts: BatchParts<T>;
  #waiting: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: BatchParts<T>) {
    this.#parts = parts;
  }

  add(item: T): void {
    const { size, onDropped } = this.#parts;
    if (this.#isClosed || this.#waiting.length >= Math.max(minCapacity, maxBatches * size)) {
      onDropped(1, "buffer_full");
      return;
    }
    this.#waiting.push(item);
    if (this.#waiting.length >= size) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), delay).unref();
  }

  /** Sends all waiting items. Resolves when they have been sent or dropped. */
  async flush(): Promise<void> {
    this.#start();
    await this.#sending;
  }

  /** Sends all waiting items and accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    const { size, send, onSent, onDropped, onFailed } = this.#parts;
    while (this.#waiting.length > 0) {
      const items = this.#waiting.splice(0, size);
      try {
        await send(items);
        onSent(items.length);
      } catch (error) {
        onDropped(items.length, "send_failed");
        onFailed(error);
      }
    }
  }
}

// Sends OTLP requests over HTTP (`/v1/traces` etc.), with retries for transient errors.

interface CollectorParts {
  readonly client: Pick<HttpClient, "call">;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Retryable statuses of the OTLP specification. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const attempts = 3;
/** First and maximum delay of retries in milliseconds, doubled each time. */
const firstPause = 500;
const maxPause = 10_000;
const timeout = 10_000;
/** Maximum number of response bytes to read. The response is not used. */
const keptBytes = 1024;

/**
 * Sends a request.
 * @throws Error if the collector does not accept it
 */
export async function sendToCollector({ client, url, headers }: CollectorParts, body: Uint8Array): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const reply = await client.call({
      method: "POST",
      url,
      headers: { ...headers, "content-type": "application/x-protobuf" },
      bytes: [body],
      milliseconds: timeout,
      keptBytes,
    });
    if (reply.status >= 200 && reply.status < 300) return;
    if (!transient.has(reply.status) || attempt === attempts) {
      throw new Error(`the collector responded with status ${reply.status}`);
    }
    const requestedPause = Number(reply.headers["retry-after"]) * 1000;
    const backoff = firstPause * 2 ** (attempt - 1);
    await pause(
      Math.min(maxPause, Number.isFinite(requestedPause) && requestedPause > 0 ? requestedPause : backoff),
      undefined,
      {
        ref: false,
      },
    );
  }
}

export interface ExportParts {
  readonly settings: ExportSettings;
  readonly client: Pick<HttpClient, "call">;
  readonly store: MetricStore;
  readonly meters: Meters;
  /** Product version. */
  readonly version: string;
  /** Called with errors of collectors. */
  readonly onFailed: (error: unknown) => void;
}

/** A running export. Absent functions mean that the type is not exported. */
export interface Export {
  readonly addSpan?: (span: EndedSpan) => void;
  readonly addLine?: LogListener;
  /** Sends all waiting items once and stops. Never rejects. */
  close(): Promise<void>;
}

/** Interval between exports of metrics, in milliseconds. */
const metricsInterval = 15_000;
/** Maximum number of log lines per request. */
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

/** Starts exporting metrics at intervals. Returns a function that stops after a final export. */
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
