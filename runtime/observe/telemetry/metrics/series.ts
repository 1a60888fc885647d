/** The series of one metric, one for each set of label values, with a limit on their number. */
import { highCardinalityLabels, type MetricRow } from "../../../ports/metric-table.ts";
import type { Adder, Recorder } from "../../../ports/metrics.ts";

export interface Series {
  /** Label values in the order of the family's labels. */
  readonly labels: readonly string[];
  /** For a histogram, the sum of the recorded values. */
  value: number;
  /** For a histogram, counts per bucket, not cumulative. The last bucket is for values above all bounds. */
  readonly buckets: number[];
  count: number;
}

/** The shared on/off state of counting. */
export interface Switch {
  isOn: boolean;
}

export interface FamilySettings {
  readonly power: Switch;
  /** If true, labels with many values are kept. */
  readonly highCardinality: boolean;
  /** Called for each observation that exceeds the series limit. */
  readonly onLimited: () => void;
}

/** Label value of observations beyond the series limit. */
const other = "other";

/** Maximum number of series per metric. Histograms have a lower limit: each series has one line per bucket. */
const maxSeries = 2000;
const maxHistograms = 200;
/** Maximum length of a label value in characters. */
const maxValueLength = 128;

type LabelValues = Readonly<Record<string, string>> | undefined;

export class Family {
  readonly row: MetricRow;
  /** The label names of its series. */
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  readonly #series = new Map<string, Series>();
  readonly #maxSeries: number;
  readonly #onLimited: () => void;
  readonly #power: Switch;

  constructor(row: MetricRow, { highCardinality, onLimited, power }: FamilySettings) {
    this.row = row;
    this.labels = highCardinality ? row.labels : row.labels.filter((name) => !highCardinalityLabels.has(name));
    this.bounds = row.buckets ?? [];
    this.#maxSeries = row.kind === "histogram" ? maxHistograms : maxSeries;
    this.#onLimited = onLimited;
    this.#power = power;
    // Series with known label values exist from the start, so that a rate is correct from the first change.
    const { values = {} } = row;
    if (this.labels.every((name) => name in values)) {
      this.#find(Object.fromEntries(this.labels.map((name) => [name, values[name]?.[0] ?? ""])));
    }
  }

  get size(): number {
    return this.#series.size;
  }

  all(): Iterable<Series> {
    return this.#series.values();
  }

  /**
   * Adds to a value. Gauges are updated even while counting is disabled, because they are incremented and decremented
   * in pairs.
   */
  add(change: number, given: LabelValues): void {
    if (!this.#power.isOn && this.row.kind !== "gauge") return;
    this.#find(given).value += change;
  }

  set(value: number, given: LabelValues): void {
    this.#find(given).value = value;
  }

  record(value: number, given: LabelValues): void {
    if (this.#power.isOn) this.#recordIn(this.#find(given), value);
  }

  /**
   * Returns an instrument for fixed label values. It caches its series, which stays valid because only gauges are
   * cleared.
   */
  of(given: LabelValues): Adder & Recorder {
    const power = this.#power;
    let own: Series | undefined;
    const find = (): Series => {
      const found = this.#find(given);
      if (this.#series.get(this.#keyOf(given)) === found) own = found;
      return found;
    };
    return {
      add: (count) => {
        if (power.isOn) (own ?? find()).value += count;
      },
      record: (value) => {
        if (power.isOn) this.#recordIn(own ?? find(), value);
      },
    };
  }

  #recordIn(series: Series, value: number): void {
    series.value += value;
    series.count++;
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? 0)) bucket++;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  }

  clear(): void {
    this.#series.clear();
  }

  #find(given: LabelValues): Series {
    const key = this.#keyOf(given);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size < this.#maxSeries) {
      const opened = this.#open(key, given);
      for (const name in this.row.values)
        for (const value of this.row.values[name] ?? []) this.#openOther(name, value, given);
      return opened;
    }
    this.#onLimited();
    const limited = Object.fromEntries(
      this.labels.map((name) => [name, highCardinalityLabels.has(name) ? other : (given?.[name] ?? "")]),
    );
    const otherKey = this.#keyOf(limited);
    return this.#series.get(otherKey) ?? this.#open(otherKey, limited);
  }

  #openOther(name: string, value: string, given: LabelValues): void {
    const others = { ...given, [name]: value };
    const key = this.#keyOf(others);
    if (!this.#series.has(key)) this.#open(key, others);
  }

  #keyOf(given: LabelValues): string {
    let key = "";
    for (const name of this.labels) key += `${given?.[name] ?? ""}\u0000`;
    return key;
  }

  #open(key: string, given: LabelValues): Series {
    const buckets = this.row.kind === "histogram" ? Array.from({ length: this.bounds.length + 1 }, () => 0) : [];
    const labels = this.labels.map((name) => (given?.[name] ?? "").slice(0, maxValueLength));
    const series: Series = { labels, value: 0, buckets, count: 0 };
    this.#series.set(key, series);
    return series;
  }
}
