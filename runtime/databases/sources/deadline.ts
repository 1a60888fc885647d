/**
 * The time limit of one operation. Databases cancel statements that exceed it. Callers of a read get the error
 * immediately, and steps that have not started by then are skipped.
 */
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";

export class Deadline implements Caller {
  readonly #limit: number;
  readonly #caller: Caller | undefined;
  readonly #end: number;

  /**
   * Creates a deadline.
   * @param milliseconds `undefined` for no limit
   */
  static of(milliseconds: number | undefined, caller?: Caller): Deadline | undefined {
    return milliseconds === undefined ? undefined : new Deadline(milliseconds, caller);
  }

  /** Starts the deadline now. */
  constructor(milliseconds: number, caller?: Caller) {
    this.#limit = milliseconds;
    this.#caller = caller;
    this.#end = performance.now() + milliseconds;
  }

  /** True if the time has expired or the caller has disconnected. */
  get aborted(): boolean {
    return performance.now() >= this.#end || this.#caller?.aborted === true;
  }

  /** Returns the timeout of a statement that starts now, in whole milliseconds and at least 1. */
  timeoutMilliseconds(): number {
    return Math.max(1, Math.ceil(this.#end - performance.now()));
  }

  /**
   * Throws if the time has expired.
   * @throws EngineError `time-limit-exceeded`
   */
  check(): void {
    if (performance.now() >= this.#end) throw this.#exceeded();
  }

  /**
   * Returns the error of the limit if a statement failed because its time had expired: cancelled by the database (500),
   * or before it had a connection (499). Returns every other error unchanged.
   */
  explain(error: unknown): unknown {
    const isCancelled = error instanceof EngineError && (error.status === 500 || error.status === 499);
    return isCancelled && performance.now() >= this.#end ? this.#exceeded() : error;
  }

  /**
   * Waits for a read until the deadline.
   * @throws EngineError `time-limit-exceeded`
   */
  race<T>(read: Promise<T>): Promise<T> {
    // One promise for each read: `Promise.race` and `finally` would add several microtasks to every request.
    return new Promise((resolve, reject) => {
      const remaining = Math.max(0, this.#end - performance.now());
      const timer = setTimeout(() => reject(this.#exceeded()), remaining);
      read.then(
        (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(this.explain(error));
        },
      );
    });
  }

  #exceeded(): EngineError {
    return new EngineError("time-limit-exceeded", "$", `time limit of ${this.#limit / 1000} seconds exceeded`);
  }
}
