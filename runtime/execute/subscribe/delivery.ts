/** Delivers the results of a cohort to the subscribers that have not received them yet. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { asText } from "../../databases/sources/byte-reads.ts";
import type { ByteValues } from "../../databases/sources/source.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { Recorder } from "../../ports/metrics.ts";
import { textSize } from "../../values/response-text.ts";
import { type Cohort, type Cohorts, digestOfError, digestOfPartial, type Subscriber } from "./cohort.ts";
import type { MutableKindCounters } from "./counters.ts";
import { earliestCommit, type Run } from "./lag.ts";
import type { JoinedResult, LiveQuery, LiveResult, LiveStatement } from "./live-query.ts";
import type { Outcome, Row } from "./run-batch.ts";
import type { Clock } from "./schedule.ts";

/** Number of results to deliver before yielding to the event loop. */
const deliveriesPerTurn = 200;

export interface DeliveryParts {
  readonly statement: LiveStatement;
  readonly cohorts: Cohorts;
  /** If true, results in which every field is null or an empty list are not delivered. */
  readonly skipEmpty: boolean;
  readonly continuity: Continuity;
  readonly counters: MutableKindCounters;
  readonly clock: Clock;
  /** Measures the lag of each delivered result except the first, in seconds. */
  readonly lag: Recorder;
  /** Called if something remains to deliver: more rows, or a result that a slow consumer did not receive. */
  readonly onUndelivered: () => void;
}

export class Delivery {
  readonly #parts: DeliveryParts;
  /** Number of results delivered since the last yield. */
  #delivered = 0;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Delivers a result. Results of older runs are dropped. */
  async deliverRow(cohort: Cohort, row: Row, run: Run): Promise<void> {
    cohort.state = "proven";
    if (run.number < cohort.lastRun) return;
    cohort.lastRun = run.number;
    if (this.#parts.statement.cursor) await this.#deliverRows(cohort, row, run);
    else await this.#deliverResult(cohort, row, run);
  }

  /** Rejects subscribers that wait for their first result; sends the error once to all other subscribers. */
  fail(cohort: Cohort, { error, alone }: Extract<Outcome, { kind: "failed" }>, run: number): void {
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

  async #deliverResult(cohort: Cohort, row: Row, run: Run): Promise<void> {
    const { skipEmpty } = this.#parts;
    if (row === undefined || (skipEmpty && row.every(isEmpty))) {
      for (const member of cohort.members) if (run.number > member.after) resolveCurrent(member, run);
      return;
    }
    const digest = cohort.digestOf(row);
    let result: LiveResult | undefined;
    let seen = digest;
    for (const member of cohort.members) {
      if (run.number <= member.after) continue;
      if (member.seen !== digest) {
        if (result === undefined) {
          result = await this.#resultOf(cohort, row);
          // A partial digest makes the next poll retry the failed joins.
          if (result.errors.length > 0) seen = digestOfPartial(result);
          // During the join, subscribers may have left or a newer result may have arrived.
          if (run.number < cohort.lastRun) return;
          if (!cohort.members.has(member)) continue;
        }
        if (member.seen !== seen && this.#deliver(member, result, run)) member.seen = seen;
      }
      if (member.seen === seen || member.seen === digest) resolveCurrent(member, run);
      else resolveFirst(member);
      if (this.#mustYield()) await this.#yieldTurn();
      // A newer result replaces this one.
      if (run.number < cohort.lastRun) return;
    }
  }

  /**
   * Moves subscribers that received the rows to the cohort of the next position; slow consumers stay in this cohort.
   */
  async #deliverRows(cohort: Cohort, row: Row, run: Run): Promise<void> {
    const { statement, cohorts, onUndelivered } = this.#parts;
    const columns = row === undefined ? 0 : row.length - (statement.cursor?.values.length ?? 0);
    const position = asText(row?.slice(columns) ?? []);
    const isEmpty = (position[0] ?? null) === null;
    const result = isEmpty || row === undefined ? undefined : await this.#resultOf(cohort, row.slice(0, columns));
    // Iterates over a copy: if a cursor loses precision as text, a subscriber may be moved to the cohort that it came
    // from.
    for (const member of [...cohort.members]) {
      if (run.number <= member.after || !cohort.members.has(member)) continue;
      member.seen = null;
      if (result === undefined) {
        resolveCurrent(member, run);
        continue;
      }
      if (this.#deliver(member, result, run)) {
        // The lag of rows beyond the batch size counts from this batch.
        member.currentAt = run.asOf;
        // There may be more rows than the batch size.
        onUndelivered();
        const values = withCursor(cohort.values, statement, position);
        const next = cohorts.of({ values, ...(cohort.joined && { joined: cohort.joined }) });
        next.state = "proven";
        cohort.members.delete(member);
        cohorts.enter(next, member);
      }
      resolveFirst(member);
      if (this.#mustYield()) await this.#yieldTurn();
    }
    cohorts.removeIfEmpty(cohort);
  }

  #resultOf(cohort: Cohort, row: ByteValues): LiveResult | Promise<LiveResult> {
    if (cohort.joined) return joinedResult(cohort, cohort.joined, row);
    return { data: this.#parts.statement.encode(row), errors: [] };
  }

  /**
   * Sends a result.
   * @returns false if the client is slow
   */
  #deliver({ sink, currentAt }: Subscriber, { data, errors }: LiveResult, run: Run): boolean {
    const { counters, clock, lag, onUndelivered } = this.#parts;
    if (sink.isBusy()) {
      counters.passedOver++;
      onUndelivered();
      return false;
    }
    this.#delivered++;
    counters.results++;
    counters.resultBytes += textSize(data);
    if (errors.length > 0) sink.next(data, errors);
    else sink.next(data);
    if (currentAt !== null) lag.record((clock.now() - earliestCommit(currentAt, run.report)) / 1000);
    return true;
  }

  #mustYield(): boolean {
    if (this.#delivered < deliveriesPerTurn) return false;
    this.#delivered = 0;
    return true;
  }

  async #yieldTurn(): Promise<void> {
    await nextTurn();
    await this.#parts.continuity.settled();
  }
}

async function joinedResult(cohort: Cohort, joined: JoinedResult, row: ByteValues): Promise<LiveResult> {
  cohort.pendingJoins++;
  try {
    return await joined.join(asText(row), cohort);
  } finally {
    cohort.pendingJoins--;
  }
}

/**
 * Returns the values of a stream with another position.
 * @param position its first columns; the others are unchanged
 */
export function withCursor(
  values: LiveQuery["values"],
  { cursor }: LiveStatement,
  position: LiveQuery["values"],
): LiveQuery["values"] {
  return position.reduce<LiveQuery["values"]>((changed, column, i) => {
    const index = cursor?.values[i];
    return index === undefined ? changed : changed.with(index, column);
  }, values);
}

function resolveCurrent(member: Subscriber, { asOf }: Run): void {
  member.currentAt = asOf;
  resolveFirst(member);
}

/** Resolves a subscriber that waits for its first result. */
function resolveFirst(member: Subscriber): void {
  member.waiting?.resolve();
  member.waiting = null;
}

/** The longest of the texts that `isEmpty` accepts. */
const maxEmptyLength = 4;

function isEmpty(value: ByteValues[number]): boolean {
  if (value === null || value.length > maxEmptyLength) return value === null;
  const text = value.toString();
  return text === "null" || text === "[]";
}
