/**
 * Small reads that arrive in one turn of the event loop share a connection: they are sent in one write and answered in
 * one, which costs both sides a fraction of what a message each costs. Every read still runs its own statement; none is
 * merged with another and no answer is used twice.
 *
 * A read is answered with the last of its batch, so only statements that were quick before are sent together. A batch
 * that takes long all the same, because a statement is slow for some values or waits for a lock, holds nobody up for
 * longer than a moment: its reads run again by themselves, whichever answer is first counts, and its statements go alone
 * for a while.
 */
import type { Caller } from "../../support/caller.ts";
import type { PreparedStatement, SqlValue, TextRow } from "../source.ts";

/** A statement that may run again, and who waits for its rows. */
export interface Read {
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
  readonly caller?: Caller | undefined;
  readonly resolve: (rows: readonly TextRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs reads on one connection; calls `sent` when they are on their way, and what it returns when all are answered. */
export type RunReads = (reads: readonly Read[], sent: () => () => void) => void;

/** Reads in one batch at most. */
const largestBatch = 8;
/** In milliseconds: what takes longer goes alone. */
const quick = 1;
/** What the statements of a batch may take together, in milliseconds, by what each took before. */
const budget = 2;
/** In milliseconds: a batch that takes longer holds others up. */
const tooLong = 50;
/** How long the statements of such a batch go alone, in milliseconds. */
const timeAlone = 1000;

/** What is known of a statement. */
interface Experience {
  /**
   * About the shortest time of recent runs, in milliseconds: the others mostly waited for a processor. Falls at once,
   * rises slowly, in case the statement has become slower.
   */
  shortest: number;
  /** It goes alone until then, by the clock of `performance.now`. */
  aloneUntil: number;
}

/** The share of the difference by which `shortest` follows longer runs. */
const rise = 0.01;

export class ReadBatches {
  readonly #run: RunReads;
  /** Statements are those of kept plans; what is planned for one request alone is never seen twice. */
  readonly #experiences = new WeakMap<PreparedStatement, Experience>();
  #waiting: Read[] = [];

  constructor(run: RunReads) {
    this.#run = run;
  }

  add(read: Read): void {
    const experience = this.#experiences.get(read.statement);
    if (experience === undefined || experience.shortest > quick || experience.aloneUntil > performance.now()) {
      this.#send([read]);
      return;
    }
    // After the events that are ready now, among them the other requests.
    if (this.#waiting.push(read) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    let batch: Read[] = [];
    let cost = 0;
    for (const read of reads) {
      const { shortest = 0 } = this.#experiences.get(read.statement) ?? {};
      if (batch.length === largestBatch || (batch.length > 0 && cost + shortest > budget)) {
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
    this.#run(batch, () => {
      const start = performance.now();
      const guard = batch.length > 1 ? this.#guard(batch) : undefined;
      return () => {
        guard?.();
        const each = (performance.now() - start) / batch.length;
        for (const { statement } of batch) this.#learn(statement, each);
      };
    });
  }

  /** Frees the reads of a batch that takes too long; to be called when it is answered. */
  #guard(batch: readonly Read[]): () => void {
    let answered = false;
    const free = (): void => {
      if (answered) return;
      const aloneUntil = performance.now() + timeAlone;
      for (const read of batch) {
        const experience = this.#experiences.get(read.statement);
        if (experience) experience.aloneUntil = aloneUntil;
        this.#send([read]);
      }
    };
    // After the events that are ready by then: after a long pause the answer may be among them.
    const timer = setTimeout(() => setImmediate(free), tooLong);
    return () => {
      answered = true;
      clearTimeout(timer);
    };
  }

  #learn(statement: PreparedStatement, milliseconds: number): void {
    const known = this.#experiences.get(statement);
    if (known === undefined) this.#experiences.set(statement, { shortest: milliseconds, aloneUntil: 0 });
    else known.shortest = Math.min(milliseconds, known.shortest + (milliseconds - known.shortest) * rise);
  }
}
