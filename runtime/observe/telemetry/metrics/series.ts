/** The values of one metric, one series for each set of label values. How many there may be is bounded. */
import { highCardinalityLabels, type MetricRow } from "../../../ports/metric-table.ts";
import type { Adder, Recorder } from "../../../ports/metrics.ts";

export interface Series {
  /** In the order of the family's labels. */
  readonly labels: readonly string[];
  /** Of a histogram: the sum of what was recorded. */
  value: number;
  /** Of a histogram, for each of its bounds and for what is above the last; not cumulative. */
  readonly buckets: number[];
  count: number;
}

/** Whether anything is counted. */
export interface Switch {
  isOn: boolean;
}

export interface FamilySettings {
  readonly power: Switch;
  /** Whether labels that have many values are kept. */
  readonly highCardinality: boolean;
  /** Called for each observation that gets no series of its own. */
  readonly onLimited: () => void;
}

/** Stands for all values of a label that came when there were as many series as there may be. */
const other = "other";

/** Of one metric; each of a histogram is a line for every bucket. */
const mostSeries = 2000;
const mostHistograms = 200;
/** In characters: longer values are cut. */
const longestValue = 128;

type Given = Readonly<Record<string, string>> | undefined;

export class Family {
  readonly row: MetricRow;
  /** The labels that its series have. */
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  readonly #series = new Map<string, Series>();
  readonly #most: number;
  readonly #onLimited: () => void;
  readonly #power: Switch;

  constructor(row: MetricRow, { highCardinality, onLimited, power }: FamilySettings) {
    this.row = row;
    this.labels = highCardinality ? row.labels : row.labels.filter((name) => !highCardinalityLabels.has(name));
    this.bounds = row.buckets ?? [];
    this.#most = row.kind === "histogram" ? mostHistograms : mostSeries;
    this.#onLimited = onLimited;
    this.#power = power;
    // What can be told before it happens is there from the beginning: a rate over it is right from its first change.
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

  /** Gauges go up and down: one that was switched on between the two would be wrong for ever. */
  add(change: number, given: Given): void {
    if (!this.#power.isOn && this.row.kind !== "gauge") return;
    this.#find(given).value += change;
  }

  set(value: number, given: Given): void {
    this.#find(given).value = value;
  }

  record(value: number, given: Given): void {
    if (this.#power.isOn) this.#recordIn(this.#find(given), value);
  }

  /** Looks the series up until it has one of its own, which is never taken from it: only gauges are cleared. */
  of(given: Given): Adder & Recorder {
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

  #find(given: Given): Series {
    const key = this.#keyOf(given);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size < this.#most) {
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

  #openOther(name: string, value: string, given: Given): void {
    const others = { ...given, [name]: value };
    const key = this.#keyOf(others);
    if (!this.#series.has(key)) this.#open(key, others);
  }

  #keyOf(given: Given): string {
    let key = "";
    for (const name of this.labels) key += `${given?.[name] ?? ""}\u0000`;
    return key;
  }

  #open(key: string, given: Given): Series {
    const buckets = this.row.kind === "histogram" ? Array.from({ length: this.bounds.length + 1 }, () => 0) : [];
    const labels = this.labels.map((name) => (given?.[name] ?? "").slice(0, longestValue));
    const series: Series = { labels, value: 0, buckets, count: 0 };
    this.#series.set(key, series);
    return series;
  }
}
