/**
 * Checks a database for health probes. The database receives at most one statement per second, however many probes
 * arrive, and no probe waits longer than the deadline.
 */
import type { DatabaseState } from "../../../ports/health.ts";
import { EngineError } from "../../../values/errors.ts";
import { within } from "../../../values/timer.ts";

export interface CheckedDatabase {
  /** Sends a trivial statement. Rejects if it fails. */
  sendStatement(): Promise<unknown>;
  /** Returns the number of statements completed for other callers. Absent if they are not counted. */
  completed?(): number;
}

/** Time in milliseconds for which a result is reused. */
const maxAge = 1000;
/** Timeout in milliseconds. */
const deadline = 2000;

const ready: DatabaseState = { error: null };
const silent: DatabaseState = {
  error: { code: "timeout", message: `no response within ${deadline / 1000} seconds` },
};

export class DatabaseCheck {
  readonly #database: CheckedDatabase;
  /** The statement in flight, which may outlast several checks. */
  #inFlight: Promise<DatabaseState> | undefined;
  #checking: Promise<DatabaseState> | undefined;
  #found: { readonly state: DatabaseState; readonly at: number } | undefined;

  constructor(database: CheckedDatabase) {
    this.#database = database;
  }

  /** Returns the state of the database. Never rejects. */
  state(): Promise<DatabaseState> {
    if (this.#found && performance.now() - this.#found.at < maxAge) return Promise.resolve(this.#found.state);
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<DatabaseState> {
    const before = this.#database.completed?.();
    const state = await within(this.#query(), deadline, undefined);
    // The statement may wait for a connection while all connections serve other callers.
    const isBusy = state === undefined && this.#database.completed?.() !== before;
    const found = state ?? (isBusy ? ready : silent);
    this.#found = { state: found, at: performance.now() };
    return found;
  }

  #query(): Promise<DatabaseState> {
    this.#inFlight ??= this.#database
      .sendStatement()
      .then(() => ready, unready)
      .finally(() => {
        this.#inFlight = undefined;
      });
    return this.#inFlight;
  }
}

/** Converts an error to the state shown to administrators. Driver messages are omitted because they name hosts. */
export function unready(error: unknown): DatabaseState {
  if (error instanceof EngineError) return { error: { code: error.code, message: error.message } };
  return { error: { code: "unexpected", message: "connection error" } };
}
