/**
 * The time limit of one operation. Databases cancel what takes longer; whoever waits for a read is told at once, and is
 * the caller of nothing that has not begun by then.
 */
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";

export class Deadline implements Caller {
  readonly #limit: number;
  readonly #caller: Caller | undefined;
  readonly #end: number;

  /** @param milliseconds `undefined`: there is no limit */
  static of(milliseconds: number | undefined, caller?: Caller): Deadline | undefined {
    return milliseconds === undefined ? undefined : new Deadline(milliseconds, caller);
  }

  /** Begins now. */
  constructor(milliseconds: number, caller?: Caller) {
    this.#limit = milliseconds;
    this.#caller = caller;
    this.#end = performance.now() + milliseconds;
  }

  /** The time is over, or the caller is gone. */
  get aborted(): boolean {
    return performance.now() >= this.#end || this.#caller?.aborted === true;
  }

  /** How long a database may take for a statement that begins now, in whole milliseconds; at least one. */
  timeoutMilliseconds(): number {
    return Math.max(1, Math.ceil(this.#end - performance.now()));
  }

  /** @throws EngineError when the time is over */
  check(): void {
    if (performance.now() >= this.#end) throw this.#exceeded();
  }

  /**
   * Returns the error of the limit if a statement failed because its time was over: cancelled by the database (500), or
   * before it had a connection (499). Returns every other error as it is.
   */
  explain(error: unknown): unknown {
    const isCancelled = error instanceof EngineError && (error.status === 500 || error.status === 499);
    return isCancelled && performance.now() >= this.#end ? this.#exceeded() : error;
  }

  /** Waits for a read, but no longer than the limit. */
  async race<T>(read: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#exceeded()), Math.max(0, this.#end - performance.now()));
    });
    try {
      return await Promise.race([read, end]);
    } catch (error) {
      throw this.explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #exceeded(): EngineError {
    return new EngineError("time-limit-exceeded", "$", `time limit of ${this.#limit / 1000} seconds exceeded`);
  }
}
