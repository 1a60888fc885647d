/** An artifact → a running server. Wiring only. */
import type { RequestServices } from "../ports/services.ts";
import { Health } from "../serving/health.ts";
import { listen, type RunningServer, startOrUndo } from "../serving/start.ts";
import { createSealedApp } from "./app.ts";
import type { Artifact } from "./artifact.ts";
import { closedService } from "./closed.ts";
import { type ArtifactServerSettings, openArtifact } from "./open-artifact.ts";

/**
 * Resolves when requests can be served.
 * @throws ConfigurationError, EngineError; then nothing is left running
 */
export function serveArtifact(artifact: Artifact, settings: ArtifactServerSettings): Promise<RunningServer> {
  const { options, log } = settings;
  const { guard, closed, version } = artifact.settings;
  return startOrUndo(async (started) => {
    const { sources, services: opened, delivering } = await openArtifact(started, artifact, settings);
    const { graphql, relay } = opened;
    const health = new Health({
      sources: () => [...sources].map(([name, source]) => ({ name, database: () => source })),
      log,
      meters: opened.telemetry.meters,
    });
    const services: RequestServices = {
      ...opened,
      graphql: closed ? closedService(graphql, guard) : graphql,
      relay: closed ? closedService(relay, guard) : relay,
      health,
    };
    const app = createSealedApp(services, { ...options, version }, log);
    return listen(started, { app, health, delivering, sources: () => [...sources.values()], options, log });
  });
}
