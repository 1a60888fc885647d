/**
 * Small reads that arrive in one turn of the event loop share a connection: they are sent in one write and mostly
 * answered in one, which costs both sides a fraction of what a message each costs. Every read runs its own statement in
 * a transaction of its own: none sees another's settings, or fails with it, and no answer is used twice.
 *
 * A read waits for those before it in its batch, so only statements that were quick before are sent together. One that
 * takes long all the same, because it is slow for some values or waits for a lock, is cancelled if others wait behind
 * it. It runs again by itself once the server has rolled it back, and goes alone for a while.
 */
import type { Caller } from "../../../values/caller.ts";
import type { PreparedStatement, SqlValue, TextRow } from "../source.ts";

/** A statement, and who waits for its rows. */
export interface Read {
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
  readonly caller?: Caller | undefined;
  readonly resolve: (rows: readonly TextRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * To be called when a batch is on its way; what it returns, when a read of it is answered, in their order.
 * @param cancel cancels the read that runs now; it runs again by itself. Absent where nothing else is in the batch
 */
export type Sent = (cancel?: () => void) => () => void;

/** Runs reads on one connection. */
export type RunReads = (reads: readonly Read[], sent: Sent) => void;

/** Reads in one batch at most. */
const largestBatch = 8;
/** In milliseconds: what takes longer goes alone. */
const quick = 1;
/** What the statements of a batch may take together, in milliseconds, by what each took before. */
const budget = 2;
/** In milliseconds: a batch that takes longer holds others up. */
const tooLong = 50;
/**
 * How long a statement that held up a batch goes alone, in milliseconds: this long, where a busy machine may have been
 * the cause; twice as long as before when it does so again soon.
 */
const timeAlone = 50;
const longestTimeAlone = 1000;
/** In milliseconds. */
const soon = 5000;

/** What is known of a statement. */
interface Experience {
  /**
   * About the shortest time of recent runs, in milliseconds: the others mostly waited for a processor. Falls at once,
   * rises slowly, in case the statement has become slower.
   */
  shortest: number;
  /** It goes alone until then, by the clock of `performance.now`. */
  aloneUntil: number;
  /** For how long it went alone the last time, in milliseconds. */
  timeAlone: number;
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
    this.#run(batch, (cancel) => {
      const start = performance.now();
      let answered = 0;
      const guard = cancel && this.#guard(batch, () => answered, cancel);
      return () => {
        answered++;
        if (answered < batch.length) return;
        guard?.stop();
        const each = (performance.now() - start) / batch.length;
        for (const { statement } of batch) this.#learn(statement, each);
      };
    });
  }

  /** Frees the reads of a batch that wait for a slow one. */
  #guard(batch: readonly Read[], answered: () => number, cancel: () => void): { readonly stop: () => void } {
    let timer: NodeJS.Timeout;
    let seen = 0;
    const free = (): void => {
      const slow = answered();
      // The last one holds nobody up.
      if (slow >= batch.length - 1) return;
      const experience = slow === seen ? this.#experiences.get((batch[slow] as Read).statement) : undefined;
      if (experience) {
        sendAlone(experience);
        cancel();
      }
      seen = slow;
      wait();
    };
    const wait = (): void => {
      // After the events that are ready by then: after a long pause the answer may be among them.
      timer = setTimeout(() => setImmediate(free), tooLong);
    };
    wait();
    return { stop: () => clearTimeout(timer) };
  }

  #learn(statement: PreparedStatement, milliseconds: number): void {
    const known = this.#experiences.get(statement);
    if (known === undefined) this.#experiences.set(statement, { shortest: milliseconds, aloneUntil: 0, timeAlone: 0 });
    else known.shortest = Math.min(milliseconds, known.shortest + (milliseconds - known.shortest) * rise);
  }
}

function sendAlone(experience: Experience): void {
  const now = performance.now();
  const isAgain = experience.timeAlone > 0 && now - experience.aloneUntil < soon;
  experience.timeAlone = isAgain ? Math.min(experience.timeAlone * 2, longestTimeAlone) : timeAlone;
  experience.aloneUntil = now + experience.timeAlone;
}
