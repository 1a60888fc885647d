/**
 * Asks one statement for all subscriptions that share it: at once for those that are new, and again and again for all
 * (`graphql-api.md` 7.5, 7.6; `sql-generation.md` 12). Output: answers to sinks, where they changed.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Continuity } from "../ports/continuity.ts";
import type { ChangeWatch } from "../sources/source.ts";
import type { Caller } from "../values/caller.ts";
import { type Asked, ask, type Outcome } from "./ask.ts";
import type { Clock } from "./clock.ts";
import { Cohort, digestOfError, keyOf, type Subscriber } from "./cohort.ts";
import type { KindCounting } from "./counters.ts";
import { Frontier } from "./frontier.ts";
import type { LiveQuery, LiveStatement } from "./live-query.ts";
import type { BatchReport, PollReport } from "./poll-report.ts";

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

/** So many statements at a time answer newcomers; those who come meanwhile share the next one. */
const mostFirstRuns = 4;
/** So many answers are sent before other work of the server gets its turn. */
const deliveredAtOnce = 200;
/** While a source tells of changes, its polls are a precaution: so many times rarer than the settings say. */
const watchedInterval = 30;
/** While everything fails, polls become rarer: up to so many times the usual interval. */
const longestBackOff = 8;

type Row = Extract<Outcome, { kind: "row" }>["row"];

export class Poller implements Caller {
  readonly #parts: PollerParts;
  readonly #id = randomUUID();
  readonly #cohorts = new Map<string, Cohort>();
  /** Cohorts with subscribers that wait for their first answer. */
  readonly #newcomers = new Set<Cohort>();
  /** Of streams that are held back. */
  readonly #frontier: Frontier | undefined;
  #firstRuns = 0;
  /** Runs are counted, so that an older answer never follows a newer one. */
  #runs = 0;
  #failedPolls = 0;
  /** Since other work had its turn. */
  #delivered = 0;
  #cancelTimer: (() => void) | null = null;
  #isPolling = false;
  #isRetired = false;
  #watching: "not yet" | "asked" | ChangeWatch | null = "not yet";
  /** Something may be left to deliver since the last poll began: a change, more rows, what a client did not take. */
  #isDirty = false;
  #pollEnded = 0;

  constructor(parts: PollerParts) {
    this.#parts = parts;
    this.#pollEnded = parts.clock.now();
    const { source, cursor } = parts.statement;
    this.#frontier = cursor?.frontier && new Frontier(source, cursor.frontier);
    parts.counters.activePollers++;
  }

  /** Nobody waits for answers any more. A subscription that is stopped before its first one has not left yet. */
  get aborted(): boolean {
    if (this.#isRetired) return true;
    for (const { members } of this.#cohorts.values()) {
      for (const { sink } of members) if (sink.aborted !== true) return false;
    }
    return true;
  }

  /** Adds a subscription; its first answer comes as soon as the database can give it. */
  join(subscriber: Subscriber, values: LiveQuery["values"]): void {
    const cohort = this.#cohortOf(values);
    subscriber.after = this.#runs;
    this.#enter(cohort, subscriber);
    this.#newcomers.add(cohort);
    if (this.#firstRuns < mostFirstRuns) void this.#answerNewcomers();
  }

  /** Ends it, and hands over the subscriptions that it had, with their values as they are now. */
  retire(): readonly (readonly [Subscriber, LiveQuery["values"]])[] {
    this.#isRetired = true;
    if (typeof this.#watching === "object") this.#watching?.stop();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#newcomers.clear();
    this.#noteFailures(0);
    const left = [...this.#cohorts.values()].flatMap(({ members, values }) =>
      [...members].map((member) => [member, values] as const),
    );
    for (const [subscriber] of left) subscriber.leave = null;
    for (const { members } of this.#cohorts.values()) members.clear();
    this.#cohorts.clear();
    this.#parts.counters.activePollers--;
    return left;
  }

  #cohortOf(values: LiveQuery["values"]): Cohort {
    const key = keyOf(values);
    let cohort = this.#cohorts.get(key);
    if (!cohort) {
      cohort = new Cohort(key, values);
      this.#cohorts.set(key, cohort);
    }
    return cohort;
  }

  #enter(cohort: Cohort, subscriber: Subscriber): void {
    cohort.members.add(subscriber);
    subscriber.leave = () => {
      cohort.members.delete(subscriber);
      subscriber.leave = null;
      this.#forgetIfEmpty(cohort);
    };
  }

  #forgetIfEmpty(cohort: Cohort): void {
    if (cohort.members.size > 0 || this.#cohorts.get(cohort.key) !== cohort) return;
    this.#cohorts.delete(cohort.key);
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
      this.#schedule();
    }
    this.#firstRuns--;
  }

  #schedule(): void {
    if (this.#cancelTimer || this.#isPolling || this.#isRetired) return;
    const { clock } = this.#parts;
    const delay = Math.max(this.#pollEnded + this.#interval() - clock.now(), 0);
    this.#cancelTimer = clock.after(delay, () => {
      this.#cancelTimer = null;
      void this.#poll();
    });
  }

