/** Adds a project's databases to a server, and applies their migrations. */
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

/** Adds sources that the server lacks, without tables, so that their migrations can run. */
export async function addMissingSources(call: CallMetadata, project: Json, output: Output): Promise<void> {
  const response = await call({ type: "export_metadata", version: 2, args: {} });
  const exported = isObject<Json>(response) && isObject<Json>(response.metadata) ? response.metadata : undefined;
  if (exported === undefined) throw new EngineError("unexpected", "$", "the server's export is not valid metadata");
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
  output.result(missing.map(({ name }) => `added database ${String(name)}\n`).join(""));
}

function sourcesOf(document: Json): readonly JsonObject[] {
  return isObject<Json>(document) && Array.isArray(document.sources) ? document.sources.filter(isObject<Json>) : [];
}

export interface ApplyPendingOptions {
  readonly ensureAlone: EnsureAlone;
  readonly output: Output;
  /** If true, the server's metadata follows renames. */
  readonly followsRenames?: boolean;
  /** Selects migrations; default all. */
  readonly isSelected?: (migration: Migration) => boolean;
}

/**
 * Runs pending migrations. All steps are planned before the first one runs.
 * @returns number of migrations
 * @throws EngineError with file and line of the failure
 */
export async function applyPending(
  call: CallMetadata,
  migrationsPath: string,
  { ensureAlone, output, followsRenames = false, isSelected = () => true }: ApplyPendingOptions,
): Promise<number> {
  const state = await AppliedState.read(call);
  const databases = targetDatabases(await databasesOfServer(call), await databasesWithFiles(migrationsPath), {
    allDatabases: true,
  });
  const plans = [];
  for (const database of databases) {
    const migrations = (await readMigrations(migrationsPath, database.name)).filter(isSelected);
    plans.push({ database, steps: planMigrations(migrations, state.of(database.name), { kind: "pending" }) });
  }
  for (const { database, steps } of plans) {
    await runSteps(call, state, database, steps, {
      skipExecution: false,
      transaction: true,
      checkMetadata: followsRenames ? "lenient" : false,
      ensureAlone,
      onStep: (_, { migration }) =>
        output.result(`applied ${migration.version}_${migration.name} on ${database.name}\n`),
    });
  }
  return plans.reduce((total, { steps }) => total + steps.length, 0);
}
