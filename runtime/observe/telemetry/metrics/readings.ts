/** Metrics of several processes → those of the server that they are together. */
import type { MetricReading, SeriesReading } from "../../../ports/metric-reading.ts";
import { type MetricRow, metricTable } from "../../../ports/metric-table.ts";
import type { Family } from "./series.ts";

/** What is written of a metric, for Prometheus. */
export type ReadFamily = Pick<Family, "row" | "labels" | "bounds"> & { all(): Iterable<SeriesReading> };

const rows: ReadonlyMap<string, MetricRow> = new Map(Object.values(metricTable).map((row) => [row.name, row]));

/** What a process has counted. */
export function readingOf(families: readonly Family[]): MetricReading {
  return Object.fromEntries(families.map((family) => [family.row.name, [...family.all()]]));
}

/** Without what a process that has ended does not have any more: of it only what was counted stays. */
export function countedIn(reading: MetricReading): MetricReading {
  return Object.fromEntries(Object.entries(reading).filter(([name]) => rows.get(name)?.kind !== "gauge"));
}

/** Counts and sizes are summed; of gauges that tell how something is doing the largest value counts, the worst. */
export function addReadings(readings: readonly MetricReading[]): MetricReading {
  const added = new Map<string, Map<string, SeriesReading>>();
  for (const reading of readings) {
    for (const [name, series] of Object.entries(reading)) {
      const known = added.get(name) ?? new Map<string, SeriesReading>();
      added.set(name, known);
      for (const each of series) {
        const key = JSON.stringify(each.labels);
        const before = known.get(key);
        known.set(key, before === undefined ? each : joined(before, each, rows.get(name)?.ofAll === "largest"));
      }
    }
  }
  return Object.fromEntries([...added].map(([name, series]) => [name, [...series.values()]]));
}

/** A reading in the place of what these families hold. */
export function familiesOf(families: readonly Family[], reading: MetricReading): readonly ReadFamily[] {
  return families.map(({ row, labels, bounds }) => ({ row, labels, bounds, all: () => reading[row.name] ?? [] }));
}

function joined(left: SeriesReading, right: SeriesReading, isLargest: boolean): SeriesReading {
  return {
    labels: left.labels,
    value: isLargest ? Math.max(left.value, right.value) : left.value + right.value,
    buckets: left.buckets.map((count, index) => count + (right.buckets[index] ?? 0)),
    count: left.count + right.count,
  };
}
