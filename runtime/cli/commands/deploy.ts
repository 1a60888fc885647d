/** `engine deploy`: a project → a running server: databases, migrations, metadata, and seeds when asked for. */
import type { Json } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { addMissingSources, applyPending } from "../deployment/databases.ts";
import { remarkOrWarn, replaceMetadata, reportingMistakes, warningsOf } from "../metadata/apply-metadata.ts";
import { inconsistencyList } from "../metadata/inconsistency.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { databasesWithFiles } from "../migrations/migration-files.ts";
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
  await applyPending(call, settings.migrationsPath, ensureAlone);
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
