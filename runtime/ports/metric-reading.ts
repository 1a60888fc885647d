/** Metrics of a process as plain data, to be added to those of others. */

export interface SeriesReading {
  /** In the order of the family's labels. */
  readonly labels: readonly string[];
  /** Of a histogram: the sum of what was recorded. */
  readonly value: number;
  /** Of a histogram, for each of its bounds and for what is above the last; not cumulative. */
  readonly buckets: readonly number[];
  readonly count: number;
}

/** The series of each metric that has any, by the name of its row in `metric-table.ts`. */
export type MetricReading = Readonly<Record<string, readonly SeriesReading[]>>;
