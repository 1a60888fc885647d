/** The list of routes: method and path → handler, for the groups of endpoints that are switched on. */
import type { ApiGroup } from "../config/option-table.ts";
import { adminHandler } from "./admin.ts";
import { type ConfigSettings, configHandler } from "./config.ts";
import { developerHandler, developerPaths } from "./developer.ts";
import { dumpHandler } from "./dump.ts";
import { explainHandler } from "./explain.ts";
import {
  type GraphqlSettings,
  graphqlAlphaHandler,
  graphqlHandler,
  persistedQueryHandler,
  type RelaySettings,
  relayHandler,
} from "./graphql.ts";
import { healthHandler } from "./health.ts";
import { type RestSettings, restHandler, restPrefix } from "./rest.ts";
import type { AdminEndpoint, Handler, Services } from "./services.ts";
import { versionHandler } from "./version.ts";

export interface Route {
  readonly method: "GET" | "POST" | "ANY";
  /** `*` at the end stands for everything. */
  readonly path: string;
  readonly handler: Handler;
}

export interface RouteSettings extends GraphqlSettings, RelaySettings, RestSettings, ConfigSettings {
  readonly enabledApis: ReadonlySet<ApiGroup>;
}

const adminEndpoints: readonly AdminEndpoint[] = ["/v1/metadata", "/v1/query", "/v2/query"];

export function createRoutes(services: Services, settings: RouteSettings): readonly Route[] {
  const health = healthHandler(services);
  const routes: Route[] = [
    { method: "GET", path: "/healthz", handler: health },
    { method: "GET", path: "/engine/healthz", handler: health },
    { method: "GET", path: "/v1/version", handler: versionHandler(settings.version) },
    { method: "ANY", path: `${restPrefix}*`, handler: restHandler(services, settings) },
  ];
  if (settings.enabledApis.has("graphql")) {
    routes.push(
      { method: "POST", path: "/v1/graphql", handler: graphqlHandler(services, settings) },
      { method: "GET", path: "/v1/graphql", handler: persistedQueryHandler(services, settings) },
      { method: "POST", path: "/v1alpha1/graphql", handler: graphqlAlphaHandler(services, settings) },
      { method: "POST", path: "/v1beta1/relay", handler: relayHandler(services, settings) },
    );
  }
  if (settings.enabledApis.has("metadata")) {
    for (const path of adminEndpoints) {
      routes.push({ method: "POST", path, handler: adminHandler(services, settings, path) });
    }
  }
  if (settings.enabledApis.has("metadata")) {
    const handler = explainHandler(services, settings);
    routes.push({ method: "POST", path: "/v1/graphql/explain", handler });
    routes.push({ method: "POST", path: "/v1alpha1/graphql/explain", handler });
  }
  if (settings.enabledApis.has("config")) {
    routes.push({ method: "GET", path: "/v1alpha1/config", handler: configHandler(services, settings) });
  }
  if (settings.enabledApis.has("pgdump")) {
    routes.push({ method: "POST", path: "/v1alpha1/pg_dump", handler: dumpHandler(services, settings) });
  }
  if (settings.enabledApis.has("developer")) {
    for (const path of developerPaths) {
      routes.push({ method: "GET", path, handler: developerHandler(services, settings, path) });
    }
  }
  return routes;
}
