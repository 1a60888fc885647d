/** The HTTP server: routes, limits, WebSockets, event streams, shutdown. */
import { createServer } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../observe/logs/log.ts";
import type { RequestServices } from "../ports/services.ts";
import { BufferedBodies } from "./buffered-bodies.ts";
import {
  type Address,
  adopter,
  type ConnectionSettings,
  continueOnRead,
  httpOptions,
  listenAt,
  listenOn,
  portOf,
  respondToClientError,
  secondServer,
} from "./connections.ts";
import { type CorsSettings, orPreflight } from "./cors.ts";
import { EventStreams } from "./events/event-streams.ts";
import { type Mounted, mountedOn } from "./mounted.ts";
import { OpenConnections, type RequestInProgress } from "./open-connections.ts";
import { type RequestRouteSettings, type Route, unroutedHandler } from "./request-routes.ts";
import { routeFinder } from "./route-finder.ts";
import { type ServeContext, type ServeSettings, serve, serveContext } from "./serve.ts";
import { WebsocketServer, type WebsocketSettings } from "./websocket/websocket-server.ts";

export interface App {
  /** Opens the port and returns its number, which the system chooses if the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Serves requests that a host program received, instead of listening. */
  mount(): Promise<Mounted>;
  /**
   * Serves connections that another process accepted, instead of listening.
   * @returns a function that adds a connection
   */
  adopt(): Promise<(connection: Socket) => void>;
  /** Closes WebSockets and event streams, unless the settings keep them open. */
  metadataChanged(): void;
  /** Accepts no further connections; resolves when requests in progress have finished. */
  close(): Promise<void>;
  /** Closes every connection immediately. */
  terminate(): void;
  /** Returns the requests that have no response yet. */
  inProgress(): readonly RequestInProgress[];
}

export type AppSettings = WebsocketSettings &
  ConnectionSettings &
  ServeSettings &
  CorsSettings &
  Pick<RequestRouteSettings, "enabledApis">;

/** Creates the server of these routes. */
export function createApp(routes: readonly Route[], services: RequestServices, settings: AppSettings, log: Log): App {
  const { telemetry } = services;
  const bodies = new BufferedBodies(settings.maxBufferedBodyBytes);
  const websockets = new WebsocketServer(services, settings, log, bodies);
  const eventStreams = new EventStreams(settings);
  const connections = new OpenConnections(websockets);
  const { httpConnections, websocketConnections, eventStreams: openStreams } = telemetry.meters;
  telemetry.meters.onRead(() => {
    httpConnections.set(connections.count);
    websocketConnections.set(websockets.count);
    openStreams.set(eventStreams.count);
  });
  const context = serveContext(settings, {
    log,
    telemetry,
    slowOperations: services.slowOperations,
    roleUsage: services.roleUsage,
    reportBug: services.reportBug,
    connections,
    bodies,
    responseMemory: services.responseMemory,
    eventStreams,
  });
  const server = createRoutedServer(routes, settings, context);
  connections.track(server);
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  let stopListening = close;
  return {
    async listen() {
      const listen = (address: Address) => listenAt(server, address);
      const second = await listenOn(settings, { server, listen, second: () => secondServer(server) });
      stopListening = () => {
        second?.close();
        return close();
      };
      return { port: portOf(server) };
    },
    async mount() {
      stopListening = () => connections.idle();
      return mountedOn(server);
    },
    async adopt() {
      stopListening = () => connections.idle();
      return adopter(server);
    },
    metadataChanged() {
      websockets.metadataChanged();
      eventStreams.metadataChanged();
    },
    close() {
      const closed = connections.close(stopListening);
      eventStreams.endAll();
      return closed;
    },
    terminate: () => connections.terminate(),
    inProgress: () => connections.inProgress(),
  };
}

function createRoutedServer(routes: readonly Route[], settings: AppSettings, context: ServeContext) {
  const find = routeFinder(routes);
  const unrouted = unroutedHandler(settings);
  const server = createServer(httpOptions(settings), (request, reply) => {
    const handler = find(request) ?? unrouted;
    // Only OPTIONS may be a preflight.
    void serve(context, request.method === "OPTIONS" ? orPreflight(settings, handler) : handler, request, reply);
  });
  server.on("clientError", respondToClientError);
  continueOnRead(server);
  return server;
}
