/** `engine deploy`: deploys a project to a server: databases, migrations, metadata and, with `--with-seeds`, seeds. */
import { deployProject } from "../deployment/deploy-project.ts";
import { reportInvalidFiles } from "../metadata/apply-metadata.ts";
import { type EnsureAlone, readLockTimeout, withToolLock } from "../migrations/tool-lock.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { printed, recordResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { runAllSeeds } from "./seed.ts";

export interface DeployOptions extends GlobalFlags {
  readonly withSeeds?: boolean;
  readonly disallowInconsistentMetadata?: boolean;
  /** In seconds. */
  readonly lockTimeout: string;
}

export async function deployCommand(options: DeployOptions): Promise<number> {
  return reportInvalidFiles(async () => {
    const settings = await readSettings(options, process.env);
    const lock = { command: "engine deploy", waitSeconds: readLockTimeout(options.lockTimeout) };
    await withServer(settings, (call) =>
      withToolLock(call, lock, (ensureAlone) => deploy(call, settings, options, ensureAlone)),
    );
    recordResult({ endpoint: settings.endpoint });
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
  if (options.withSeeds) await runAllSeeds(call, settings);
}
