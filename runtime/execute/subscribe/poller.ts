/**
 * Runs one statement for all subscriptions that share it: immediately for new subscribers, then periodically for all.
 * `schedule.ts` decides when to poll, `delivery.ts` delivers results.
 */
import { randomUUID } from "node:crypto";
import type { Continuity } from "../../ports/continuity.ts";
import type { Recorder } from "../../ports/metrics.ts";
import type { Caller } from "../../values/caller.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { type Cohort, type CohortQuery, Cohorts, keyOf, type Subscriber } from "./cohort.ts";
import type { MutableKindCounters } from "./counters.ts";
import { Delivery } from "./delivery.ts";
import { HighWaterMark } from "./high-water-mark.ts";
import { type ChangeReport, ChangeReports, type Run } from "./lag.ts";
import type { LiveQuery, LiveStatement } from "./live-query.ts";
import type { BatchReport, PollReport } from "./poll-report.ts";
import { type BatchResult, type Row, runBatch } from "./run-batch.ts";
import { type Clock, PollSchedule } from "./schedule.ts";
import { SourceWatch } from "./source-watch.ts";

export interface PollSettings {
  /** From the end of one poll to the start of the next, in milliseconds. */
  readonly refetchMilliseconds: number;
  /** Maximum number of variable sets in one statement. */
  readonly batchSize: number;
  /** If true, results in which every field is null or an empty list are not delivered. */
  readonly skipEmpty: boolean;
  /**
   * Transactions that stay open for longer do not hold back the rows of streams; `null` or absent: they always do.
   */
  readonly maxHoldMilliseconds?: number | null;
  /** Names of sources whose changes are watched, so that polls can be less frequent. */
  readonly watchedSources: ReadonlySet<string>;
}

export interface PollerParts {
  readonly statement: LiveStatement;
  readonly settings: PollSettings;
  /**
   * After a suspension, delays runs and deliveries until metadata changes of other instances, which retire this poller,
   * have been applied.
   */
  readonly continuity: Continuity;
  readonly clock: Clock;
  readonly counters: MutableKindCounters;
  /** Records the lag of delivered results in seconds. */
  readonly lag: Recorder;
  /** Called when the last subscriber has left. */
  readonly onEmpty: () => void;
  readonly onPoll?: (report: PollReport) => void;
}

/** Maximum number of cohorts of one run whose joins run concurrently. */
const maxConcurrentJoins = 8;

/**
 * Maximum number of concurrent first runs; subscribers that arrive while all of them are in progress share the next
 * one.
 */
const maxFirstRuns = 4;

/**
 * Selects a replica for live queries without a change watch. A replica may lag behind the changes that the primary
 * reports, and a stream must not miss rows behind its cursor.
 */
function withReader({ statement, settings: { watchedSources } }: PollerParts): LiveStatement {
  if (statement.reader) return statement;
  const { kind, source } = statement;
  const reader = kind === "live" && !watchedSources.has(source.name) ? source.reader?.() : undefined;
  return reader ? { ...statement, reader } : statement;
}

export class Poller implements Caller {
  readonly #parts: PollerParts;
  readonly #id = randomUUID();
  readonly #cohorts = new Cohorts((cohort) => this.#onRemoved(cohort));
  /** Cohorts with subscribers that wait for their first result. */
  readonly #waitingCohorts = new Set<Cohort>();
  /** Present for streams with a high-water mark. */
  readonly #highWaterMark: HighWaterMark | undefined;
  readonly #watch: SourceWatch;
  readonly #reports = new ChangeReports();
  readonly #schedule: PollSchedule;
  readonly #delivery: Delivery;
  #firstRuns = 0;
  /** Number of runs so far, for dropping results of older runs. */
  #runs = 0;
  #isRetired = false;

