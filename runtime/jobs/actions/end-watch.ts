/**
 * Waits for asynchronous calls to end. One statement checks all calls that clients of this instance wait for: once a
 * second, and after a notification that calls have ended on this or another instance.
 */

import { EngineError } from "../../values/errors.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { Sleep } from "../delivery/sleep.ts";
import { runningStatement } from "./statements.ts";

/** Polling interval in milliseconds. */
const interval = 1000;

export interface Wait {
  /** Resolves when the call has ended or has been deleted. Never rejects. */
  readonly ended: Promise<void>;
  /** Stops waiting. */
  cancel(): void;
}

export class EndWatch {
  readonly #database: AutomationDatabase;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #sleep = new Sleep();
  #polling: Promise<void> | undefined;

  constructor(database: AutomationDatabase) {
    this.#database = database;
  }

  /**
   * Returns a wait for a call.
   * @param id of a call that has not ended, in the form that the database returns
   */
  wait(id: string): Wait {
    let resolve = (): void => undefined;
    const ended = new Promise<void>((done) => {
      resolve = done;
    });
    const others = this.#waiting.get(id);
    if (others) others.add(resolve);
    else this.#waiting.set(id, new Set([resolve]));
    // The call may have ended since it was last read.
    this.wake();
    return { ended, cancel: () => this.#forget(id, resolve) };
  }

  /** Polls immediately: some calls may have ended. */
  wake(): void {
    if (this.#waiting.size === 0) return;
    this.#sleep.wake();
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
  }

  /** Resolves all waits. */
  stop(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolves of waiting) for (const resolve of resolves) resolve();
    this.#sleep.wake();
  }

  async #poll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting.keys()];
      const running = await this.#runningOf(ids);
      for (const id of ids) {
        if (running.has(id)) continue;
        const resolves = this.#waiting.get(id) ?? [];
        this.#waiting.delete(id);
        for (const resolve of resolves) resolve();
      }
      if (this.#waiting.size > 0) await this.#sleep.sleep(interval);
    }
  }

  /** Returns the ids of running calls. If the database is unreachable, all calls count as running. */
  async #runningOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      const rows = await this.#database.query(runningStatement, [ids]);
      return new Set(rows.map(({ id }) => String(id)));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return new Set(ids);
    }
  }

  #forget(id: string, resolve: () => void): void {
    const resolves = this.#waiting.get(id);
    if (!resolves?.delete(resolve) || resolves.size > 0) return;
    this.#waiting.delete(id);
    this.#sleep.wake();
  }
}
