/** The sealed HTTP server, which has the routes of requests only. */
import { type App, type AppSettings, createApp } from "../../http/app.ts";
import { type RequestRouteSettings, requestRoutes } from "../../http/request-routes.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { RequestServices } from "../../ports/services.ts";

export type SealedAppSettings = RequestRouteSettings & AppSettings;

export const createSealedApp = (services: RequestServices, settings: SealedAppSettings, log: Log): App =>
  createApp(requestRoutes(services, settings), services, settings, log);
