/** Counters of subscriptions for metrics (`docs/reference/metrics.md`). */
import type { SubscriptionKind } from "./live-query.ts";

/** Upper bounds of the buckets of times, in seconds. */
const timeBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

interface TimeHistogram {
  /** Counts by bucket of `timeBuckets`; not cumulative, without durations above the last bound. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** Sum of the times in seconds. */
  readonly sum: number;
}

class MutableHistogram implements TimeHistogram {
  readonly buckets: number[] = timeBuckets.map(() => 0);
  count = 0;
  sum = 0;

  add(seconds: number): void {
    this.count++;
    this.sum += seconds;
    const bucket = timeBuckets.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }
}

interface KindCounters {
  readonly activeSubscriptions: number;
  /** Running pollers, and pollers whose last poll failed completely. */
  readonly activePollers: number;
  readonly pollersInErrorState: number;
  readonly polls: number;
  readonly batches: number;
  /** Statements sent to databases, including first runs and retries. */
  readonly statements: number;
  readonly failures: number;
  /** Number of results delivered to subscribers, and their size in bytes of JSON. */
  readonly results: number;
  readonly resultBytes: number;
  /** Results that were skipped for slow consumers, which receive a later one. */
  readonly passedOver: number;
  /** From sending a batch to receiving its rows. */
  readonly databaseTime: TimeHistogram;
  /** From the start of a poll until all results are delivered. */
  readonly totalTime: TimeHistogram;
}

/** Mutable counters of one kind. */
export class MutableKindCounters implements KindCounters {
  activeSubscriptions = 0;
  activePollers = 0;
  pollersInErrorState = 0;
  polls = 0;
  batches = 0;
  statements = 0;
  failures = 0;
  results = 0;
  resultBytes = 0;
  passedOver = 0;
  readonly databaseTime = new MutableHistogram();
  readonly totalTime = new MutableHistogram();
}

export type LiveCounters = Readonly<Record<SubscriptionKind, KindCounters>>;
