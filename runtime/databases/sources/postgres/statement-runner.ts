/**
 * Runs statements as transactions of their own, without settings. Reads of one turn are sent together and are retried
 * if their connection is lost.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { DatabaseError } from "pg";
import type { Caller } from "../../../values/caller.ts";
import { cancelledError } from "../cancelled-error.ts";
import type { ByteRow, PreparedStatement, SqlValue, TextRow } from "../source.ts";
import { ByteRows } from "./byte-rows.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { type Step, type StepFailure, validateStep } from "./extended-query.ts";
import type { PreparePolicy } from "./prepare-policy.ts";
import { type Read, ReadBatches, type Sent } from "./read-batches.ts";
import type { PostgresSettings } from "./settings.ts";
import type { Use } from "./waiter-queue.ts";

const readUse: Use = { kind: "read" };
const writeUse: Use = { kind: "write" };

interface Running {
  readonly use: Use;
  /** Number of retries if the connection of a read is lost. */
  readonly retries: number;
  readonly sent?: Sent;
}

function useOf({ caller }: Read): Use {
  return caller === undefined ? readUse : { kind: "read", caller };
}

/** Returns the use of a batch, which is cancelled if the callers of all its reads have disconnected. */
function useOfAll(reads: readonly Read[]): Use {
  const caller: Caller = {
    get aborted() {
      return reads.every((read) => read.caller?.aborted);
    },
  };
  return { kind: "read", caller };
}

export class StatementRunner {
  readonly #parts: SourceParts;
  readonly #batches = new ReadBatches((reads, sent) => this.#runTogether(reads, sent));

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  read(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly TextRow[]> {
    return new Promise((resolve, reject) => this.#batches.add({ statement, values, caller, resolve, reject }));
  }

  readBytes(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly ByteRow[]> {
    return new Promise((resolve, reject) => {
      const byteRows = new ByteRows();
      this.#batches.add({ statement, values, caller, byteRows, resolve: () => resolve(byteRows.rows), reject });
    });
  }

  write(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.#run({ statement, values }, { use: writeUse, retries: 0 });
  }

  ping(): Promise<unknown> {
    const statement: PreparedStatement = { text: "select 1", onlyReads: true };
    return this.#run({ statement, values: [] }, { use: { kind: "ping" }, retries: this.#parts.settings.retries });
  }

  #run(
    { statement, values, byteRows }: Pick<Read, "statement" | "values" | "byteRows">,
    running: Running,
  ): Promise<readonly TextRow[]> {
    const form = byteRows && { byteRows };
    return new Promise((resolve, reject) => this.#runAlone({ statement, values, ...form, resolve, reject }, running));
  }

  #step({ statement, values, byteRows }: Read): Step {
    const step = this.#parts.policy.step(statement, values, true);
    return byteRows === undefined ? step : byteRows.stepOf(step);
  }

  /**
   * Runs one statement. Most requests take this path, which uses callbacks because each additional promise has a
   * measurable cost.
   */
  #runAlone(read: Read, running: Running): void {
    this.#parts.pool.take(running.use, (unreachable, connection) => {
      if (connection === undefined) {
        read.reject(unreachable);
        return;
      }
      const step = this.#step(read);
      const completed = running.sent?.();
      connection.run([step], (failure, [rows = []]) => {
        completed?.();
        if (failure !== undefined) {
          this.#recoverRead(connection, failure, read, running);
          return;
        }
        this.#parts.pool.give(connection);
        read.resolve(rows);
      });
    });
  }

  /** Runs reads on one connection, sent in one write, each in its own transaction. */
  #runTogether(reads: readonly Read[], sent: Sent): void {
    const { retries } = this.#parts.settings;
    const [only] = reads;
    if (only && reads.length === 1) {
      this.#runAlone(only, { use: useOf(only), retries, sent });
      return;
    }
    if (reads.some((read) => validateStep(read) !== undefined)) {
      for (const read of reads) this.#runAlone(read, { use: useOf(read), retries });
      return;
    }
    this.#parts.pool.take(useOfAll(reads), (unreachable, connection) => {
      if (connection === undefined) {
        for (const { reject } of reads) reject(unreachable);
        return;
      }
      const steps = reads.map((read) => this.#step(read));
      const batch = new BatchFailures(connection, this.#parts.policy);
      const completed = sent(() => batch.cancel());
      connection.runEach(steps, (i, failure, rows) => {
        const read = reads[i];
        if (read === undefined) return;
        completed();
        if (failure === undefined) read.resolve(rows);
        else batch.add(read, failure);
        if (i < reads.length - 1) return;
        this.#parts.pool.give(connection, connection.isLost);
        for (const each of batch.failures) this.#recoverFromBatch(connection, each);
      });
    });
  }

  #recoverFromBatch(connection: PostgresConnection, { read, failure, retry }: BatchFailure): void {
    const { retries } = this.#parts.settings;
    const use = useOf(read);
    if (read.caller?.aborted) read.reject(cancelledError());
    else if (retry === "now") this.#runAlone(read, { use, retries });
    else if (retry === "otherConnection" && retries > 0)
      void nextTurn().then(() => this.#runAlone(read, { use, retries: retries - 1 })); // as in `#recover`
    else read.reject(connection.translate(failure, "graphql"));
  }

  #recoverRead(connection: PostgresConnection, failure: StepFailure, read: Read, { use, retries }: Running): void {
    const mayRepeat = retries > 0 && !read.caller?.aborted && (failure.isUndone || read.statement.onlyReads);
    const retry = mayRepeat ? () => this.#run(read, { use, retries: retries - 1 }) : undefined;
    const reject = (error: unknown): void => read.reject(read.caller?.aborted ? cancelledError() : error);
    this.#recover(connection, failure, retry).then(read.resolve, reject);
  }

  /**
   * Handles a failed statement: retries it if possible, returns the connection, translates the error.
   * @param retry runs the statement on another connection; `undefined` if it must not run twice
   */
  async #recover(
    connection: PostgresConnection,
    failure: StepFailure,
    retry: (() => Promise<readonly TextRow[]>) | undefined,
  ): Promise<readonly TextRow[]> {
    const replacement = this.#parts.policy.replacement(connection, failure);
    let final = failure;
    if (replacement !== undefined) {
      try {
        const rows = await connection.runSteps([replacement]);
        this.#parts.pool.give(connection);
        return rows;
      } catch (error) {
        if (error instanceof StepError) final = error.failure;
      }
    }
    const lost = connection.isLostBy(final.error);
    this.#parts.pool.give(connection, lost);
    // The second attempt was sent and may have run.
    const mayRepeat = final === failure || final.isUndone;
    if (!lost || retry === undefined || !mayRepeat) throw connection.translate(final, "graphql");
    // when the server shuts down, the pool's other connections report their loss in the same turn
    await nextTurn();
    return await retry();
  }
}

