/**
 * Statements that are transactions of their own, without any settings. Reads of one turn go to the server together, and
 * are repeated where their connection is lost.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Caller } from "../../../values/caller.ts";
import { cancelledError } from "../cancelled-error.ts";
import type { PreparedStatement, SqlValue, TextRow } from "../source.ts";
import { type BatchFailure, BatchFailures } from "./batch-failures.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import { mistakeIn, type StepFailure } from "./extended-query.ts";
import { type Read, ReadBatches, type Sent } from "./read-batches.ts";
import type { SourceParts } from "./source-parts.ts";
import type { Use } from "./taker-queue.ts";

const readUse: Use = { kind: "read" };
const writeUse: Use = { kind: "write" };

/** How a statement runs. */
interface Running {
  readonly use: Use;
  /** How often a read whose connection was lost is repeated. */
  readonly retries: number;
  readonly sent?: Sent;
}

function useOf({ caller }: Read): Use {
  return caller === undefined ? readUse : { kind: "read", caller };
}

/** A batch is cancelled when nobody waits for any of it. */
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

  write(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.#run({ statement, values }, { use: writeUse, retries: 0 });
  }

  ping(): Promise<unknown> {
    const statement: PreparedStatement = { text: "select 1", onlyReads: true };
    return this.#run({ statement, values: [] }, { use: { kind: "ping" }, retries: this.#parts.settings.retries });
  }

  #run({ statement, values }: Pick<Read, "statement" | "values">, running: Running): Promise<readonly TextRow[]> {
    return new Promise((resolve, reject) => this.#runAlone({ statement, values, resolve, reject }, running));
  }

  /** The path of most requests: callbacks, because each promise more costs a measurable part of a small statement. */
  #runAlone(read: Read, running: Running): void {
    this.#parts.pool.take(running.use, (unreachable, connection) => {
      if (connection === undefined) {
        read.reject(unreachable);
        return;
      }
      const step = this.#parts.policy.step(read.statement, read.values, true);
      const answered = running.sent?.();
      connection.run([step], (failure, [rows = []]) => {
        answered?.();
        if (failure !== undefined) {
          this.#recoverRead(connection, failure, read, running);
          return;
        }
        this.#parts.pool.give(connection);
        read.resolve(rows);
      });
    });
  }

  /** Runs reads on one connection, sent in one write, each a transaction of its own. */
  #runTogether(reads: readonly Read[], sent: Sent): void {
    const { retries } = this.#parts.settings;
    const [only] = reads;
    if (only && reads.length === 1) {
      this.#runAlone(only, { use: useOf(only), retries, sent });
      return;
    }
    if (reads.some((read) => mistakeIn(read) !== undefined)) {
      for (const read of reads) this.#runAlone(read, { use: useOf(read), retries });
      return;
    }
    this.#parts.pool.take(useOfAll(reads), (unreachable, connection) => {
      if (connection === undefined) {
        for (const { reject } of reads) reject(unreachable);
        return;
      }
      const steps = reads.map(({ statement, values }) => this.#parts.policy.step(statement, values, true));
      const batch = new BatchFailures(connection, this.#parts.policy);
      const answered = sent(() => batch.cancel());
      connection.runEach(steps, (i, failure, rows) => {
        const read = reads[i];
        if (read === undefined) return;
        answered();
        if (failure === undefined) read.resolve(rows);
        else batch.add(read, failure);
        if (i < reads.length - 1) return;
        this.#parts.pool.give(connection, connection.isLost);
        for (const each of batch.failures) this.#recoverFromBatch(connection, each);
      });
    });
  }

  #recoverFromBatch(connection: PostgresConnection, { read, failure, again }: BatchFailure): void {
    const { retries } = this.#parts.settings;
    const use = useOf(read);
    if (read.caller?.aborted) read.reject(cancelledError());
    else if (again === "now") this.#runAlone(read, { use, retries });
    else if (again === "elsewhere" && retries > 0)
      void nextTurn().then(() => this.#runAlone(read, { use, retries: retries - 1 })); // as in `#recover`
    else read.reject(connection.translate(failure, "graphql"));
  }

  #recoverRead(connection: PostgresConnection, failure: StepFailure, read: Read, { use, retries }: Running): void {
    const mayRepeat = retries > 0 && !read.caller?.aborted && (failure.isUndone || read.statement.onlyReads);
    const again = mayRepeat ? () => this.#run(read, { use, retries: retries - 1 }) : undefined;
    const reject = (error: unknown): void => read.reject(read.caller?.aborted ? cancelledError() : error);
    this.#recover(connection, failure, again).then(read.resolve, reject);
  }

  /**
   * After a failed statement: repeats it where that can help, gives the connection back, translates the error.
   * @param again runs it on another connection; absent: it must not run twice
   */
  async #recover(
    connection: PostgresConnection,
    failure: StepFailure,
    again: (() => Promise<readonly TextRow[]>) | undefined,
  ): Promise<readonly TextRow[]> {
    const instead = this.#parts.policy.instead(connection, failure);
    let final = failure;
    if (instead !== undefined) {
      try {
        const rows = await connection.runSteps([instead]);
        this.#parts.pool.give(connection);
        return rows;
      } catch (error) {
        if (error instanceof StepError) final = error.failure;
      }
    }
    const lost = connection.isLostBy(final.error);
    this.#parts.pool.give(connection, lost);
    // The second attempt was sent for certain, and may have run.
    const mayRepeat = final === failure || final.isUndone;
    if (!lost || again === undefined || !mayRepeat) throw connection.translate(final, "graphql");
    // when the server went away, the pool hears of its other connections in the same turn
    await nextTurn();
    return await again();
  }
}
