/**
 * Asks one statement for all subscriptions that share it: at once for those that are new, and again and again for all
 * (`graphql-api.md` 7.5, 7.6; `sql-generation.md` 12). `schedule.ts` says when, `delivery.ts` what becomes of the answers.
 */
import { randomUUID } from "node:crypto";
import type { Continuity } from "../../ports/continuity.ts";
import type { Caller } from "../../values/caller.ts";
import { forEachAtOnce } from "../for-each-at-once.ts";
import { type Asked, ask, type Row } from "./ask.ts";
import type { Clock } from "./clock.ts";
import { type Cohort, type CohortQuery, keyOf, type Subscriber } from "./cohort.ts";
import { Cohorts } from "./cohorts.ts";
import type { KindCounting } from "./counters.ts";
import { Delivery } from "./delivery.ts";
import { Frontier } from "./frontier.ts";
import type { LiveQuery, LiveStatement } from "./live-query.ts";
import type { BatchReport, PollReport } from "./poll-report.ts";
import { PollSchedule } from "./schedule.ts";
import { SourceWatch } from "./source-watch.ts";

export interface PollSettings {
  /** From the end of one poll to the beginning of the next, in milliseconds. */
  readonly refetchMilliseconds: number;
  /** So many sets of values go into one statement at most. */
  readonly batchSize: number;
  /** An answer in which every field is null or an empty list is not delivered. */
  readonly skipEmpty: boolean;
  /** Names of sources that are asked to tell of changes, so that polls are not needed to find them. */
  readonly watchedSources: ReadonlySet<string>;
}

export interface PollerParts {
  readonly statement: LiveStatement;
  readonly settings: PollSettings;
  /** When others have changed the metadata, this poller has been retired before it is settled. */
  readonly continuity: Continuity;
  readonly clock: Clock;
  readonly counters: KindCounting;
  /** Called when the last subscription has left. */
  readonly onEmpty: () => void;
  /** Called after each poll; absent: nobody wants to know. */
  readonly onPoll?: (report: PollReport) => void;
}

/** Answers of one run that other sources and servers are asked for at a time. */
const joinedAtOnce = 8;

/** So many statements at a time answer newcomers; those who come meanwhile share the next one. */
const mostFirstRuns = 4;

