/** `engine deploy`: a project → a running server: databases, migrations, metadata, and seeds when asked for. */
import { deployProject } from "../deployment/deploy-project.ts";
import { reportingMistakes } from "../metadata/apply-metadata.ts";
import { databasesWithFiles } from "../migrations/migration-files.ts";
import { databasesOfServer, targetDatabases } from "../migrations/target-databases.ts";
import { type EnsureAlone, readLockTimeout, withToolLock } from "../migrations/tool-lock.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { printed } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { runSeeds } from "./seed.ts";

export interface DeployOptions extends GlobalFlags {
  readonly withSeeds?: boolean;
  readonly disallowInconsistentMetadata?: boolean;
  /** Seconds. */
  readonly lockTimeout: string;
}

export async function deployCommand(options: DeployOptions): Promise<number> {
  return reportingMistakes(async () => {
    const settings = await readSettings(options, process.env);
    const lock = { command: "engine deploy", waitSeconds: readLockTimeout(options.lockTimeout) };
    await withServer(settings, (call) =>
      withToolLock(call, lock, (ensureAlone) => deploy(call, settings, options, ensureAlone)),
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
  const allowInconsistent = options.disallowInconsistentMetadata !== true;
  await deployProject(call, settings, {
    allowInconsistent,
    ensureAlone,
    output: printed,
    environment: settings.environment,
  });
  if (options.withSeeds) {
    const withSeeds = await databasesWithFiles(settings.seedsPath);
    for (const database of targetDatabases(await databasesOfServer(call), withSeeds, { allDatabases: true })) {
      await runSeeds(call, database, settings.seedsPath);
    }
  }
}
