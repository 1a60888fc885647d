/**
 * Runs migrations one after the other and marks each on the server. A step is marked as unfinished before its SQL runs:
 * SQL and mark may be in different databases, so that none of the two can vouch for the other when the tool is killed.
 */
import { EngineError } from "../../values/errors.ts";
import type { CallMetadata } from "../project/client.ts";
import type { AppliedState } from "./applied-state.ts";
import { type MigrationStep, sqlOf } from "./plan.ts";
import { locateSqlFailure } from "./sql-failure.ts";
import type { SqlFile } from "./sql-file.ts";
import type { TargetDatabase } from "./target-databases.ts";

export interface RunOptions {
  /** Only mark. */
  readonly skipExecution: boolean;
  /** Each file in one transaction. */
  readonly transaction: boolean;
  /** Whether the server looks if its metadata still fits; by the words of the SQL when absent. */
  readonly checkMetadata?: boolean;
  /** Throws when somebody else has taken over. */
  readonly ensureAlone: () => void;
  readonly onStep: (database: TargetDatabase, step: MigrationStep) => void;
}

/** @throws EngineError which file and line failed, what was applied before it, and what was not */
export async function runSteps(
  call: CallMetadata,
  state: AppliedState,
  database: TargetDatabase,
  steps: readonly MigrationStep[],
  options: RunOptions,
): Promise<void> {
  // Whatever is missing is found before anything is run.
  if (!options.skipExecution) {
    for (const step of steps) sqlOf(step);
    if (steps.length > 0) await requireAnswer(call, database);
  }
  for (const [index, step] of steps.entries()) {
    options.ensureAlone();
    try {
      await runStep(call, state, database, step, options);
    } catch (error) {
      throw failure(error, database, steps, index, options);
    }
    options.onStep(database, step);
  }
}

/** A database that is away is told before a step is marked: nobody has to look whether it was run. */
async function requireAnswer(call: CallMetadata, { name, kind }: TargetDatabase): Promise<void> {
  const { type } = sqlOperations[kind] ?? sqlOperations.postgres;
  const args = { source: name, sql: "select 1", read_only: true };
  try {
    await call({ endpoint: "/v2/query", type, args });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `the database ${name} does not answer, nothing was run on it: ${error.message}`;
    throw new EngineError("connection error", "$", message, { status: 500, cause: error });
  }
}

async function runStep(
  call: CallMetadata,
  state: AppliedState,
  database: TargetDatabase,
  step: MigrationStep,
  options: RunOptions,
): Promise<void> {
  const { migration, action } = step;
  const { version, replaces } = migration;
  const sql = options.skipExecution ? undefined : sqlOf(step);
  const before = state.of(database.name).get(version);
  if (sql !== undefined) {
    await state.change(database.name, (versions) => versions.set(version, true));
    try {
      await runSqlFile(call, database, sql, options);
    } catch (error) {
      if (!isUnknown(error) && options.transaction) {
        await state.change(database.name, (versions) => {
          if (before === undefined) versions.delete(version);
          else versions.set(version, before);
        });
      }
      throw locateSqlFailure(error, sql);
    }
  }
  await state.change(database.name, (versions) => {
    if (action === "down") versions.delete(version);
    else versions.set(version, false);
    if (action === "adopt") for (const replaced of replaces.keys()) versions.delete(replaced);
  });
}

/** The connection of the tool or of the server ended, or the server failed after it: the SQL may have been committed. */
function isUnknown(error: unknown): boolean {
  return !(error instanceof EngineError) || error.code === "connection error" || error.status >= 500;
}

interface SqlOperation {
  readonly type: string;
  /** Whether it can leave out the transaction. */
  readonly optionalTransaction: boolean;
}

const sqlOperations: { readonly postgres: SqlOperation; readonly [kind: string]: SqlOperation } = {
  postgres: { type: "run_sql", optionalTransaction: true },
  mssql: { type: "mssql_run_sql", optionalTransaction: false },
};

/** Runs a file on a database, in one call. */
export async function runSqlFile(
  call: CallMetadata,
  database: TargetDatabase,
  { sql }: SqlFile,
  { transaction, checkMetadata }: Pick<RunOptions, "transaction" | "checkMetadata">,
): Promise<void> {
  const { type, optionalTransaction } = sqlOperations[database.kind] ?? sqlOperations.postgres;
  await call({
    endpoint: "/v2/query",
    type,
    args: {
      source: database.name,
      sql,
      ...(checkMetadata !== undefined && { check_metadata_consistency: checkMetadata }),
      ...(!transaction && optionalTransaction && { no_transaction: true }),
    },
  });
}

function failure(
  error: unknown,
  { name }: TargetDatabase,
  steps: readonly MigrationStep[],
  index: number,
  { transaction }: RunOptions,
): unknown {
  if (!(error instanceof EngineError)) return error;
  const list = (some: readonly MigrationStep[]) =>
    some.length === 0 ? "none" : some.map(({ migration, action }) => `${migration.version} (${action})`).join(", ");
  const [failed] = steps.slice(index);
  const undone = transaction
    ? "its transaction was rolled back"
    : "what it had run before stays, and it is marked as unfinished";
  const what = isUnknown(error) ? "whether it was applied is not known: it is marked as unfinished" : undone;
  const message = [
    error.message,
    `migration ${failed?.migration.version} of ${name} failed: ${what}`,
    `applied before it: ${list(steps.slice(0, index))}; not applied: ${list(steps.slice(index + 1))}`,
  ].join("\n");
  return new EngineError(error.code, error.path, message, { cause: error });
}
