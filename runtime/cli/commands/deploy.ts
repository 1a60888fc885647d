/** `engine deploy`: a project → a running server: databases, migrations, metadata, and seeds when asked for. */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { remarkOrWarn, replaceMetadata, reportingMistakes, warningsOf } from "../metadata/apply-metadata.ts";
import { inconsistencyList } from "../metadata/inconsistency.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { AppliedState } from "../migrations/applied-state.ts";
import { databasesWithFiles, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations } from "../migrations/plan.ts";
import { runSteps } from "../migrations/run-steps.ts";
import { databasesOfServer, targetDatabases } from "../migrations/target-databases.ts";
import { type EnsureAlone, readLockTimeout, withToolLock } from "../migrations/tool-lock.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { runSeeds } from "./seed.ts";

export interface DeployOptions extends GlobalFlags {
  readonly withSeeds?: boolean;
  readonly disallowInconsistentMetadata?: boolean;
  /** Seconds. */
  readonly lockTimeout: string;
}

/**
 * The server goes on serving its metadata while migrations run: they are not checked against it, and what it says of
 * columns that are gone fails for requests that ask for them, until the project's metadata takes its place.
 */
export async function deployCommand(options: DeployOptions): Promise<number> {
  return reportingMistakes(async () => {
    const settings = await readSettings(options, process.env);
    const wait = readLockTimeout(options.lockTimeout);
    await withServer(settings, (call) =>
      withToolLock(call, "engine deploy", wait, (ensureAlone) => deploy(call, settings, options, ensureAlone)),
    );
    return 0;
  });
}

async function deploy(
  call: CallMetadata,
  settings: Settings,
  options: DeployOptions,
  ensureAlone: EnsureAlone,
): Promise<void> {
  const files = await readMetadataDirectory(settings.metadataPath);
  await addMissingSources(call, files.metadata);
  await migrate(call, settings, ensureAlone);
  ensureAlone();
  const answer = await replaceMetadata(call, files, options.disallowInconsistentMetadata !== true);
  printProblems(warningsOf(answer));
  if (isObject<Json>(files.metadata) && files.metadata.remote_schemas !== undefined) {
    await call({ type: "reload_metadata", args: { reload_sources: false, reload_remote_schemas: true } });
  }
  printResult("applied the metadata\n");
  remarkOrWarn("deployed", inconsistencyList(await call({ type: "get_inconsistent_metadata", args: {} })));
  if (options.withSeeds) {
    const withSeeds = await databasesWithFiles(settings.seedsPath);
    for (const database of targetDatabases(await databasesOfServer(call), withSeeds, { allDatabases: true })) {
      await runSeeds(call, database, settings.seedsPath);
    }
  }
}

/** Migrations need their databases: those that the server does not know yet come first, without tables. */
async function addMissingSources(call: CallMetadata, project: Json): Promise<void> {
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
  printResult(missing.map(({ name }) => `added the database ${String(name)}\n`).join(""));
}

function sourcesOf(document: Json): readonly JsonObject[] {
  return isObject<Json>(document) && Array.isArray(document.sources) ? document.sources.filter(isObject<Json>) : [];
}

async function migrate(call: CallMetadata, { migrationsPath }: Settings, ensureAlone: EnsureAlone): Promise<void> {
  const state = await AppliedState.read(call);
  const databases = targetDatabases(await databasesOfServer(call), await databasesWithFiles(migrationsPath), {
    allDatabases: true,
  });
  // All are planned before the first one runs.
  const plans = [];
  for (const database of databases) {
    const migrations = await readMigrations(migrationsPath, database.name);
    plans.push({ database, steps: planMigrations(migrations, state.of(database.name), { kind: "pending" }) });
  }
  for (const { database, steps } of plans) {
    await runSteps(call, state, database, steps, {
      skipExecution: false,
      transaction: true,
      checkMetadata: false,
      ensureAlone,
      onStep: (_, { migration }) => printResult(`applied ${migration.version}_${migration.name} on ${database.name}\n`),
    });
  }
}
