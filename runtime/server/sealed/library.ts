/** The module `engine/sealed-library`, which an artifact's `engine.mjs` imports: the artifact as a library. */
import { dirname } from "node:path";
import { createLog } from "../../observe/logs/log.ts";
import { logSink, standardOutput } from "../../observe/logs/standard-output.ts";
import { hostParts } from "../config-module/host-config.ts";
import type { Engine, EngineSettings } from "../embedding/engine.d.mts";
import { engineOf } from "../embedding/engine.ts";
import { Mount } from "../parts/mount.ts";
import { shutDown, startOrUndo } from "../parts/start.ts";
import { createSealedApp } from "./app.ts";
import type { Artifact } from "./artifact.ts";
import { checkContract, optionsFor } from "./check-artifact.ts";
import { openArtifact } from "./open-artifact.ts";
import { sealedConfig } from "./sealed-config.ts";
import { servedServices } from "./serve-artifact.ts";
import { refuseChangedArtifact } from "./verify.ts";

export { handlerOf } from "../embedding/handler.ts";

/** @throws ConfigurationError, EngineError; nothing is left running */
export async function openSealedEngine(
  artifact: Artifact,
  { environment: variables = process.env, log: sink, drift = "refuse", config: passed }: EngineSettings = {},
): Promise<Engine> {
  checkContract(artifact);
  refuseChangedArtifact(dirname(artifact.file));
  const config = await sealedConfig(artifact, passed);
  const { options, environment } = optionsFor(artifact, variables, config);
  const write = sink ?? config.log;
  const log = createLog(options, write ? logSink(write) : standardOutput(options));
  const host = hostParts(config, log, options);
  return startOrUndo(async (started) => {
    const opened = await openArtifact(started, artifact, { drift, options, environment, log, host });
    const { generation, rootFields, sources, delivering } = opened;
    const { services, health } = servedServices(artifact, opened, log);
    const { version } = artifact.settings;
    const app = new Mount({
      open: async () => createSealedApp(services, { ...options, version, isClosed: artifact.settings.closed }, log),
      reportBug: services.reportBug,
    });
    return engineOf({
      services,
      rootFields,
      schemaOf: (user, api) => generation.schemaOf(user, api),
      visibility: options,
      alias: options.headerAlias,
      requests: app,
      close: () =>
        shutDown({
          timeoutSeconds: options.gracefulShutdownTimeoutSeconds,
          health,
          app,
          delivering,
          sources: () => [...sources.values()],
          log,
          closeRest: () => started.close(),
        }),
    });
  });
}
