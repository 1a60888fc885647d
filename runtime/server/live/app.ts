/**
 * The live HTTP server. Fastify owns the listener and routes requests; `serve.ts` handles them. Requests leave Fastify at
 * `onRequest`, before it refuses malformed content types, since endpoints accept bodies of any type
 * (`docs/internals/libraries.md`).
 */
import { createServer as createHttpServer } from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type App, type AppSettings, appCore } from "../../http/app.ts";
import { httpOptions, respondToClientError } from "../../http/connections.ts";
import { orPreflight } from "../../http/cors.ts";
import { notFoundHandler, type Route, unroutedHandler } from "../../http/request-routes.ts";
import { restPrefix } from "../../http/rest.ts";
import { recordRoute } from "../../http/route-finder.ts";
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
  for (const { method, path, handler } of routes) {
    const isAny = method === "ANY";
    const methods = isAny ? server.supportedMethods : method;
    const onRequest = leaveFastify(isAny ? orPreflight(settings, handler) : recordRoute(path, handler));
    server.route({ method: methods, url: path, onRequest, handler: unreachable });
  }
  const unrouted = leaveFastify(orPreflight(settings, unroutedHandler(settings)));
  server.route({ method: server.supportedMethods, url: "*", onRequest: unrouted, handler: unreachable });
  server.setNotFoundHandler(unrouted);
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
    clientErrorHandler: respondToClientError,
    // Handles paths that cannot be decoded; the handler of REST endpoints reports the malformed segment.
    frameworkErrors: (_error, request, reply) => {
      const isRest = request.raw.url?.startsWith(restPrefix) === true;
      const rest = isRest ? routes.find(({ path }) => path.startsWith(restPrefix)) : undefined;
      reply.hijack();
      void serve(context, rest?.handler ?? notFoundHandler, request.raw, reply.raw);
    },
    // NodeRequest parses the query string on first use.
    routerOptions: { querystringParser: () => ({}) },
    // The default factories load two JSON Schema compilers.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    serverFactory: (listener) => createHttpServer(httpOptions(settings), listener),
  });
}

/** Handlers validate their input themselves. */
const noSchemas = (): never => {
  throw new Error("invariant: no route has a schema");
};

function unreachable(): never {
  throw new Error("invariant: requests leave Fastify before its handlers run");
}
