/** Metrics of a process as plain data, to be merged with the metrics of other processes. */

export interface SeriesReading {
  /** Label values in the order of the family's labels. */
  readonly labels: readonly string[];
  /** Value of the series; for a histogram, the sum of the recorded values. */
  readonly value: number;
  /** Counts per bucket of a histogram, not cumulative; the last one counts values above all bounds. */
  readonly buckets: readonly number[];
  readonly count: number;
}

/** The series of each metric, by the name of its row in `metric-table.ts`. */
export type MetricReading = Readonly<Record<string, readonly SeriesReading[]>>;
