/** When a statement is polled: again and again, at intervals that suit how its polls go. */
import type { Clock } from "./clock.ts";
import type { KindCounting } from "./counters.ts";

/** While a source tells of changes, its polls are a precaution: so many times rarer than the settings say. */
const watchedInterval = 30;
/** While everything fails, polls become rarer: up to so many times the usual interval. */
const longestBackOff = 8;

export interface ScheduleParts {
  readonly clock: Clock;
  /** From the end of one poll to the beginning of the next, in milliseconds. */
  readonly refetchMilliseconds: number;
  readonly counters: KindCounting;
  /** The source tells of changes at present. */
  readonly isTold: () => boolean;
  /** Never rejects. @returns whether the database answered, or nobody had to be asked */
  readonly poll: () => Promise<boolean>;
}

export class PollSchedule {
  readonly #parts: ScheduleParts;
  #cancelTimer: (() => void) | null = null;
  #isPolling = false;
  #isStopped = false;
  #failedPolls = 0;
  /** Something may be left to deliver since the last poll began: a change, more rows, what a client did not take. */
  #isDirty = false;
  #pollEnded: number;

  /** The first interval begins now, but nothing is polled before `plan`. */
  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#pollEnded = parts.clock.now();
  }

  /** Sees to it that there is a next poll. */
  plan(): void {
    if (this.#cancelTimer || this.#isPolling || this.#isStopped) return;
    const { clock } = this.#parts;
    const delay = Math.max(this.#pollEnded + this.#interval() - clock.now(), 0);
    this.#cancelTimer = clock.after(delay, () => {
      this.#cancelTimer = null;
      void this.#poll();
    });
  }

  /** Something is left for the next poll, which must not wait for longer than the settings say. */
  noteLeft(): void {
    this.#isDirty = true;
  }

  /** Brings the next poll forward: as often as the settings allow, and at once where the last one is long ago. */
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
    const isAnswered = await this.#parts.poll();
    this.#isPolling = false;
    this.#pollEnded = this.#parts.clock.now();
    if (this.#isStopped) return;
    this.#noteFailures(isAnswered ? 0 : this.#failedPolls + 1);
    this.plan();
  }

  /** From the end of the last poll to the next one. */
  #interval(): number {
    const { refetchMilliseconds, isTold } = this.#parts;
    if (this.#failedPolls > 0) return refetchMilliseconds * Math.min(2 ** this.#failedPolls, longestBackOff);
    return isTold() && !this.#isDirty ? refetchMilliseconds * watchedInterval : refetchMilliseconds;
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