  /** From the end of the last poll to the next one. */
  #interval(): number {
    const { refetchMilliseconds } = this.#parts.settings;
    if (this.#failedPolls > 0) return refetchMilliseconds * Math.min(2 ** this.#failedPolls, longestBackOff);
    const isTold = typeof this.#watching === "object" && this.#watching?.isLive === true;
    return isTold && !this.#isDirty ? refetchMilliseconds * watchedInterval : refetchMilliseconds;
  }

  /** Brings the next poll forward: as often as the settings allow, and at once where the last one is long ago. */
  #wake(): void {
    this.#isDirty = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#schedule();
  }

  /** Asks the source to tell of changes, once somebody has been answered. */
  async #watch({ values }: Cohort): Promise<void> {
    const { statement, settings } = this.#parts;
    const { source, user, multiplexed } = statement;
    // Functions read what nobody knows.
    const isPossible = settings.watchedSources.has(source.name) && source.watch !== undefined && user === undefined;
    if (this.#watching !== "not yet" || !isPossible) return;
    this.#watching = "asked";
    const onChange = (): void => this.#wake();
    const watch = await source.watch?.(multiplexed, statement.multiplexedValues([values]), onChange).catch(() => null);
    this.#watching = watch ?? null;
    if (this.#isRetired) watch?.stop();
    else this.#wake();
  }

  async #poll(): Promise<void> {
    const { clock, counters } = this.#parts;
    this.#isPolling = true;
    const started = clock.now();
    this.#isDirty = false;
    const batches = this.#batches();
    const snapshotSeconds = secondsSince(clock, started);
    counters.polls++;
    counters.batches += batches.length;
    const reports = await Promise.all(batches.map((batch) => this.#run(batch)));
    const totalSeconds = secondsSince(clock, started);
    counters.totalTime.add(totalSeconds);
    if (batches.length > 0) this.#report({ batches: reports, snapshotSeconds, totalSeconds });
    this.#isPolling = false;
    this.#pollEnded = clock.now();
    if (this.#isRetired) return;
    const isAnswered =
      batches.length === 0 || reports.some(({ asked }) => asked.outcomes.some(({ kind }) => kind === "row"));
    this.#noteFailures(isAnswered ? 0 : this.#failedPolls + 1);
    this.#schedule();
  }

  #report(poll: Pick<PollReport, "batches" | "snapshotSeconds" | "totalSeconds">): void {
    const { onPoll, statement, settings } = this.#parts;
    if (!onPoll) return;
    let subscribers = 0;
    for (const { members } of this.#cohorts.values()) subscribers += members.size;
    const { batchSize, refetchMilliseconds } = settings;
    onPoll({ ...poll, pollerId: this.#id, statement, batchSize, refetchMilliseconds, subscribers });
  }

  /** Cohorts whose values have been taken, and that somebody wants an answer for, in equal shares. */
  #batches(): readonly (readonly Cohort[])[] {
    const { batchSize } = this.#parts.settings;
    const asked = [...this.#cohorts.values()].filter((cohort) => cohort.isWanted);
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
    const asked = await this.#ask(cohorts.map(({ values }) => values));
    counters.statements += asked.statements;
    const databaseSeconds = secondsSince(clock, started);
    counters.databaseTime.add(databaseSeconds);
    const answered = clock.now();
    await continuity.settled();
    for (const [i, cohort] of cohorts.entries()) {
      const outcome = asked.outcomes[i];
      // A mistake of ours ends no poll.
      const failed = (error: unknown): void => this.#fail(cohort, { kind: "failed", error, alone: true }, run);
      if (outcome?.kind === "row") await this.#take(cohort, outcome.row, run).catch(failed);
      else if (outcome) this.#fail(cohort, outcome, run);
    }
    return { asked, databaseSeconds, pushSeconds: secondsSince(clock, answered) };
  }

  async #take(cohort: Cohort, row: Row, run: number): Promise<void> {
    cohort.state = "proven";
    if (this.#watching === "not yet") void this.#watch(cohort);
    if (run < cohort.lastRun) return;
    cohort.lastRun = run;
    if (this.#parts.statement.cursor) await this.#takeStreamed(cohort, row, run);
    else await this.#takeAnswer(cohort, row, run);
  }

  async #takeAnswer(cohort: Cohort, row: Row, run: number): Promise<void> {
    const { statement, settings } = this.#parts;
    if (row === undefined || (settings.skipEmpty && row.every(isEmpty))) {
      for (const member of cohort.members) if (run > member.after) this.#begin(member);
      return;
    }
    const digest = cohort.digestOf(row);
    let answer: string | undefined;
    for (const member of cohort.members) {
      if (run <= member.after) continue;
      if (member.seen !== digest) {
        answer ??= statement.answer(row);
        if (this.#deliver(member, answer)) member.seen = digest;
      }
      this.#begin(member);
      if (this.#isTurnOver()) await this.#giveTurn();
      // A newer answer is being delivered to all of them.
      if (run < cohort.lastRun) return;
    }
  }

  /** Who took the rows goes on after them, together; who could not stays where it was. */
  async #takeStreamed(cohort: Cohort, row: Row, run: number): Promise<void> {
    const { statement } = this.#parts;
    const position = statement.cursor && row?.[statement.cursor.column];
    const rest = row?.filter((_, i) => i !== statement.cursor?.column) ?? [];
    const answer = position === null || position === undefined ? undefined : statement.answer(rest);
    // Those who stand here now: a place that the database writes less exactly than it compares is the same one again.
    for (const member of [...cohort.members]) {
      if (run <= member.after || !cohort.members.has(member)) continue;
      member.seen = null;
      if (answer !== undefined && this.#deliver(member, answer)) {
        // There may be more rows than one batch takes.
        this.#isDirty = true;
        const next = this.#cohortOf(withCursor(cohort.values, statement, position));
        next.state = "proven";
        cohort.members.delete(member);
        this.#enter(next, member);
      }
      this.#begin(member);
      if (this.#isTurnOver()) await this.#giveTurn();
    }
    this.#forgetIfEmpty(cohort);
  }

  #fail(cohort: Cohort, { error, alone }: Extract<Outcome, { kind: "failed" }>, run: number): void {
    this.#parts.counters.failures++;
    if (run < cohort.lastRun) return;
    cohort.lastRun = run;
    cohort.state = alone ? "suspect" : "proven";
    const digest = digestOfError(error);
    for (const member of [...cohort.members]) {
      if (run <= member.after) continue;
      if (member.waiting) {
        const { reject } = member.waiting;
        member.waiting = null;
        member.leave?.();
        reject(error);
      } else if (member.seen !== digest) {
        member.seen = digest;
        member.sink.error(error);
      }
    }
  }

  /** @returns whether the client takes it now */
  #deliver({ sink }: Subscriber, answer: string): boolean {
    const { counters } = this.#parts;
    if (sink.isBusy()) {
      counters.passedOver++;
      this.#isDirty = true;
      return false;
    }
    this.#delivered++;
    counters.results++;
    counters.resultCharacters += answer.length;
    sink.next(answer);
    return true;
  }

  /** Whether so much has been delivered that other work of the server comes first. */
  #isTurnOver(): boolean {
    if (this.#delivered < deliveredAtOnce) return false;
    this.#delivered = 0;
    return true;
  }

  async #giveTurn(): Promise<void> {
    await nextTurn();
    await this.#parts.continuity.settled();
  }

  #begin(member: Subscriber): void {
    member.waiting?.resolve();
    member.waiting = null;
  }

  #noteFailures(count: number): void {
    this.#parts.counters.pollersInErrorState += Math.sign(count) - Math.sign(this.#failedPolls);
    this.#failedPolls = count;
  }
}

const secondsSince = (clock: Clock, moment: number): number => (clock.now() - moment) / 1000;

/** The values of a stream that stands somewhere else. */
export function withCursor(
  values: LiveQuery["values"],
  { cursor }: LiveStatement,
  position: string | null | undefined,
): LiveQuery["values"] {
  return values.map((value, i) => (i === cursor?.value && position !== undefined ? position : value));
}

const isEmpty = (value: string | null): boolean => value === null || value === "null" || value === "[]";
