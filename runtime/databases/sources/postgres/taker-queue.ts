/** Those who wait for a connection, in the order of their arrival; writes may have to wait while reads do not. */
import type { Caller } from "../../../values/caller.ts";
import type { EngineError } from "../../../values/errors.ts";

import type { PostgresConnection } from "./connection.ts";

/** What a connection is taken for. */
export interface Use {
  /** `listen`: it is kept for notifications; `ping`: to see whether the server answers. */
  readonly kind: "read" | "write" | "listen" | "ping";
  /** Who waits for the answer; absent: it runs to its end. */
  readonly caller?: Caller | undefined;
  /** The server cancels each statement that takes longer. */
  readonly limitMilliseconds?: number | undefined;
}

export type TakeCallback = (failure: EngineError | undefined, connection: PostgresConnection | undefined) => void;

export interface Taker {
  readonly use: Use;
  readonly done: TakeCallback;
  /** When it began to wait. */
  readonly since: number;
}

export class TakerQueue {
  #reads: Taker[] = [];
  #writes: Taker[] = [];

  get length(): number {
    return this.#reads.length + this.#writes.length;
  }

  add(taker: Taker): void {
    (taker.use.kind === "write" ? this.#writes : this.#reads).push(taker);
  }

  /** How many could use a connection, when so many more may write. */
  countOf(writes: number): number {
    return this.#reads.length + Math.min(this.#writes.length, writes);
  }

  /** Takes out the one that has waited longest. */
  next(mayWrite: boolean): Taker | undefined {
    const [read] = this.#reads;
    const [write] = mayWrite ? this.#writes : [];
    if (write === undefined || (read !== undefined && read.since <= write.since)) return this.#reads.shift();
    return this.#writes.shift();
  }

  /** Takes out all for which the condition holds. */
  takeWhere(condition: (taker: Taker) => boolean): readonly Taker[] {
    const taken: Taker[] = [];
    const isLeft = (taker: Taker): boolean => !condition(taker) || taken.push(taker) === 0;
    this.#reads = this.#reads.filter(isLeft);
    this.#writes = this.#writes.filter(isLeft);
    return taken;
  }
}