/**
 * A copy of the database may answer. Not where the primary tells of changes, which copies know later; nor a stream, which
 * goes on from what it has read.
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
  readonly #cohorts = new Cohorts((cohort) => this.#forgotten(cohort));
  /** Cohorts with subscribers that wait for their first answer. */
  readonly #newcomers = new Set<Cohort>();
  /** Of streams that are held back. */
  readonly #frontier: Frontier | undefined;
  readonly #watch: SourceWatch;
  readonly #schedule: PollSchedule;
  readonly #delivery: Delivery;
  #firstRuns = 0;
  /** Runs are counted, so that an older answer never follows a newer one. */
  #runs = 0;
  #isRetired = false;

  constructor(given: PollerParts) {
    const parts = { ...given, statement: withReader(given) };
    this.#parts = parts;
    const { statement, settings, continuity, clock, counters } = parts;
    const { source, cursor } = statement;
    this.#frontier = cursor?.frontier && new Frontier(source, cursor.frontier);
    this.#watch = new SourceWatch(statement, settings.watchedSources, () => this.#schedule.wake());
    this.#schedule = new PollSchedule({
      clock,
      refetchMilliseconds: settings.refetchMilliseconds,
      counters,
      isTold: () => this.#watch.isLive,
      poll: () => this.#poll(),
    });
    this.#delivery = new Delivery({
      statement,
      cohorts: this.#cohorts,
      skipEmpty: settings.skipEmpty,
      continuity,
      counters,
      onLeft: () => this.#schedule.noteLeft(),
    });
    counters.activePollers++;
  }

  /** Nobody waits for answers any more. A subscription that is stopped before its first one has not left yet. */
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

  /** Adds a subscription; its first answer comes as soon as the database can give it. */
  join(subscriber: Subscriber, query: CohortQuery): void {
    const cohort = this.#cohorts.of(query);
    subscriber.after = this.#runs;
    this.#cohorts.enter(cohort, subscriber);
    this.#newcomers.add(cohort);
    if (this.#firstRuns < mostFirstRuns) void this.#answerNewcomers();
  }

  /** Ends it, and hands over the subscriptions that it had, with their values as they are now. */
  retire(): readonly (readonly [Subscriber, LiveQuery["values"]])[] {
    this.#isRetired = true;
    this.#watch.stop();
    this.#schedule.stop();
    this.#newcomers.clear();
    this.#parts.counters.activePollers--;
    return this.#cohorts.dissolve();
  }

  #forgotten(cohort: Cohort): void {
    this.#newcomers.delete(cohort);
    if (this.#cohorts.size > 0 || this.#isRetired) return;
    this.retire();
    this.#parts.onEmpty();
  }

  /** As many at once as came while the statements before were running. */
  async #answerNewcomers(): Promise<void> {
    this.#firstRuns++;
    while (this.#newcomers.size > 0) {
      const batch = [...this.#newcomers].slice(0, this.#parts.settings.batchSize);
      for (const cohort of batch) this.#newcomers.delete(cohort);
      await this.#run(batch);
      this.#schedule.plan();
    }
    this.#firstRuns--;
  }

  /** @returns whether the database answered, or nobody had to be asked */
  async #poll(): Promise<boolean> {
    const { clock, counters } = this.#parts;
    const started = clock.now();
    const batches = this.#batches();
    const snapshotSeconds = secondsSince(clock, started);
    counters.polls++;
    counters.batches += batches.length;
    const reports = await Promise.all(batches.map((batch) => this.#run(batch)));
    const totalSeconds = secondsSince(clock, started);
    counters.totalTime.add(totalSeconds);
    if (batches.length === 0) return true;
    this.#report({ batches: reports, snapshotSeconds, totalSeconds });
    return reports.some(({ asked }) => asked.outcomes.some(({ kind }) => kind === "row"));
  }

  #report(poll: Pick<PollReport, "batches" | "snapshotSeconds" | "totalSeconds">): void {
    const { onPoll, statement, settings } = this.#parts;
    if (!onPoll) return;
    const { batchSize, refetchMilliseconds } = settings;
    const { subscribers } = this;
    onPoll({ ...poll, pollerId: this.#id, statement, batchSize, refetchMilliseconds, subscribers });
  }

  /** Cohorts with proven values and a subscriber that can take an answer, in equal shares. */
  #batches(): readonly (readonly Cohort[])[] {
    const { batchSize } = this.#parts.settings;
    const wanted = [...this.#cohorts.all()].filter((cohort) => cohort.isWanted);
    const asked = wanted.filter(({ pendingJoins }) => pendingJoins === 0);
    if (asked.length < wanted.length) this.#schedule.noteLeft();
    const proven = asked.filter(({ state }) => state === "proven");
    const count = Math.ceil(proven.length / batchSize);
    const share = Math.ceil(proven.length / Math.max(count, 1));
    const batches = Array.from({ length: count }, (_, i) => proven.slice(i * share, (i + 1) * share));
    const suspects = asked.filter(({ state }) => state === "suspect");
    return [...batches, ...suspects.map((cohort) => [cohort])];
  }

  async #ask(sets: readonly LiveQuery["values"][]): Promise<Asked> {
    const { statement } = this.#parts;
    if (!this.#frontier) return ask(statement, sets, this);
    try {
      return await ask(statement, await this.#frontier.bounded(sets), this);
    } catch (error) {
      return { outcomes: sets.map(() => ({ kind: "failed", error, alone: false })), statements: 0 };
    }
  }

  /** Asks for some cohorts and delivers. */
  async #run(cohorts: readonly Cohort[]): Promise<BatchReport> {
    const { clock, counters, continuity } = this.#parts;
    const settled = continuity.settled();
    if (settled) await settled;
    const run = ++this.#runs;
    const started = clock.now();
    const { sets, indexes } = setsOf(cohorts);
    const asked = await this.#ask(sets);
    counters.statements += asked.statements;
    const databaseSeconds = secondsSince(clock, started);
    counters.databaseTime.add(databaseSeconds);
    const answered = clock.now();
    await continuity.settled();
    const most = cohorts.some(({ joined }) => joined) ? joinedAtOnce : 1;
    await forEachAtOnce(cohorts, most, async (cohort, i) => {
      const outcome = asked.outcomes[indexes[i] ?? i];
      if (outcome?.kind === "row") await this.#take(cohort, outcome.row, run);
      else if (outcome) this.#delivery.fail(cohort, outcome, run);
    });
    return { asked, databaseSeconds, pushSeconds: secondsSince(clock, answered) };
  }

  async #take(cohort: Cohort, row: Row, run: number): Promise<void> {
    // The source is asked to tell of changes once it has answered somebody.
    this.#watch.begin(cohort.values);
    try {
      await this.#delivery.take(cohort, row, run);
    } catch (error) {
      // A mistake of ours ends no poll.
      this.#delivery.fail(cohort, { kind: "failed", error, alone: true }, run);
    }
  }
}

/** Cohorts that differ in what is joined to their rows alone share a set of values. */
function setsOf(cohorts: readonly Cohort[]) {
  const positions = new Map<string, number>();
  const sets: LiveQuery["values"][] = [];
  const indexes = cohorts.map(({ key, values, joined }) => {
    const own = joined ? keyOf({ values }) : key;
    const known = positions.get(own);
    if (known !== undefined) return known;
    positions.set(own, sets.length);
    return sets.push(values) - 1;
  });
  return { sets, indexes };
}

const secondsSince = (clock: Clock, moment: number): number => (clock.now() - moment) / 1000;
