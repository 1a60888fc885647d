/**
 * The routes of every server, also a sealed one: method and path → handler, for the groups of endpoints that are
 * switched on.
 */
import type { Options } from "../config/option-table.ts";
import type { Handler } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import {
  type GraphqlSettings,
  graphqlAlphaHandler,
  graphqlHandler,
  graphqlUrlHandler,
  type RelaySettings,
  relayHandler,
} from "./graphql.ts";
import { healthHandler, livenessHandler, readinessHandler, sourceHealthHandler } from "./health.ts";
import { type MetricsSettings, metricsHandler } from "./metrics.ts";
import { openApiHandler } from "./openapi.ts";
import { clearCacheHandler } from "./response-cache.ts";
import { type RestSettings, restHandler, restPrefix } from "./rest.ts";
import { versionHandler } from "./version.ts";

export interface Route {
  readonly method: "GET" | "POST" | "ANY";
  /** `*` at the end stands for everything. */
  readonly path: string;
  readonly handler: Handler;
}

export interface RequestRouteSettings extends GraphqlSettings, RelaySettings, RestSettings, MetricsSettings {
  readonly enabledApis: Options["enabledApis"];
  readonly version: string;
}

export function requestRoutes(services: RequestServices, settings: RequestRouteSettings): readonly Route[] {
  const health = healthHandler(services);
  const routes: Route[] = [
    { method: "GET", path: "/healthz", handler: health },
    { method: "GET", path: "/engine/healthz", handler: health },
    { method: "GET", path: "/healthz/sources", handler: sourceHealthHandler(services, settings) },
    { method: "GET", path: "/livez", handler: livenessHandler },
    { method: "GET", path: "/readyz", handler: readinessHandler(services) },
    { method: "GET", path: "/v1/version", handler: versionHandler(settings.version) },
    { method: "ANY", path: `${restPrefix}*`, handler: restHandler(services, settings) },
    { method: "GET", path: "/api/swagger/json", handler: openApiHandler(services, settings) },
  ];
  if (settings.enabledApis.has("graphql")) {
    const relay = relayHandler(services, settings);
    routes.push(
      { method: "POST", path: "/v1/graphql", handler: graphqlHandler(services, settings) },
      { method: "GET", path: "/v1/graphql", handler: graphqlUrlHandler(services, settings) },
      { method: "POST", path: "/v1alpha1/graphql", handler: graphqlAlphaHandler(services, settings) },
      { method: "POST", path: "/v1/relay", handler: relay },
      { method: "POST", path: "/v1beta1/relay", handler: relay },
      { method: "POST", path: "/pro/cache/clear", handler: clearCacheHandler(services, settings) },
    );
  }
  if (settings.enabledApis.has("metrics")) {
    routes.push({ method: "GET", path: "/v1/metrics", handler: metricsHandler(services, settings) });
  }
  return routes;
}
