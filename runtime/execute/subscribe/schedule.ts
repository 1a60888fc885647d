import type { MutableKindCounters } from "./counters.ts";

/** Factor of the interval while the source reports changes and polls are only a safeguard. */
const watchedInterval = 30;
/** Maximum multiple of the interval after failed polls. */
const maxBackOff = 8;

export interface ScheduleParts {
  readonly clock: Clock;
  /** Milliseconds from the end of one poll to the start of the next. */
  readonly refetchMilliseconds: number;
  readonly counters: MutableKindCounters;
  /** Returns true while the source reports its changes. */
  readonly isWatched: () => boolean;
  /**
   * Polls once. Never rejects.
   * @returns false if all variable sets failed
   */
  readonly poll: () => Promise<boolean>;
}

export class PollSchedule {
  readonly #parts: ScheduleParts;
  #cancelTimer: (() => void) | null = null;
  #isPolling = false;
  #isStopped = false;
  #failedPolls = 0;
  /**
   * Set if there may be something to deliver: a change, more rows, or a result that a slow consumer did not receive.
   */
  #isDirty = false;
  #pollEnded: number;

  /** Starts the first interval. The first poll is scheduled only by `plan`. */
  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#pollEnded = parts.clock.now();
  }

  /** Schedules the next poll, unless it is scheduled or running. */
  plan(): void {
    if (this.#cancelTimer || this.#isPolling || this.#isStopped) return;
    const { clock } = this.#parts;
    const delay = Math.max(this.#pollEnded + this.#interval() - clock.now(), 0);
    this.#cancelTimer = clock.after(delay, () => {
      this.#cancelTimer = null;
      void this.#poll();
    });
  }

  /** Makes the next poll use the configured interval, because something remains to deliver. */
  noteUndelivered(): void {
    this.#isDirty = true;
  }

  /** Runs the next poll as soon as the configured interval has passed since the last one. */
  wake(): void {
    this.#isDirty = true;
    this.#cancel();
    this.plan();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#noteFailures(0);
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#isDirty = false;
    const hasSucceeded = await this.#parts.poll();
    this.#isPolling = false;
    this.#pollEnded = this.#parts.clock.now();
    if (this.#isStopped) return;
    this.#noteFailures(hasSucceeded ? 0 : this.#failedPolls + 1);
    this.plan();
  }

  /** Returns the time from the end of the last poll to the next one. */
  #interval(): number {
    const { refetchMilliseconds, isWatched } = this.#parts;
    if (this.#failedPolls > 0) return refetchMilliseconds * Math.min(2 ** this.#failedPolls, maxBackOff);
    return isWatched() && !this.#isDirty ? refetchMilliseconds * watchedInterval : refetchMilliseconds;
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #noteFailures(count: number): void {
    this.#parts.counters.pollersInErrorState += Math.sign(count) - Math.sign(this.#failedPolls);
    this.#failedPolls = count;
  }
}

/** The clock that polling uses, replaceable in tests. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /**
   * Calls once after a delay.
   * @returns a function that cancels the call
   */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    // Clients with subscriptions have open sockets, which keep the process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
