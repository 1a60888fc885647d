/**
 * The live HTTP server: Fastify finds the route and looks after connections, `serve.ts` does the rest. Bodies are
 * taken as text whatever their content type says, so the request leaves Fastify before its body parsers.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Log } from "../observe/log.ts";
import {
  answerClientError,
  type ConnectionSettings,
  continueOnRead,
  httpOptions,
  listenOn,
  portOf,
} from "./connections.ts";
import { notFoundHandler } from "./not-found.ts";
import { orPreflight } from "./preflight.ts";
import { createRoutes, type RouteSettings } from "./routes.ts";
import { type ServeContext, type ServeSettings, serve, serveContext } from "./serve.ts";
import type { Handler, Services } from "./services.ts";
import { WebsocketServer, type WebsocketSettings } from "./websocket/websocket-server.ts";

export type AppSettings = RouteSettings & WebsocketSettings & ConnectionSettings & ServeSettings;

export interface App {
  /** Opens the port; answers the one that was given when the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Closes WebSockets, unless the settings keep them open. */
  metadataChanged(): void;
  /** Takes no new connections, lets requests in progress finish, for 30 seconds at most. */
  close(): Promise<void>;
}

const closeMilliseconds = 30_000;

export function createApp(services: Services, settings: AppSettings, log: Log): App {
  let closing = false;
  const { reportBug } = services;
  const context = serveContext(settings, { log, reportBug, isClosing: () => closing });
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
  const websockets = new WebsocketServer(services, settings, log);
  server.server.on("upgrade", (request, socket, head) => websockets.upgrade(request, socket, head));
  return {
    async listen() {
      await listenOn(settings, (address) => server.listen(address));
      return { port: portOf(server.server) };
    },
    metadataChanged: () => websockets.metadataChanged(),
    async close() {
      closing = true;
      websockets.close();
      const cap = setTimeout(() => {
        server.server.closeAllConnections();
        websockets.terminate();
      }, closeMilliseconds);
      await server.close().finally(() => clearTimeout(cap));
    },
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
