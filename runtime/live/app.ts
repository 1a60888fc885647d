/**
 * The live HTTP server: Fastify finds the route and looks after connections, `serve.ts` does the rest. Bodies are
 * taken as text whatever their content type says, so the request leaves Fastify before its body parsers.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type App, type AppSettings, appCore } from "../http/app.ts";
import { answerClientError, httpOptions } from "../http/connections.ts";
import { notFoundHandler } from "../http/not-found.ts";
import { orPreflight } from "../http/preflight.ts";
import { createRoutes, type RouteSettings } from "../http/routes.ts";
import { type ServeContext, serve } from "../http/serve.ts";
import type { Log } from "../observe/log.ts";
import type { Handler } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";

export type LiveAppSettings = RouteSettings & AppSettings;

export function createLiveApp(services: Services, settings: LiveAppSettings, log: Log): App {
  const { context, appOf } = appCore(services, settings, log);
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
  return appOf(server.server, {
    listen: (address) => server.listen(address),
    ready: async () => server.ready(),
    close: () => server.close(),
  });
}

function createServer(settings: LiveAppSettings, context: ServeContext): FastifyInstance {
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
