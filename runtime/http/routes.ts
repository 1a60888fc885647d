/** All routes of the live server: those of every server, and those that need the metadata. */

import { isConsoleEnabled } from "../config/console-default.ts";
import type { AdminEndpoint } from "../ports/administration.ts";
import type { Services } from "../ports/services.ts";
import { adminHandler } from "./admin.ts";
import { type ConfigSettings, configHandler } from "./config.ts";
import { consoleRoutes } from "./console.ts";
import { developerHandler, developerPaths } from "./developer.ts";
import { dumpHandler } from "./dump.ts";
import { explainHandler } from "./explain.ts";
import { type RequestRouteSettings, type Route, requestRoutes } from "./request-routes.ts";

export type RouteSettings = RequestRouteSettings & ConfigSettings;

const adminEndpoints: readonly AdminEndpoint[] = ["/v1/metadata", "/v1/query", "/v2/query"];

export function createRoutes(services: Services, settings: RouteSettings): readonly Route[] {
  const routes = [...requestRoutes(services, settings)];
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
  if (isConsoleEnabled(settings)) routes.push(...consoleRoutes(services, settings));
  return routes;
}
