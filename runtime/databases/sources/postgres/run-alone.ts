/**
 * One statement in a transaction with settings of its own, all sent together. What is sent before one Sync is one
 * transaction, which ends with it, unless it begins one itself (PostgreSQL documentation, "Pipelining"): so BEGIN and
 * COMMIT are left out where they would say nothing else.
 */
import { cancelledError } from "../cancelled-error.ts";
import type { ErrorTable, PreparedStatement, SqlValue, TextRow, TransactionOptions } from "../source.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { Step, StepFailure } from "./extended-query.ts";
import { giveBack } from "./give-back.ts";
import { commit, openingSteps, settingSteps } from "./opening-steps.ts";
import { isolationLevels, type PostgresSettings } from "./settings.ts";
import type { SourceParts } from "./source-parts.ts";
import { useFor } from "./use-for.ts";

export function runAlone(
  parts: SourceParts,
  options: TransactionOptions,
  statement: PreparedStatement,
  values: readonly SqlValue[],
): Promise<readonly TextRow[]> {
  const { settings, pool, policy } = parts;
  const errors = options.errors ?? "graphql";
  const steps = (begins: boolean): readonly Step[] => {
    const opening = begins ? openingSteps(settings, options) : settingSteps(settings, options);
    const all = opening.map((step) => policy.own(step, true));
    all.push(policy.step(statement, values, true));
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
            const again = () => steps(begins);
            undo(parts, connection, { failure, begins, again }, errors).then(resolve, fail);
          }
        });
      };
      const waiting = (): void => {
        const permitted = options.beforeSending?.();
        if (permitted === undefined) run();
        else permitted.then(run, refuse);
      };
      connection.whenDefaultsAreKnown(waiting);
    });
  });
}

/**
 * Whether a transaction that nothing was said of is the one that is asked for. One with a time limit says COMMIT: what
 * is left until then, as deferred constraints, has no limit when a Sync ends it.
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
  /** Its transaction stays open until it is told to end. */
  readonly begins: boolean;
  readonly again: () => readonly Step[];
}

/** After a failed batch: runs it once more where only a name was refused, and never hands on an open transaction. */
async function undo(
  { pool, policy }: SourceParts,
  connection: PostgresConnection,
  { failure, begins, again }: FailedBatch,
  errors: ErrorTable,
): Promise<readonly TextRow[]> {
  let final = failure;
  const undoTransaction = async (): Promise<void> => {
    if (begins) await connection.runText("ROLLBACK");
  };
  try {
    if (!connection.isLostBy(failure.error)) {
      await undoTransaction();
      if (policy.instead(connection, failure) !== undefined) return await connection.runSteps(again());
    }
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    final = error.failure;
    if (!connection.isLostBy(final.error)) await undoTransaction().catch(() => undefined); // or it is ended below
  } finally {
    await giveBack(pool, connection, false);
  }
  throw connection.translate(final, errors);
}
