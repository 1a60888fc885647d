/** Starts a live server. Wiring only. */
import { listen, type RunningServer, startOrUndo } from "../parts/start.ts";
import { createLiveApp } from "./app.ts";
import type { Databases } from "./databases.ts";
import { openServices, type ServerSettings } from "./open-services.ts";

export interface Server extends RunningServer {
  readonly databases: Databases;
}

/**
 * Resolves when requests can be served.
 * @throws ConfigurationError, EmbeddedPostgresError, EngineError; nothing is left running
 */
export function startServer(settings: ServerSettings): Promise<Server> {
  const { options, log, version, siblings } = settings;
  return startOrUndo(async (started) => {
    const { databases, control, sources, services, health, delivering } = await openServices(started, settings);
    const app = createLiveApp(services, { ...options, version }, log);
    control.onMetadataChange(() => app.metadataChanged());
    const server = await listen(started, {
      app,
      health,
      delivering,
      sources: () => sources.databases,
      options,
      log,
      siblings,
    });
    return { ...server, databases };
  });
}
