/** One statement in a transaction with settings of its own, sent together with what begins and ends the transaction. */
import { cancelledError } from "../cancelled-error.ts";
import type { ErrorTable, PreparedStatement, SqlValue, TextRow, TransactionOptions } from "../source.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { Step, StepFailure } from "./extended-query.ts";
import { giveBack } from "./give-back.ts";
import { commit, named, openingSteps } from "./opening-steps.ts";
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
  const steps = (connection: PostgresConnection) => {
    const step = policy.step(statement, values, true);
    if (isDefault(settings, options, connection)) return [step];
    return [...openingSteps(settings, options).map((each) => named(policy, each)), step, named(policy, commit)];
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
      const run = () =>
        connection.run(steps(connection), (failure, results) => {
          if (failure === undefined) {
            pool.give(connection);
            resolve(results.at(-1) ?? []);
          } else {
            const fail = (error: unknown): void => reject(options.caller?.aborted ? cancelledError() : error);
            undo(parts, connection, failure, () => steps(connection), errors).then(resolve, fail);
          }
        });
      const waiting = (): void => {
        const permitted = options.beforeSending?.();
        if (permitted === undefined) run();
        else permitted.then(run, refuse);
      };
      connection.whenDefaultsAreKnown(waiting);
    });
  });
}

/** Whether a statement on its own is the transaction that is asked for. */
function isDefault(
  settings: PostgresSettings,
  { user, traceContext, readOnly, isolation, timeoutMilliseconds }: TransactionOptions,
  { defaults }: PostgresConnection,
): boolean {
  if (settings.readOnly || user !== undefined || readOnly || isolation !== undefined || defaults === undefined)
    return false;
  if (timeoutMilliseconds !== undefined || traceContext !== undefined) return false;
  return !defaults.readOnly && defaults.isolation === isolationLevels[settings.isolation];
}

/** After a failed batch: runs it once more where only a name was refused, and never hands on an open transaction. */
async function undo(
  { pool, policy }: SourceParts,
  connection: PostgresConnection,
  failure: StepFailure,
  steps: () => readonly Step[],
  errors: ErrorTable,
): Promise<readonly TextRow[]> {
  let final = failure;
  const undoTransaction = async (): Promise<void> => {
    if (steps().length > 1) await connection.runText("ROLLBACK");
  };
  try {
    if (!connection.isLostBy(failure.error)) {
      await undoTransaction();
      if (policy.instead(connection, failure) !== undefined) return await connection.runSteps(steps());
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
