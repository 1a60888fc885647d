/** The live HTTP server. */
import { type App, type AppSettings, createApp } from "../../http/app.ts";
import { createRoutes, type RouteSettings } from "../../http/routes.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Services } from "../../ports/services.ts";

export type LiveAppSettings = RouteSettings & AppSettings;

export const createLiveApp = (services: Services, settings: LiveAppSettings, log: Log): App =>
  createApp(createRoutes(services, settings), services, settings, log);
