/**
 * The live HTTP server: Fastify finds routes and looks after connections, `serve.ts` does the rest. Bodies are
 * taken as text whatever their content type says, so requests leave Fastify before its body parsers; those whose route is
 * a look-up do not enter it.
 */
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type App, type AppSettings, appCore } from "../../http/app.ts";
import { answerClientError, httpOptions } from "../../http/connections.ts";
import { notFoundHandler } from "../../http/not-found.ts";
import { orPreflight } from "../../http/preflight.ts";
import type { Route } from "../../http/request-routes.ts";
import { restPrefix } from "../../http/rest.ts";
import { exactRoutes } from "../../http/route-finder.ts";
import { createRoutes, type RouteSettings } from "../../http/routes.ts";
import { type ServeContext, serve } from "../../http/serve.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Handler } from "../../ports/request.ts";
import type { Services } from "../../ports/services.ts";

export type LiveAppSettings = RouteSettings & AppSettings;

export function createLiveApp(services: Services, settings: LiveAppSettings, log: Log): App {
  const { context, appOf } = appCore(services, settings, log);
  const routes = createRoutes(services, settings);
  const server = createServer(settings, context, routes);
  const leaveFastify = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    void serve(context, handler, request.raw, reply.raw);
  };
  for (const { method: only, path, handler } of routes) {
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

function createServer(settings: LiveAppSettings, context: ServeContext, routes: readonly Route[]): FastifyInstance {
  return Fastify({
    logger: false,
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // Paths that cannot be decoded: the handler of REST endpoints says which segment is malformed.
    frameworkErrors: (_error, request, reply) => {
      const isRest = request.raw.url?.startsWith(restPrefix) === true;
      const rest = isRest ? routes.find(({ path }) => path.startsWith(restPrefix)) : undefined;
      reply.hijack();
      void serve(context, rest?.handler ?? notFoundHandler, request.raw, reply.raw);
    },
    // NodeRequest reads the query string when a handler asks for it.
    routerOptions: { querystringParser: () => ({}) },
    // The usual ones load two compilers of JSON Schema.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    serverFactory: (enterFastify) => httpServer(settings, context, { routes, enterFastify }),
  });
}

/** Of Fastify's routes none says what it takes and answers: that is up to their handlers. */
const noSchemas = (): never => {
  throw new Error("invariant: no route has a schema");
};

function httpServer(
  settings: LiveAppSettings,
  context: ServeContext,
  { routes, enterFastify }: { readonly routes: readonly Route[]; readonly enterFastify: RequestListener },
): Server {
  const find = exactRoutes(routes);
  return createHttpServer(httpOptions(settings), (request, reply) => {
    const handler = find(request);
    if (handler) void serve(context, handler, request, reply);
    else enterFastify(request, reply);
  });
}

function unreachable(): never {
  throw new Error("invariant: the request has left Fastify before");
}
