/**
 * The sealed HTTP server: its routes are known, so `node:http` and a look-up do for it. Fastify's router would build
 * functions from strings, which a sealed process may not.
 */
import { createServer } from "node:http";
import { BufferedBodies } from "../http/buffered-bodies.ts";
import {
  answerClientError,
  type ConnectionSettings,
  continueOnRead,
  httpOptions,
  listenOn,
  portOf,
} from "../http/connections.ts";
import { notFoundHandler } from "../http/not-found.ts";
import { OpenConnections, type RequestInProgress } from "../http/open-connections.ts";
import { orPreflight } from "../http/preflight.ts";
import { type RequestRouteSettings, type Route, requestRoutes } from "../http/request-routes.ts";
import { type ServeSettings, serve, serveContext } from "../http/serve.ts";
import { WebsocketServer, type WebsocketSettings } from "../http/websocket/websocket-server.ts";
import type { Log } from "../observe/log.ts";
import type { Handler } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";

export type SealedAppSettings = RequestRouteSettings & WebsocketSettings & ConnectionSettings & ServeSettings;

export interface SealedApp {
  /** Opens the port; answers the one that was given when the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Takes no new connections, lets requests in progress finish. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  terminate(): void;
  /** The requests that have no answer yet. */
  inProgress(): readonly RequestInProgress[];
}

export function createSealedApp(services: RequestServices, settings: SealedAppSettings, log: Log): SealedApp {
  const { reportBug, answerMemory } = services;
  const bodies = new BufferedBodies(settings.maxBufferedBodyBytes);
  const connections = new OpenConnections(new WebsocketServer(services, settings, log, bodies));
  const context = serveContext(settings, { log, reportBug, connections, bodies, answerMemory });
  const find = routeFinder(requestRoutes(services, settings));
  const server = createServer(httpOptions(settings), (request, reply) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const handler = find(request.method ?? "GET", path) ?? notFoundHandler;
    void serve(context, orPreflight(settings, handler), request, reply);
  });
  continueOnRead(server);
  connections.track(server);
  server.on("clientError", answerClientError);
  return {
    async listen() {
      await listenOn(settings, ({ host, port }) => {
        return new Promise<void>((resolve, reject) => {
          server.once("error", reject);
          server.listen(port, host, () => {
            server.off("error", reject);
            resolve();
          });
        });
      });
      return { port: portOf(server) };
    },
    close: () => connections.close(() => new Promise((resolve) => server.close(() => resolve()))),
    terminate: () => connections.terminate(),
    inProgress: () => connections.inProgress(),
  };
}

/** The handler of a method and a path. `HEAD` goes where `GET` goes: Node leaves the body out. */
function routeFinder(routes: readonly Route[]): (method: string, path: string) => Handler | undefined {
  const exact = new Map<string, Handler>();
  const prefixes: (readonly [string, Handler])[] = [];
  for (const { method, path, handler } of routes) {
    if (method === "ANY") prefixes.push([path.replace(/\*$/, ""), handler]);
    else exact.set(`${method} ${path}`, handler);
  }
  return (method, path) =>
    exact.get(`${method === "HEAD" ? "GET" : method} ${path}`) ??
    prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
}