  constructor(input: PollerParts) {
    const parts = { ...input, statement: withReader(input) };
    this.#parts = parts;
    const { statement, settings, continuity, clock, counters, lag } = parts;
    const { source, cursor } = statement;
    const { maxHoldMilliseconds: maxHold = null } = settings;
    const query = cursor?.highWaterMark;
    this.#highWaterMark = query && new HighWaterMark({ source, query, clock, caller: this, maxHold });
    this.#watch = new SourceWatch(statement, settings.watchedSources, (change) => {
      this.#reports.add(change, clock.now());
      this.#schedule.wake();
    });
    this.#schedule = new PollSchedule({
      clock,
      refetchMilliseconds: settings.refetchMilliseconds,
      counters,
      isWatched: () => this.#watch.isLive,
      poll: () => this.#poll(),
    });
    this.#delivery = new Delivery({
      statement,
      cohorts: this.#cohorts,
      skipEmpty: settings.skipEmpty,
      continuity,
      counters,
      clock,
      lag,
      onUndelivered: () => this.#schedule.noteUndelivered(),
    });
    counters.activePollers++;
  }

  /** True if all clients have disconnected, including clients that still wait for their first result. */
  get aborted(): boolean {
    if (this.#isRetired) return true;
    for (const { members } of this.#cohorts.all()) {
      for (const { sink } of members) if (sink.aborted !== true) return false;
    }
    return true;
  }

  get subscribers(): number {
    let count = 0;
    for (const { members } of this.#cohorts.all()) count += members.size;
    return count;
  }

  /** Adds a subscriber and starts its first run. */
  join(subscriber: Subscriber, query: CohortQuery): void {
    const cohort = this.#cohorts.of(query);
    subscriber.after = this.#runs;
    this.#cohorts.enter(cohort, subscriber);
    this.#waitingCohorts.add(cohort);
    if (this.#firstRuns < maxFirstRuns) void this.#runWaiting();
  }

  /**
   * Stops the poller.
   * @returns the subscribers with their current values
   */
  retire(): readonly (readonly [Subscriber, LiveQuery["values"]])[] {
    this.#isRetired = true;
    this.#watch.stop();
    this.#schedule.stop();
    this.#waitingCohorts.clear();
    this.#parts.counters.activePollers--;
    return this.#cohorts.dissolve();
  }

  #onRemoved(cohort: Cohort): void {
    this.#waitingCohorts.delete(cohort);
    if (this.#cohorts.size > 0 || this.#isRetired) return;
    this.retire();
    this.#parts.onEmpty();
  }

  /** Runs waiting cohorts in batches; cohorts that arrive during a run go into the next one. */
  async #runWaiting(): Promise<void> {
    this.#firstRuns++;
    while (this.#waitingCohorts.size > 0) {
      const batch = [...this.#waitingCohorts].slice(0, this.#parts.settings.batchSize);
      for (const cohort of batch) this.#waitingCohorts.delete(cohort);
      await this.#run(batch);
      this.#schedule.plan();
    }
    this.#firstRuns--;
  }

  /**
   * Polls once.
   * @returns false if all variable sets failed
   */
  async #poll(): Promise<boolean> {
    const { clock, counters } = this.#parts;
    const started = clock.now();
    const batches = this.#batches();
    const report = this.#reports.take(started);
    const snapshotSeconds = secondsSince(clock, started);
    counters.polls++;
    counters.batches += batches.length;
    const reports = await Promise.all(batches.map((batch) => this.#run(batch, report)));
    if (this.#highWaterMark?.isHolding) this.#reports.keep(report);
    const totalSeconds = secondsSince(clock, started);
    counters.totalTime.add(totalSeconds);
    if (batches.length === 0) return true;
    this.#report({ batches: reports, snapshotSeconds, totalSeconds });
    return reports.some(({ result }) => result.outcomes.some(({ kind }) => kind === "row"));
  }

  #report(poll: Pick<PollReport, "batches" | "snapshotSeconds" | "totalSeconds">): void {
    const { onPoll, statement, settings } = this.#parts;
    if (!onPoll) return;
    const { batchSize, refetchMilliseconds } = settings;
    const { subscribers } = this;
    onPoll({ ...poll, pollerId: this.#id, statement, batchSize, refetchMilliseconds, subscribers });
  }

  /** Returns the ready cohorts: proven ones in batches of equal size, suspect ones alone. */
  #batches(): readonly (readonly Cohort[])[] {
    const { batchSize } = this.#parts.settings;
    const ready = [...this.#cohorts.all()].filter((cohort) => cohort.isReady);
    const idle = ready.filter(({ pendingJoins }) => pendingJoins === 0);
    if (idle.length < ready.length) this.#schedule.noteUndelivered();
    const proven = idle.filter(({ state }) => state === "proven");
    const count = Math.ceil(proven.length / batchSize);
    const share = Math.ceil(proven.length / Math.max(count, 1));
    const batches = Array.from({ length: count }, (_, i) => proven.slice(i * share, (i + 1) * share));
    const suspects = idle.filter(({ state }) => state === "suspect");
    return [...batches, ...suspects.map((cohort) => [cohort])];
  }

  /** Returns the result, and the time up to which it contains all changes. */
  async #runBatch(sets: readonly LiveQuery["values"][]): Promise<BatchResult & { readonly asOf: number | null }> {
    const { statement, clock } = this.#parts;
    const started = clock.now();
    if (!this.#highWaterMark) return { ...(await runBatch(statement, sets, this)), asOf: started };
    try {
      const bounded = await this.#highWaterMark.bounded(sets);
      // Rows that are held back become deliverable without another change.
      if (this.#highWaterMark.isHolding) this.#schedule.noteUndelivered();
      return { ...(await runBatch(statement, bounded.sets, this)), asOf: bounded.asOf };
    } catch (error) {
      return { outcomes: sets.map(() => ({ kind: "failed", error, alone: false })), statements: 0, asOf: null };
    }
  }

  /** Runs the statement for some cohorts and delivers the results. */
  async #run(cohorts: readonly Cohort[], report?: ChangeReport): Promise<BatchReport> {
    const { clock, counters, continuity } = this.#parts;
    const settled = continuity.settled();
    if (settled) await settled;
    const number = ++this.#runs;
    const started = clock.now();
    const { sets, indexes } = setsOf(cohorts);
    const result = await this.#runBatch(sets);
    counters.statements += result.statements;
    const databaseSeconds = secondsSince(clock, started);
    counters.databaseTime.add(databaseSeconds);
    const received = clock.now();
    await continuity.settled();
    const maxConcurrent = cohorts.some(({ joined }) => joined) ? maxConcurrentJoins : 1;
    await forEachConcurrently(cohorts, maxConcurrent, async (cohort, i) => {
      const outcome = result.outcomes[indexes[i] ?? i];
      if (outcome?.kind === "row") await this.#deliver(cohort, outcome.row, { number, asOf: result.asOf, report });
      else if (outcome) this.#delivery.fail(cohort, outcome, number);
    });
    return { result, databaseSeconds, pushSeconds: secondsSince(clock, received) };
  }

  async #deliver(cohort: Cohort, row: Row, run: Run): Promise<void> {
    // The watch needs values with which the statement has succeeded.
    this.#watch.begin(cohort.values);
    try {
      await this.#delivery.deliverRow(cohort, row, run);
    } catch (error) {
      // A bug in delivery must not stop the poller.
      this.#delivery.fail(cohort, { kind: "failed", error, alone: true }, run.number);
    }
  }
}

/** Returns distinct variable sets: cohorts that differ only in their joins share a set. */
function setsOf(cohorts: readonly Cohort[]) {
  const positions = new Map<string, number>();
  const sets: LiveQuery["values"][] = [];
  const indexes = cohorts.map(({ key, values, joined }) => {
    const setKey = joined ? keyOf({ values }) : key;
    const existing = positions.get(setKey);
    if (existing !== undefined) return existing;
    positions.set(setKey, sets.length);
    return sets.push(values) - 1;
  });
  return { sets, indexes };
}

const secondsSince = (clock: Clock, moment: number): number => (clock.now() - moment) / 1000;
