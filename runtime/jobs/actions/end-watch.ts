/**
 * Waits for calls to end. All that an instance waits for is asked for by one statement: when some calls are told to have
 * ended, here or by another instance, and once a second.
 */

import { EngineError } from "../../values/errors.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { Sleep } from "../delivery/sleep.ts";
import { runningStatement } from "./statements.ts";

/** In milliseconds. */
const interval = 1000;

export interface Wait {
  /** Resolves when the call has ended or is gone; never rejects. */
  readonly ended: Promise<void>;
  /** Nobody waits any more. */
  cancel(): void;
}

export class EndWatch {
  readonly #database: AutomationDatabase;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #sleep = new Sleep();
  #looking: Promise<void> | undefined;

  constructor(database: AutomationDatabase) {
    this.#database = database;
  }

  /** @param id of a call that has not ended, as the database writes it */
  wait(id: string): Wait {
    let resolve = (): void => undefined;
    const ended = new Promise<void>((done) => {
      resolve = done;
    });
    const others = this.#waiting.get(id);
    if (others) others.add(resolve);
    else this.#waiting.set(id, new Set([resolve]));
    // It may have ended since it was looked at.
    this.wake();
    return { ended, cancel: () => this.#forget(id, resolve) };
  }

  /** Some calls may have ended. */
  wake(): void {
    if (this.#waiting.size === 0) return;
    this.#sleep.wake();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  /** Whoever waits is let go. */
  stop(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolves of waiting) for (const resolve of resolves) resolve();
    this.#sleep.wake();
  }

  async #look(): Promise<void> {
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

  /** A database that does not answer has ended nothing. */
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
