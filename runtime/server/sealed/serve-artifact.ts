/** An artifact → a running server. Wiring only. */

import { Health } from "../../databases/sources/health/health.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { RequestServices } from "../../ports/services.ts";
import { listen, type RunningServer, startOrUndo } from "../parts/start.ts";
import { createSealedApp } from "./app.ts";
import type { Artifact } from "./artifact.ts";
import { closedService } from "./closed.ts";
import { type ArtifactServerSettings, openArtifact } from "./open-artifact.ts";

/**
 * Resolves when requests can be served.
 * @throws ConfigurationError, EngineError; then nothing is left running
 */
export function serveArtifact(artifact: Artifact, settings: ArtifactServerSettings): Promise<RunningServer> {
  const { options, log, siblings } = settings;
  const { version } = artifact.settings;
  return startOrUndo(async (started) => {
    const opened = await openArtifact(started, artifact, settings);
    const { sources, delivering } = opened;
    const { services, health } = servedServices(artifact, opened, log);
    const app = createSealedApp(services, { ...options, version }, log);
    return listen(started, {
      app,
      health,
      delivering,
      sources: () => [...sources.values()],
      options,
      log,
      siblings,
    });
  });
}

/** What requests may ask of an artifact. */
export function servedServices(
  { settings: { guard, closed } }: Artifact,
  { sources, services }: Pick<Awaited<ReturnType<typeof openArtifact>>, "sources" | "services">,
  log: Log,
): { readonly services: RequestServices; readonly health: Health } {
  const { graphql, relay, telemetry } = services;
  const health = new Health({
    sources: () => [...sources].map(([name, source]) => ({ name, database: () => source })),
    log,
    meters: telemetry.meters,
  });
  return {
    services: {
      ...services,
      graphql: closed ? closedService(graphql, guard) : graphql,
      relay: closed ? closedService(relay, guard) : relay,
      health,
    },
    health,
  };
}
