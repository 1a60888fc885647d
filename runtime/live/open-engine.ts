/** What `engine start` serves, inside another program. Wiring only. */
import { parseOptions } from "../config/options.ts";
import type { Engine, EngineSettings } from "../library/engine.d.mts";
import { engineOf } from "../library/engine.ts";
import { createLog } from "../observe/log.ts";
import { standardOutput } from "../observe/standard-output.ts";
import { startOrUndo } from "../serving/start.ts";
import { openServices } from "./open-services.ts";

/**
 * @param version of the product
 * @throws ConfigurationError, EmbeddedPostgresError, EngineError; then nothing is left running
 */
export function openLiveEngine(
  { environment = process.env, log: write }: EngineSettings,
  version: string,
): Promise<Engine> {
  const options = parseOptions({}, environment);
  const log = createLog(options, write ? { write } : standardOutput(options));
  return startOrUndo(async (started) => {
    const { control, services, rootFields } = await openServices(started, {
      options,
      environment,
      log,
      version,
      sample: null,
    });
    return engineOf({
      services,
      rootFields,
      schemaOf: (user, api) => control.generation.schemaOf(user, api),
      visibility: options,
      alias: options.headerAlias,
      close: () => started.close(),
    });
  });
}
