/**
 * Runs migrations in sequence and marks each one on the server. A step is marked as unfinished before its SQL runs: the
 * mark and the SQL may be in different databases, so that one transaction cannot cover both.
 */
import { EngineError } from "../../values/errors.ts";
import type { CallMetadata } from "../project/client.ts";
import type { AppliedState } from "./applied-state.ts";
import { type MigrationStep, sqlOf } from "./plan.ts";
import { locateSqlFailure, needsTransaction, type SqlFile } from "./sql-failure.ts";
import type { TargetDatabase } from "./target-databases.ts";

export interface RunOptions {
  /** If true, migrations are marked without running them. */
  readonly skipExecution: boolean;
  /** If true, each file runs in one transaction, unless its first line states otherwise. */
  readonly transaction: boolean;
  /**
   * If true, the server checks its metadata after the SQL, and renames follow into it; by default, if the SQL may change
   * the schema. `lenient` runs SQL that the check refuses without it.
   */
  readonly checkMetadata?: boolean | "lenient";
  /** If true, metadata objects that depend on dropped tables and columns are dropped too. */
  readonly cascade?: boolean;
  /** Throws if the lock has been lost. */
  readonly ensureAlone: () => void;
  readonly onStep: (database: TargetDatabase, step: MigrationStep) => void;
}

/** @throws EngineError with the file and line of the failure, and lists of applied and remaining migrations */
export async function runSteps(
  call: CallMetadata,
  state: AppliedState,
  database: TargetDatabase,
  steps: readonly MigrationStep[],
  options: RunOptions,
): Promise<void> {
  // Missing files are reported before any SQL runs.
  if (!options.skipExecution) {
    for (const step of steps) sqlOf(step);
    if (steps.length > 0) await requireReachable(call, database);
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

/** Throws for an unreachable database before a step is marked as unfinished, so that no manual check is needed. */
async function requireReachable(call: CallMetadata, { name, kind }: TargetDatabase): Promise<void> {
  const { type } = sqlOperations[kind] ?? sqlOperations.postgres;
  const args = { source: name, sql: "select 1", read_only: true };
  try {
    await call({ endpoint: "/v2/query", type, args });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `database ${name} is unreachable, no migration was run: ${error.message}`;
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
    const transaction = isRolledBack(sql, database, options);
    try {
      await runSqlFile(call, database, sql, { ...options, transaction });
    } catch (error) {
      if (!isUnknown(error) && transaction) {
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

/** Returns true if the SQL runs in one transaction, so that a failure leaves nothing of it. */
function isRolledBack(sql: SqlFile, { kind }: TargetDatabase, { transaction }: RunOptions): boolean {
  const { optionalTransaction } = sqlOperations[kind] ?? sqlOperations.postgres;
  return transaction && (needsTransaction(sql) || !optionalTransaction);
}

/** Returns true if the SQL may have been committed, since the response was lost or the server failed later. */
function isUnknown(error: unknown): boolean {
  return !(error instanceof EngineError) || error.code === "connection error" || error.status >= 500;
}

interface SqlOperation {
  readonly type: string;
  /** True if the operation supports `no_transaction`. */
  readonly optionalTransaction: boolean;
}

const sqlOperations: { readonly postgres: SqlOperation; readonly [kind: string]: SqlOperation } = {
  postgres: { type: "run_sql", optionalTransaction: true },
  mssql: { type: "mssql_run_sql", optionalTransaction: false },
};

/** Runs a file on a database by one call of the server. */
export async function runSqlFile(
  call: CallMetadata,
  database: TargetDatabase,
  { sql }: SqlFile,
  { transaction, checkMetadata, cascade = false }: Pick<RunOptions, "transaction" | "checkMetadata" | "cascade">,
): Promise<void> {
  const { type, optionalTransaction } = sqlOperations[database.kind] ?? sqlOperations.postgres;
  const run = (isChecked: boolean | undefined) =>
    call({
      endpoint: "/v2/query",
      type,
      args: {
        source: database.name,
        sql,
        ...(isChecked !== undefined && { check_metadata_consistency: isChecked }),
        ...(cascade && { cascade }),
        ...(!transaction && optionalTransaction && { no_transaction: true }),
      },
    });
  try {
    await run(checkMetadata === "lenient" ? undefined : checkMetadata);
  } catch (error) {
    if (checkMetadata !== "lenient" || !isRefusedByCheck(error)) throw error;
    await run(false);
  }
}

/** Codes of SQL that was rolled back only because of the metadata. */
const checkCodes: ReadonlySet<string> = new Set([
  "already-exists",
  "already-tracked",
  "dependency-error",
  "not-supported",
  "remote-schema-conflicts",
  "unexpected",
]);

function isRefusedByCheck(error: unknown): boolean {
  if (!(error instanceof EngineError) || error.status >= 500 || !checkCodes.has(error.code)) return false;
  // SQL with statements such as COMMIT must not run twice.
  return !/\((?:the SQL was not rolled back|the database cannot be read)/.test(error.message);
}

function failure(
  error: unknown,
  database: TargetDatabase,
  steps: readonly MigrationStep[],
  index: number,
  options: RunOptions,
): unknown {
  if (!(error instanceof EngineError)) return error;
  const list = (some: readonly MigrationStep[]) =>
    some.length === 0 ? "none" : some.map(({ migration, action }) => `${migration.version} (${action})`).join(", ");
  const [failed] = steps.slice(index);
  const sql = failed === undefined ? undefined : sqlOf(failed);
  const undone =
    sql === undefined || isRolledBack(sql, database, options)
      ? "its transaction was rolled back"
      : "its earlier statements remain, and it is marked as unfinished";
  const outcome = isUnknown(error) ? "it may have been applied, and is marked as unfinished" : undone;
  const message = [
    error.message,
    `migration ${failed?.migration.version} of ${database.name} failed: ${outcome}`,
    `applied before it: ${list(steps.slice(0, index))}; not applied: ${list(steps.slice(index + 1))}`,
  ].join("\n");
  return new EngineError(error.code, error.path, message, { cause: error });
}
