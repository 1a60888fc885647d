/** Opens a live server inside a host program. Wiring only. */
import { createLog } from "../../observe/logs/log.ts";
import { logSink, standardOutput } from "../../observe/logs/standard-output.ts";
import { configuredOptions, hostConfig, hostParts, noConfig } from "../config-module/host-config.ts";
import type { Engine, EngineSettings } from "../embedding/engine.d.mts";
import { engineOf } from "../embedding/engine.ts";
import { Mount } from "../parts/mount.ts";
import { shutDown, startOrUndo } from "../parts/start.ts";
import { createLiveApp } from "./app.ts";
import { openServices } from "./open-services.ts";

/**
 * @param version the product version
 * @throws ConfigurationError, EmbeddedPostgresError, EngineError; nothing is left running
 */
export function openLiveEngine(
  { environment: variables = process.env, log: sink, config: passed }: EngineSettings,
  version: string,
): Promise<Engine> {
  const config = passed === undefined ? noConfig : hostConfig(passed, noConfig);
  const { options, environment } = configuredOptions({}, variables, config);
  const write = sink ?? config.log;
  const log = createLog(options, write ? logSink(write) : standardOutput(options));
  const host = hostParts(config, log, options);
  return startOrUndo(async (started) => {
    const settings = { options, environment, log, version, sample: null, host };
    const { control, services, rootFields, sources, health, delivering } = await openServices(started, settings);
    const app = new Mount({
      open: async () => createLiveApp(services, { ...options, version }, log),
      reportBug: services.reportBug,
    });
    control.onMetadataChange(() => app.metadataChanged());
    return engineOf({
      services,
      rootFields,
      schemaOf: (user, api) => control.generation.schemaOf(user, api),
      visibility: options,
      alias: options.headerAlias,
      requests: app,
      close: () =>
        shutDown({
          timeoutSeconds: options.gracefulShutdownTimeoutSeconds,
          health,
          app,
          delivering,
          sources: () => sources.databases,
          log,
          closeRest: () => started.close(),
        }),
    });
  });
}
