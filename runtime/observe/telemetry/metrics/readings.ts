/** Merges the metrics of several processes of a server. */
import type { MetricReading, SeriesReading } from "../../../ports/metric-reading.ts";
import { type MetricRow, metricTable } from "../../../ports/metric-table.ts";
import type { Family } from "./series.ts";

/** The parts of a metric that the Prometheus format needs. */
export type ReadFamily = Pick<Family, "row" | "labels" | "bounds"> & { all(): Iterable<SeriesReading> };

const rows: ReadonlyMap<string, MetricRow> = new Map(Object.values(metricTable).map((row) => [row.name, row]));

/** Returns the values of a process. */
export function readingOf(families: readonly Family[]): MetricReading {
  return Object.fromEntries(families.map((family) => [family.row.name, [...family.all()]]));
}

/** Removes gauges, which no longer apply after a process has ended. Counters remain. */
export function withoutGauges(reading: MetricReading): MetricReading {
  return Object.fromEntries(Object.entries(reading).filter(([name]) => rows.get(name)?.kind !== "gauge"));
}

/**
 * Merges readings. Counts and sizes are added; for gauges that measure health, the largest and therefore worst value is
 * used.
 */
export function addReadings(readings: readonly MetricReading[]): MetricReading {
  const added = new Map<string, Map<string, SeriesReading>>();
  for (const reading of readings) {
    for (const [name, series] of Object.entries(reading)) {
      const known = added.get(name) ?? new Map<string, SeriesReading>();
      added.set(name, known);
      for (const each of series) {
        const key = JSON.stringify(each.labels);
        const before = known.get(key);
        known.set(key, before === undefined ? each : merge(before, each, rows.get(name)?.aggregation === "max"));
      }
    }
  }
  return Object.fromEntries([...added].map(([name, series]) => [name, [...series.values()]]));
}

/** Returns the families with the values of a reading. */
export function familiesOf(families: readonly Family[], reading: MetricReading): readonly ReadFamily[] {
  return families.map(({ row, labels, bounds }) => ({ row, labels, bounds, all: () => reading[row.name] ?? [] }));
}

function merge(left: SeriesReading, right: SeriesReading, isLargest: boolean): SeriesReading {
  return {
    labels: left.labels,
    value: isLargest ? Math.max(left.value, right.value) : left.value + right.value,
    buckets: left.buckets.map((count, index) => count + (right.buckets[index] ?? 0)),
    count: left.count + right.count,
  };
}
