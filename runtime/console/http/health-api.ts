/** Client of `/healthz/sources` and `/v1/metrics`. */
import { configuration } from "../configuration.ts";
import { endpoint } from "./address.ts";
import { errorOf, unreachable } from "./api-error.ts";
import { adminHeaders } from "./credentials.ts";
import { exchange } from "./send.ts";

export interface DatabaseHealth {
  readonly status: "OK" | "ERROR";
  readonly error?: string;
}

export interface SourcesHealth {
  readonly sources: Readonly<Record<string, DatabaseHealth>>;
  /** Health of the metadata database. */
  readonly metadata?: DatabaseHealth;
}

/**
 * Returns the health of all databases. Status 503 means that a database is unhealthy, and is not an error. @throws
 * ApiError
 */
export async function sourcesHealth(): Promise<SourcesHealth> {
  const { status, json } = await exchange("/healthz/sources", { method: "GET" });
  if (status !== 200 && status !== 503) throw errorOf(status, json);
  return json as SourcesHealth;
}

/** Values by metric name, then by label text. */
export type Metrics = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Returns true if the server is known to serve no metrics. The page of `engine console` does not name the APIs of its
 * server.
 */
export const areMetricsOff = (): boolean =>
  configuration.consoleMode === "server" && !configuration.enabledApis.includes("metrics");

/** Returns `null` if metrics are disabled, which sends no request, or need another secret. @throws ApiError */
export async function readMetrics(): Promise<Metrics | null> {
  if (areMetricsOff()) return null;
  let response: Response;
  try {
    response = await fetch(endpoint("/v1/metrics"), { headers: adminHeaders(), credentials: "same-origin" });
  } catch {
    throw unreachable();
  }
  return response.ok ? parseMetrics(await response.text()) : null;
}

const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/;

/** Parses the Prometheus text format, version 0.0.4. */
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

/** Returns the value of a label in the labels of a series; empty if it has none. */
export function labelOf(labels: string, name: string): string {
  const [, value = ""] = new RegExp(`[{,]${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(labels) ?? [];
  return value.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}
