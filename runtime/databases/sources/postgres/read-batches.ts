/**
 * Batches small reads that arrive in one turn of the event loop: they are sent in one write and usually get one
 * response, which costs both sides a fraction of the cost of separate messages. Every read runs its own statement in
 * its own transaction, so reads share neither settings nor failures, and no result is reused.
 *
 * A read waits for the reads before it in the batch, so only statements that were fast before are batched. A statement
 * that is nevertheless slow, because of its values or a lock, is cancelled if other reads wait for it. It is retried
 * after the server has rolled it back, and is sent alone for a while.
 */
import type { Caller } from "../../../values/caller.ts";
import type { PreparedStatement, SqlValue, TextRow } from "../source.ts";
import type { ByteRows } from "./byte-rows.ts";

/** A read and its callbacks. */
export interface Read {
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
  readonly caller?: Caller | undefined;
  /** Receives the rows as bytes; `resolve` then receives none. */
  readonly byteRows?: ByteRows;
  readonly resolve: (rows: readonly TextRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Called when a batch has been sent. Returns a function to call for each completed read, in order.
 * @param cancel cancels the running read, which is then retried; absent if the batch has only one read
 */
export type Sent = (cancel?: () => void) => () => void;

/** Runs reads on one connection. */
export type RunReads = (reads: readonly Read[], sent: Sent) => void;

/** Maximum number of reads in a batch. */
const maxBatchSize = 8;
/** Maximum duration in milliseconds of a batched statement. Slower statements are sent alone. */
const quick = 1;
/** Maximum total duration of a batch in milliseconds, estimated from earlier runs. */
const budget = 2;
/** Duration in milliseconds after which a batch is considered blocked. */
const blockedAfter = 50;
/**
 * Time in milliseconds for which a statement that blocked a batch is sent alone. Short at first, because a busy machine
 * may be the cause; doubled if the statement blocks again soon.
 */
const timeAlone = 50;
const maxTimeAlone = 1000;
/** Period in milliseconds after `aloneUntil` in which another block counts as a recurrence. */
const recurrencePeriod = 5000;

interface Statistics {
  /**
   * Estimate of the shortest recent duration in milliseconds; longer runs mostly waited for a processor. Falls
   * immediately and rises slowly, in case the statement has become slower.
   */
  shortest: number;
  /** Time until which the statement is sent alone, on the clock of `performance.now`. */
  aloneUntil: number;
  /** Length in milliseconds of the last period in which the statement was sent alone. */
  timeAlone: number;
}

/** The fraction by which `shortest` approaches the duration of a longer run. */
const rise = 0.01;

export class ReadBatches {
  readonly #run: RunReads;
  /** Keyed by the statements of cached plans. A statement planned for one request is never seen again. */
  readonly #statistics = new WeakMap<PreparedStatement, Statistics>();
  #waiting: Read[] = [];

  constructor(run: RunReads) {
    this.#run = run;
  }

  add(read: Read): void {
    const statistics = this.#statistics.get(read.statement);
    if (statistics === undefined || statistics.shortest > quick || statistics.aloneUntil > performance.now()) {
      this.#send([read]);
      return;
    }
    // Runs after the events that are ready now, including other requests.
    if (this.#waiting.push(read) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    let batch: Read[] = [];
    let cost = 0;
    for (const read of reads) {
      const { shortest = 0 } = this.#statistics.get(read.statement) ?? {};
      if (batch.length === maxBatchSize || (batch.length > 0 && cost + shortest > budget)) {
        this.#send(batch);
        batch = [];
        cost = 0;
      }
      batch.push(read);
      cost += shortest;
    }
    this.#send(batch);
  }

  #send(batch: readonly Read[]): void {
    this.#run(batch, (cancel) => {
      const start = performance.now();
      let completed = 0;
      const guard = cancel && this.#guard(batch, () => completed, cancel);
      return () => {
        completed++;
        if (completed < batch.length) return;
        guard?.stop();
        const each = (performance.now() - start) / batch.length;
        for (const { statement } of batch) this.#learn(statement, each);
      };
    });
  }

  /** Cancels a slow read that blocks the other reads of its batch. */
  #guard(batch: readonly Read[], completed: () => number, cancel: () => void): { readonly stop: () => void } {
    let timer: NodeJS.Timeout;
    let seen = 0;
    const free = (): void => {
      const slow = completed();
      // The last read blocks no other read.
      if (slow >= batch.length - 1) return;
      const statistics = slow === seen ? this.#statistics.get((batch[slow] as Read).statement) : undefined;
      if (statistics) {
        sendAlone(statistics);
        cancel();
      }
      seen = slow;
      wait();
    };
    const wait = (): void => {
      // Runs after the events that are ready by then, because after a long pause the response may be among them.
      timer = setTimeout(() => setImmediate(free), blockedAfter);
    };
    wait();
    return { stop: () => clearTimeout(timer) };
  }

  #learn(statement: PreparedStatement, milliseconds: number): void {
    const known = this.#statistics.get(statement);
    if (known === undefined) this.#statistics.set(statement, { shortest: milliseconds, aloneUntil: 0, timeAlone: 0 });
    else known.shortest = Math.min(milliseconds, known.shortest + (milliseconds - known.shortest) * rise);
  }
}

function sendAlone(statistics: Statistics): void {
  const now = performance.now();
  const isRecurrence = statistics.timeAlone > 0 && now - statistics.aloneUntil < recurrencePeriod;
  statistics.timeAlone = isRecurrence ? Math.min(statistics.timeAlone * 2, maxTimeAlone) : timeAlone;
  statistics.aloneUntil = now + statistics.timeAlone;
}
