/**
 * The live HTTP server: Fastify finds the route and looks after connections, `serve.ts` does the rest. Bodies are
 * taken as text whatever their content type says, so the request leaves Fastify before its body parsers.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Log } from "../observe/log.ts";
import type { Handler } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import { BufferedBodies } from "./buffered-bodies.ts";
import {
  answerClientError,
  type ConnectionSettings,
  continueOnRead,
  httpOptions,
  listenOn,
  portOf,
} from "./connections.ts";
import { notFoundHandler } from "./not-found.ts";
import { OpenConnections, type RequestInProgress } from "./open-connections.ts";
import { orPreflight } from "./preflight.ts";
import { createRoutes, type RouteSettings } from "./routes.ts";
import { type ServeContext, type ServeSettings, serve, serveContext } from "./serve.ts";
import { WebsocketServer, type WebsocketSettings } from "./websocket/websocket-server.ts";

export type AppSettings = RouteSettings & WebsocketSettings & ConnectionSettings & ServeSettings;

export interface App {
  /** Opens the port; answers the one that was given when the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Closes WebSockets, unless the settings keep them open. */
  metadataChanged(): void;
  /** Takes no new connections, lets requests in progress finish. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  terminate(): void;
  /** The requests that have no answer yet. */
  inProgress(): readonly RequestInProgress[];
}

export function createApp(services: Services, settings: AppSettings, log: Log): App {
  const { reportBug, answerMemory } = services;
  const bodies = new BufferedBodies(settings.maxBufferedBodyBytes);
  const websockets = new WebsocketServer(services, settings, log, bodies);
  const connections = new OpenConnections(websockets);
  const context = serveContext(settings, { log, reportBug, connections, bodies, answerMemory });
  const server = createServer(settings, context);
  const leaveFastify = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    void serve(context, handler, request.raw, reply.raw);
  };
  for (const { method: only, path, handler } of createRoutes(services, settings)) {
    const method = only === "ANY" ? server.supportedMethods : only;
    server.route({ method, url: path, onRequest: leaveFastify(orPreflight(settings, handler)), handler: unreachable });
  }
  const elsewhere = orPreflight(settings, notFoundHandler);
  server.route({ method: server.supportedMethods, url: "*", onRequest: leaveFastify(elsewhere), handler: unreachable });
  server.setNotFoundHandler(leaveFastify(notFoundHandler));
  continueOnRead(server.server);
  connections.track(server.server);
  return {
    async listen() {
      await listenOn(settings, (address) => server.listen(address));
      return { port: portOf(server.server) };
    },
    metadataChanged: () => websockets.metadataChanged(),
    close: () => connections.close(() => server.close()),
    terminate: () => connections.terminate(),
    inProgress: () => connections.inProgress(),
  };
}

function createServer(settings: AppSettings, context: ServeContext): FastifyInstance {
  return Fastify({
    logger: false,
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // Paths that cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      void serve(context, notFoundHandler, request.raw, reply.raw);
    },
    // NodeRequest reads the query string when a handler asks for it.
    routerOptions: { querystringParser: () => ({}) },
    http: httpOptions(settings),
  });
}

function unreachable(): never {
  throw new Error("invariant: the request has left Fastify before");
}
