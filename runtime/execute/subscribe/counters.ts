/** What live queries do, counted for whoever watches the server. Names follow `operations.md` 9. */
import type { SubscriptionKind } from "./live-query.ts";

/** Upper bounds of the buckets of times, in seconds. */
const timeBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

/** How many times were at most as long as each bound, how many in all, and their sum. */
interface TimeHistogram {
  /** One entry for each of `timeBuckets`; not cumulative, and without what is longer than the last. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** In seconds. */
  readonly sum: number;
}

class Times implements TimeHistogram {
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
  /** Subscriptions that run now. */
  readonly activeSubscriptions: number;
  /** Groups of subscriptions that share a statement now, and those of them whose last poll failed altogether. */
  readonly activePollers: number;
  readonly pollersInErrorState: number;
  /** Rounds of a poller, and the batches that they were made of. */
  readonly polls: number;
  readonly batches: number;
  /** Statements that were sent to a database, first answers and repeated ones included. */
  readonly statements: number;
  /** Sets of values that a database refused. */
  readonly failures: number;
  /** Answers that were handed to subscriptions, and their length, in characters of JSON. */
  readonly results: number;
  readonly resultCharacters: number;
  /** Answers that a subscription did not get because its client does not read; it gets a later one. */
  readonly passedOver: number;
  /** From sending a batch to having its rows. */
  readonly databaseTime: TimeHistogram;
  /** From the beginning of a poll until all its results were handed over. */
  readonly totalTime: TimeHistogram;
}

/** The counters of one kind, as they are counted. */
export class KindCounting implements KindCounters {
  activeSubscriptions = 0;
  activePollers = 0;
  pollersInErrorState = 0;
  polls = 0;
  batches = 0;
  statements = 0;
  failures = 0;
  results = 0;
  resultCharacters = 0;
  passedOver = 0;
  readonly databaseTime = new Times();
  readonly totalTime = new Times();
}

export type LiveCounters = Readonly<Record<SubscriptionKind, KindCounters>>;
