/**
 * The sealed HTTP server uses `node:http` and a look-up of routes. Fastify's router would compile functions from strings,
 * which a sealed process forbids.
 */
import { createServer } from "node:http";
import { type App, type AppSettings, appCore } from "../../http/app.ts";
import { httpOptions, listenAt, respondToClientError } from "../../http/connections.ts";
import { orPreflight } from "../../http/cors.ts";
import { type RequestRouteSettings, requestRoutes, unroutedHandler } from "../../http/request-routes.ts";
import { routeFinder } from "../../http/route-finder.ts";
import { serve } from "../../http/serve.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { RequestServices } from "../../ports/services.ts";

export type SealedAppSettings = RequestRouteSettings & AppSettings;

export function createSealedApp(services: RequestServices, settings: SealedAppSettings, log: Log): App {
  const { context, appOf } = appCore(services, settings, log);
  const find = routeFinder(requestRoutes(services, settings));
  const unrouted = unroutedHandler(settings);
  const server = createServer(httpOptions(settings), (request, reply) => {
    const handler = find(request) ?? unrouted;
    void serve(context, orPreflight(settings, handler), request, reply);
  });
  server.on("clientError", respondToClientError);
  return appOf(server, {
    listen: (address) => listenAt(server, address),
    ready: () => Promise.resolve(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  });
}
