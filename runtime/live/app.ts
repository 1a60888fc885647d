/** The HTTP server with the routes that need the metadata. */
import { type App, type AppSettings, createApp } from "../http/app.ts";
import { createRoutes, type RouteSettings } from "../http/routes.ts";
import type { Log } from "../observe/log.ts";
import type { Services } from "../ports/services.ts";

export type LiveAppSettings = RouteSettings & AppSettings;

export function createLiveApp(services: Services, settings: LiveAppSettings, log: Log): App {
  return createApp(services, settings, { routes: createRoutes(services, settings), log });
}
