/**
 * The live HTTP server: Fastify finds the route and looks after connections, `serve.ts` does the rest. Bodies are
 * taken as text whatever their content type says, so the request leaves Fastify before its body parsers.
 */
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Options } from "../config/option-table.ts";
import type { Log } from "../observe/log.ts";
import { EngineError, invariant } from "../support/errors.ts";
import { bareAnswer } from "./bare-answer.ts";
import { renderError } from "./errors.ts";
import { notFoundHandler } from "./not-found.ts";
import { orPreflight } from "./preflight.ts";
import { createRoutes, type RouteSettings } from "./routes.ts";
import { type ServeContext, serve } from "./serve.ts";
import type { Handler, Services } from "./services.ts";
import { UpgradableRequest } from "./websocket/upgradable-request.ts";
import { WebsocketServer, type WebsocketSettings } from "./websocket/websocket-server.ts";

export type AppSettings = RouteSettings &
  WebsocketSettings &
  Pick<
    Options,
    "serverPort" | "serverHost" | "serverTimeoutSeconds" | "maxTotalHeaderLength" | "disableCors" | "corsDomains"
  >;

export interface App {
  /** Opens the port; answers the one that was given when the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Closes WebSockets, unless the settings keep them open. */
  metadataChanged(): void;
  /** Takes no new connections, lets requests in progress finish, for 30 seconds at most. */
  close(): Promise<void>;
}

const closeMilliseconds = 30_000;
/** Node's own default; the whole body has to be there by then. */
const requestMilliseconds = 300_000;
/** What a JavaScript string can hold. */
const longestBody = 2 ** 29 - 25;

export function createApp(services: Services, settings: AppSettings, log: Log): App {
  let closing = false;
  const { reportBug } = services;
  const context: ServeContext = { cors: settings, log, reportBug, longestBody, isClosing: () => closing };
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
  const websockets = new WebsocketServer(services, settings, log);
  server.server.on("upgrade", (request, socket, head) => websockets.upgrade(request, socket, head));
  return {
    async listen() {
      await listen(server, settings);
      const address = server.server.address();
      invariant(address !== null && typeof address === "object", "a server that listens on a port has an address");
      return { port: address.port };
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
  const headersTimeout = settings.serverTimeoutSeconds * 1000;
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
    http: {
      IncomingMessage: UpgradableRequest,
      maxHeaderSize: settings.maxTotalHeaderLength,
      headersTimeout,
      requestTimeout: Math.max(requestMilliseconds, headersTimeout),
      connectionsCheckingInterval: 1000,
      // Node would take the first of several; a proxy in front may have looked at another one.
      joinDuplicateHeaders: true,
    },
  });
}

function unreachable(): never {
  throw new Error("invariant: the request has left Fastify before");
}

async function listen(server: FastifyInstance, { serverHost, serverPort: port }: AppSettings): Promise<void> {
  if (serverHost !== "*") {
    await server.listen({ host: serverHost, port });
    return;
  }
  try {
    // IPv4 too, on every usual system.
    await server.listen({ host: "::", port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EAFNOSUPPORT" && code !== "EADDRNOTAVAIL") throw error;
    await server.listen({ host: "0.0.0.0", port });
  }
}

/** What cannot be read as a request has no handler; the client is told on the bare socket. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = clientErrors[error.code ?? ""] ?? [400, "malformed HTTP request"];
  const body = renderError(new EngineError("bad-request", "$", message, { status }), false);
  socket.end(bareAnswer(status, { "content-type": "application/json; charset=utf-8" }, body));
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the headers of the request are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request did not arrive in time"],
};
