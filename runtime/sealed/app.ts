/** The HTTP server with the routes of every server, and no others. */
import { type App, type AppSettings, createApp } from "../http/app.ts";
import { type RequestRouteSettings, requestRoutes } from "../http/request-routes.ts";
import type { Log } from "../observe/log.ts";
import type { RequestServices } from "../ports/services.ts";

export type SealedAppSettings = RequestRouteSettings & AppSettings;

export function createSealedApp(services: RequestServices, settings: SealedAppSettings, log: Log): App {
  return createApp(services, settings, { routes: requestRoutes(services, settings), log });
}
