/** `/healthz/sources` and `/v1/metrics`: how the server and its databases do. */
import { endpoint } from "./address.ts";
import { ApiError, errorOf } from "./api-error.ts";
import { adminHeaders } from "./credentials.ts";
import { exchange } from "./send.ts";

export interface DatabaseHealth {
  readonly status: "OK" | "ERROR";
  readonly error?: string;
}

export interface SourcesHealth {
  readonly sources: Readonly<Record<string, DatabaseHealth>>;
  /** Of the database that holds the metadata. */
  readonly metadata?: DatabaseHealth;
}

/** The status is 503 where one does not answer. @throws ApiError */
export async function sourcesHealth(): Promise<SourcesHealth> {
  const { status, json } = await exchange("/healthz/sources", { method: "GET" });
  if (status !== 200 && status !== 503) throw errorOf(status, json);
  return json as SourcesHealth;
}

/** Sums of series by the name of the metric, then by its labels as they are written. */
export type Metrics = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** @returns `null`: metrics are switched off, or another secret opens them */
export async function readMetrics(): Promise<Metrics | null> {
  let response: Response;
  try {
    response = await fetch(endpoint("/v1/metrics"), { headers: adminHeaders(), credentials: "same-origin" });
  } catch {
    throw new ApiError("The server does not answer. Is it running?");
  }
  return response.ok ? parseMetrics(await response.text()) : null;
}

const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/;

/** Prometheus' text format, version 0.0.4. */
function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Map<string, number>>();
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = sample.exec(line) ?? [];
    if (name === undefined) continue;
    const series = metrics.get(name) ?? new Map<string, number>();
    metrics.set(name, series.set(labels, Number(value)));
  }
  return metrics;
}

/** @param has what the labels must hold; absent: all series */
export function sumOf(metrics: Metrics, name: string, has = ""): number {
  let sum = 0;
  for (const [labels, value] of metrics.get(name) ?? []) if (labels.includes(has)) sum += value;
  return sum;
}
