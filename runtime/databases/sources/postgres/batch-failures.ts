/** The reads of one batch that failed, and which of them certainly did not run and may be sent again. */
import { DatabaseError } from "pg";
import type { PostgresConnection } from "./connection.ts";
import type { StepFailure } from "./extended-query.ts";
import type { PreparePolicy } from "./prepare-policy.ts";
import type { Read } from "./read-batches.ts";

export interface BatchFailure {
  readonly read: Read;
  readonly failure: StepFailure;
  /** Whether it may run again: `elsewhere`, because its connection is lost; absent: the failure is its answer. */
  readonly again?: "now" | "elsewhere";
}

/** In milliseconds: how long the server may take for a cancel request. */
const cancelMilliseconds = 5000;

export class BatchFailures {
  readonly #connection: PostgresConnection;
  readonly #policy: PreparePolicy;
  readonly #failures: BatchFailure[] = [];
  /** Names whose preparation failed, so that later statements of the batch did not find them. */
  readonly #failedNames = new Set<string>();
  #isCancelled = false;
  /** The server reported that it ends the connection: it does not come to the statements that follow. */
  #isEnded = false;

  constructor(connection: PostgresConnection, policy: PreparePolicy) {
    this.#connection = connection;
    this.#policy = policy;
  }

  get failures(): readonly BatchFailure[] {
    return this.#failures;
  }

  /** Cancels the statement that holds up the others. It is rolled back, and runs again by itself. */
  cancel(): void {
    this.#isCancelled = true;
    void this.#connection.cancel(cancelMilliseconds);
  }

  add(read: Read, failure: StepFailure): void {
    const again = this.#again(failure, read.statement.onlyReads === true);
    if (failure.step.name !== undefined) this.#failedNames.add(failure.step.name);
    this.#failures.push({ read, failure, ...(again !== undefined && { again }) });
  }

  #again(failure: StepFailure, onlyReads: boolean): BatchFailure["again"] {
    const { error, isUndone, step } = failure;
    if (this.#connection.isLostBy(error)) {
      const isUnreached = this.#isEnded;
      this.#isEnded ||= isUndone && error instanceof DatabaseError;
      return isUndone || isUnreached || onlyReads ? "elsewhere" : undefined;
    }
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === "57014" && isUndone && this.#isCancelled) return "now";
    if (code === "26000" && isUndone && step.name !== undefined && this.#failedNames.has(step.name)) return "now";
    return this.#policy.instead(this.#connection, failure) === undefined ? undefined : "now";
  }
}