// Failed reads of one batch, and those among them that certainly did not run and may be retried.

interface BatchFailure {
  readonly read: Read;
  readonly failure: StepFailure;
  /**
   * Set if the read may be retried: `now` or on another connection, because this one is lost. Absent: the failure
   * is final.
   */
  readonly retry?: "now" | "otherConnection";
}

/** Timeout of a cancel request in milliseconds. */
const cancelMilliseconds = 5000;

class BatchFailures {
  readonly #connection: PostgresConnection;
  readonly #policy: PreparePolicy;
  readonly #failures: BatchFailure[] = [];
  /** Names whose Parse failed, so that later statements of the batch did not find them. */
  readonly #failedNames = new Set<string>();
  #isCancelled = false;
  /** The server reported that it closes the connection, so the statements that follow do not run. */
  #isEnded = false;

  constructor(connection: PostgresConnection, policy: PreparePolicy) {
    this.#connection = connection;
    this.#policy = policy;
  }

  get failures(): readonly BatchFailure[] {
    return this.#failures;
  }

  /** Cancels the statement that blocks the other statements of the batch. It is rolled back and retried. */
  cancel(): void {
    this.#isCancelled = true;
    void this.#connection.cancel(cancelMilliseconds);
  }

  add(read: Read, failure: StepFailure): void {
    const retry = this.#retryOf(failure, read.statement.onlyReads === true);
    if (failure.step.name !== undefined) this.#failedNames.add(failure.step.name);
    this.#failures.push({ read, failure, ...(retry !== undefined && { retry }) });
  }

  #retryOf(failure: StepFailure, onlyReads: boolean): BatchFailure["retry"] {
    const { error, isUndone, step } = failure;
    if (this.#connection.isLostBy(error)) {
      const isAfterEnd = this.#isEnded;
      this.#isEnded ||= isUndone && error instanceof DatabaseError;
      return isUndone || isAfterEnd || onlyReads ? "otherConnection" : undefined;
    }
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === "57014" && isUndone && this.#isCancelled) return "now";
    if (code === "26000" && isUndone && step.name !== undefined && this.#failedNames.has(step.name)) return "now";
    return this.#policy.replacement(this.#connection, failure) === undefined ? undefined : "now";
  }
}

/** The shared parts with which a source runs statements. */
export interface SourceParts {
  readonly settings: PostgresSettings;
  readonly pool: ConnectionPool;
  readonly policy: PreparePolicy;
}
