/** Callers that wait for a connection, in order of arrival. Writes may wait while reads are served. */
import type { Caller } from "../../../values/caller.ts";
import type { EngineError } from "../../../values/errors.ts";

import type { PostgresConnection } from "./connection.ts";

/** The purpose for which a connection is taken. */
export interface Use {
  /** `listen`: kept for notifications. `ping`: health check. */
  readonly kind: "read" | "write" | "listen" | "ping";
  /** Caller whose disconnection cancels the statement; absent if the statement runs to completion. */
  readonly caller?: Caller | undefined;
  /** Statement timeout on the server. */
  readonly limitMilliseconds?: number | undefined;
}

export type TakeCallback = (failure: EngineError | undefined, connection: PostgresConnection | undefined) => void;

export interface Waiter {
  readonly use: Use;
  readonly done: TakeCallback;
  /** Start of the wait. */
  readonly since: number;
}

export class WaiterQueue {
  #reads: Waiter[] = [];
  #writes: Waiter[] = [];

  get length(): number {
    return this.#reads.length + this.#writes.length;
  }

  add(waiter: Waiter): void {
    (waiter.use.kind === "write" ? this.#writes : this.#reads).push(waiter);
  }

  /**
   * Returns the number of waiters that could use a connection.
   * @param writes number of additional connections that writes may use
   */
  countOf(writes: number): number {
    return this.#reads.length + Math.min(this.#writes.length, writes);
  }

  /** Removes and returns the waiter that has waited longest. */
  next(mayWrite: boolean): Waiter | undefined {
    const [read] = this.#reads;
    const [write] = mayWrite ? this.#writes : [];
    if (write === undefined || (read !== undefined && read.since <= write.since)) return this.#reads.shift();
    return this.#writes.shift();
  }

  /** Removes and returns all waiters that match. */
  takeWhere(condition: (waiter: Waiter) => boolean): readonly Waiter[] {
    const taken: Waiter[] = [];
    const isLeft = (waiter: Waiter): boolean => !condition(waiter) || taken.push(waiter) === 0;
    this.#reads = this.#reads.filter(isLeft);
    this.#writes = this.#writes.filter(isLeft);
    return taken;
  }
}
