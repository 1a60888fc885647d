/**
 * Runs one statement in a transaction with its own settings, sent in one write. Messages before one Sync form one
 * transaction that ends with it, unless they begin one explicitly (PostgreSQL documentation, "Pipelining"), so BEGIN
 * and COMMIT are omitted if they would change nothing.
 */
import { cancelledError } from "../cancelled-error.ts";
import type { ErrorTable, PreparedStatement, SqlValue, TextRow, TransactionOptions } from "../source.ts";
import type { ByteRows } from "./byte-rows.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Step, StepFailure } from "./extended-query.ts";
import { commit, openingSteps, settingSteps } from "./opening-steps.ts";
import { isolationLevels, type PostgresSettings } from "./settings.ts";
import type { SourceParts } from "./statement-runner.ts";
import type { Use } from "./waiter-queue.ts";

/** @param byteRows receives the rows as bytes; the promise then resolves without rows */
export function runAlone(
  parts: SourceParts,
  options: TransactionOptions,
  statement: PreparedStatement,
  values: readonly SqlValue[],
  byteRows?: ByteRows,
): Promise<readonly TextRow[]> {
  const { settings, pool, policy } = parts;
  const errors = options.errors ?? "graphql";
  const steps = (begins: boolean): readonly Step[] => {
    const opening = begins ? openingSteps(settings, options) : settingSteps(settings, options);
    const all = opening.map((step) => policy.own(step, true));
    const step = policy.step(statement, values, true);
    all.push(byteRows ? byteRows.stepOf(step) : step);
    if (begins) all.push(policy.own(commit, true));
    return all;
  };
  return new Promise((resolve, reject) => {
    pool.take(useFor(options), (unreachable, connection) => {
      if (connection === undefined) {
        reject(unreachable);
        return;
      }
      const refuse = (error: unknown): void => {
        pool.give(connection);
        reject(error);
      };
      const run = () => {
        const begins = !isDefault(settings, options, connection);
        connection.run(steps(begins), (failure, results) => {
          if (failure === undefined) {
            pool.give(connection);
            resolve(results.at(-1) ?? []);
          } else {
            const fail = (error: unknown): void => reject(options.caller?.aborted ? cancelledError() : error);
            const rerun = () => steps(begins);
            undo(parts, connection, { failure, begins, rerun }, errors).then(resolve, fail);
          }
        });
      };
      const waiting = (): void => {
        const permitted = options.beforeSending?.();
        if (permitted === undefined) run();
        else permitted.then(run, refuse);
      };
      connection.withDefaults(waiting);
    });
  });
}

/**
 * Returns true if an implicit transaction has the requested properties. A transaction with a time limit needs COMMIT:
 * work at the end of an implicit transaction, such as deferred constraints, is not subject to the limit.
 */
function isDefault(
  settings: PostgresSettings,
  { readOnly, isolation, timeoutMilliseconds }: TransactionOptions,
  { defaults }: PostgresConnection,
): boolean {
  if (settings.readOnly || readOnly || isolation !== undefined || defaults === undefined) return false;
  if (timeoutMilliseconds !== undefined) return false;
  return !defaults.readOnly && defaults.isolation === isolationLevels[settings.isolation];
}

interface FailedBatch {
  readonly failure: StepFailure;
  /** The transaction was begun explicitly and remains open. */
  readonly begins: boolean;
  readonly rerun: () => readonly Step[];
}

/** Handles a failed batch: rolls back, reruns it if only a name was rejected, and returns the connection. */
async function undo(
  { pool, policy }: SourceParts,
  connection: PostgresConnection,
  { failure, begins, rerun }: FailedBatch,
  errors: ErrorTable,
): Promise<readonly TextRow[]> {
  let final = failure;
  const undoTransaction = async (): Promise<void> => {
    if (begins) await connection.runText("ROLLBACK");
  };
  try {
    if (!connection.isLostBy(failure.error)) {
      await undoTransaction();
      if (policy.replacement(connection, failure) !== undefined) return await connection.runSteps(rerun());
    }
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    final = error.failure;
    if (!connection.isLostBy(final.error)) await undoTransaction().catch(() => undefined); // closed below if lost
  } finally {
    await giveBack(pool, connection, false);
  }
  throw connection.translate(final, errors);
}

// Derives the use of a connection from the options of its transaction.

/**
 * Returns the use of the connection. Only a query has a caller and may be cancelled, although it may call functions
 * that write.
 */
export function useFor({ readOnly = false, caller, timeoutMilliseconds: limitMilliseconds }: TransactionOptions): Use {
  return { kind: readOnly || caller !== undefined ? "read" : "write", caller, limitMilliseconds };
}

// Returns a dedicated connection to the pool, or closes it.

/**
 * Returns the connection to the pool. Connections inside a transaction, and sessions changed by administrators' SQL
 * that cannot be reset, are closed instead.
 */
export async function giveBack(pool: ConnectionPool, connection: PostgresConnection, ranText: boolean): Promise<void> {
  let usable = !connection.isLost && connection.getTransactionStatus() === "I";
  if (usable && ranText) {
    try {
      await connection.discardSession();
    } catch {
      usable = false;
    }
  }
  pool.give(connection, !usable);
}
