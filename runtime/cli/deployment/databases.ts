/** The databases of a project on a server: there, and with the migrations that the project has. */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { AppliedState } from "../migrations/applied-state.ts";
import { databasesWithFiles, type Migration, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations } from "../migrations/plan.ts";
import { runSteps } from "../migrations/run-steps.ts";
import { databasesOfServer, targetDatabases } from "../migrations/target-databases.ts";
import type { EnsureAlone } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";
import type { Output } from "../project/output.ts";

/** Migrations need their databases: those that the server does not know yet come first, without tables. */
export async function addMissingSources(call: CallMetadata, project: Json, output: Output): Promise<void> {
  const answer = await call({ type: "export_metadata", version: 2, args: {} });
  const exported = isObject<Json>(answer) && isObject<Json>(answer.metadata) ? answer.metadata : undefined;
  if (exported === undefined)
    throw new EngineError("unexpected", "$", "the server exported something that is no metadata");
  const known = new Set(sourcesOf(exported).map(({ name }) => name));
  const missing = sourcesOf(project).filter(({ name }) => !known.has(name));
  if (missing.length === 0) return;
  const bare = missing.map(({ name = null, kind = null, configuration = null }) => ({
    name,
    kind,
    configuration,
    tables: [],
  }));
  const metadata = { ...exported, sources: [...sourcesOf(exported), ...bare] };
  await call({ type: "replace_metadata", version: 2, args: { allow_inconsistent_metadata: true, metadata } });
  output.result(missing.map(({ name }) => `added the database ${String(name)}\n`).join(""));
}

function sourcesOf(document: Json): readonly JsonObject[] {
  return isObject<Json>(document) && Array.isArray(document.sources) ? document.sources.filter(isObject<Json>) : [];
}

export interface ApplyPendingOptions {
  readonly ensureAlone: EnsureAlone;
  readonly output: Output;
  /** Which of them; all unless given. */
  readonly isWanted?: (migration: Migration) => boolean;
}

/**
 * Runs the migrations that the databases lack; all are planned before the first one runs.
 * @returns how many there were
 * @throws EngineError with file and line of what failed
 */
export async function applyPending(
  call: CallMetadata,
  migrationsPath: string,
  { ensureAlone, output, isWanted = () => true }: ApplyPendingOptions,
): Promise<number> {
  const state = await AppliedState.read(call);
  const databases = targetDatabases(await databasesOfServer(call), await databasesWithFiles(migrationsPath), {
    allDatabases: true,
  });
  const plans = [];
  for (const database of databases) {
    const migrations = (await readMigrations(migrationsPath, database.name)).filter(isWanted);
    plans.push({ database, steps: planMigrations(migrations, state.of(database.name), { kind: "pending" }) });
  }
  for (const { database, steps } of plans) {
    await runSteps(call, state, database, steps, {
      skipExecution: false,
      transaction: true,
      checkMetadata: false,
      ensureAlone,
      onStep: (_, { migration }) =>
        output.result(`applied ${migration.version}_${migration.name} on ${database.name}\n`),
    });
  }
  return plans.reduce((total, { steps }) => total + steps.length, 0);
}
