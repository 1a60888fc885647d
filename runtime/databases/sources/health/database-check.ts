/**
 * Whether a database answers, for probes. However many probes come, the database gets one statement a second at most,
 * and no probe waits longer than the deadline.
 */
import type { DatabaseState } from "../../../ports/health.ts";
import { EngineError } from "../../../values/errors.ts";
import { within } from "../../../values/within.ts";

export interface CheckedDatabase {
  /** Sends a statement that does nothing; rejects where that fails. */
  ask(): Promise<unknown>;
  /** Counts the statements that were answered to others. Absent: nobody counts. */
  answered?(): number;
}

/** In milliseconds: what was found out is good for so long. */
const fresh = 1000;
/** In milliseconds: a database that takes longer does not answer. */
const deadline = 2000;

const ready: DatabaseState = { error: null };
const silent: DatabaseState = {
  error: { code: "timeout", message: `no answer within ${deadline / 1000} seconds` },
};

export class DatabaseCheck {
  readonly #database: CheckedDatabase;
  /** The statement under way, which may outlive several checks. */
  #asking: Promise<DatabaseState> | undefined;
  #checking: Promise<DatabaseState> | undefined;
  #found: { readonly state: DatabaseState; readonly at: number } | undefined;

  constructor(database: CheckedDatabase) {
    this.#database = database;
  }

  /** Never rejects. */
  state(): Promise<DatabaseState> {
    if (this.#found && performance.now() - this.#found.at < fresh) return Promise.resolve(this.#found.state);
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<DatabaseState> {
    const before = this.#database.answered?.();
    const state = await within(this.#ask(), deadline, undefined);
    // The statement of the check may wait for a connection while all of them are busy answering others.
    const isBusy = state === undefined && this.#database.answered?.() !== before;
    const found = state ?? (isBusy ? ready : silent);
    this.#found = { state: found, at: performance.now() };
    return found;
  }

  #ask(): Promise<DatabaseState> {
    this.#asking ??= this.#database
      .ask()
      .then(() => ready, unready)
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}

/** Only what every administrator may see: driver texts name hosts. */
export function unready(error: unknown): DatabaseState {
  if (error instanceof EngineError) return { error: { code: error.code, message: error.message } };
  return { error: { code: "unexpected", message: "connection error" } };
}
