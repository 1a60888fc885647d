/** Starts a sealed server. Wiring only. */
import { Health } from "../../databases/sources/health/health.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { GraphqlRequest, GraphqlService } from "../../ports/graphql.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import { EngineError } from "../../values/errors.ts";
import { listen, type RunningServer, startOrUndo } from "../parts/start.ts";
import { createSealedApp } from "./app.ts";
import type { Artifact, SealedSettings } from "./artifact.ts";
import { type ArtifactServerSettings, openArtifact } from "./open-artifact.ts";

/**
 * Resolves when requests can be served.
 * @throws ConfigurationError, EngineError; nothing is left running
 */
export function serveArtifact(artifact: Artifact, settings: ArtifactServerSettings): Promise<RunningServer> {
  const { options, log, siblings } = settings;
  const { version } = artifact.settings;
  return startOrUndo(async (started) => {
    const opened = await openArtifact(started, artifact, settings);
    const { sources, delivering } = opened;
    const { services, health } = servedServices(artifact, opened, log);
    const app = createSealedApp(services, { ...options, version, isClosed: artifact.settings.closed }, log);
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

/** Returns the services of a sealed server. */
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

// Closed mode: only saved operations run; other texts are refused by comparison, without parsing.

type Rules = Pick<SealedSettings["guard"], "allowlist" | "query_collections">;

/** Restricts a service to the operations that the allow-list contains for the session's role. */
export function closedService(service: GraphqlService, rules: Rules): GraphqlService {
  const texts = new AllowedTexts(rules);
  const check = ({ query }: GraphqlRequest, { session: { role } }: AdmittedSession): void => {
    if (texts.has(role, query)) return;
    throw new EngineError("validation-failed", "$.query", "query is not allowed");
  };
  return {
    ...service,
    async execute(request, by, caller, headers) {
      check(request, by);
      return service.execute(request, by, caller, headers);
    },
    async prepare(request, by) {
      check(request, by);
      return service.prepare(request, by);
    },
  };
}

class AllowedTexts {
  readonly #all = new Set<string>();
  readonly #byRole = new Map<string, Set<string>>();

  constructor({ allowlist, query_collections }: Rules) {
    for (const { collection, scope } of allowlist) {
      const queries = query_collections.find(({ name }) => name === collection)?.definition.queries ?? [];
      const targets = scope.global ? [this.#all] : scope.roles.map((role) => this.#ofRole(role));
      for (const target of targets) for (const { query } of queries) target.add(query);
    }
  }

  has(role: string, text: string): boolean {
    return this.#all.has(text) || this.#byRole.get(role)?.has(text) === true;
  }

  #ofRole(role: string): Set<string> {
    const known = this.#byRole.get(role) ?? new Set<string>();
    this.#byRole.set(role, known);
    return known;
  }
}
