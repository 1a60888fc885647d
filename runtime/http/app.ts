/**
 * The HTTP server, live or sealed: its routes are given. Bounds of its connections, WebSockets, its beginning and end.
 */
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../observe/log.ts";
import type { RequestServices } from "../ports/services.ts";
import { BufferedBodies } from "./buffered-bodies.ts";
import {
  adopter,
  answerClientError,
  type ConnectionSettings,
  continueOnRead,
  httpOptions,
  listenOn,
  portOf,
} from "./connections.ts";
import { EventStreams } from "./events/event-streams.ts";
import { type Mounted, mountedOn } from "./mounted.ts";
import { OpenConnections, type RequestInProgress } from "./open-connections.ts";
import { orPreflight } from "./preflight.ts";
import type { Route } from "./request-routes.ts";
import { routeFinder } from "./route-finder.ts";
import { type ServeSettings, serve, serveContext } from "./serve.ts";
import { WebsocketServer, type WebsocketSettings } from "./websocket/websocket-server.ts";

export interface App {
  /** Opens the port; answers the one that was given when the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Instead of listening: takes what another server of the program received. */
  mount(): Mounted;
  /** Instead of listening: @returns what takes connections that another process accepted */
  adopt(): (connection: Socket) => void;
  /** Closes WebSockets and event streams, unless the settings keep them open. */
  metadataChanged(): void;
  /** Takes no new connections, lets requests in progress finish. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  terminate(): void;
  /** The requests that have no answer yet. */
  inProgress(): readonly RequestInProgress[];
}

export type AppSettings = WebsocketSettings & ConnectionSettings & ServeSettings;

export function createApp(
  services: RequestServices,
  settings: AppSettings,
  { routes, log }: { readonly routes: readonly Route[]; readonly log: Log },
): App {
  const { reportBug, answerMemory, telemetry, slowOperations } = services;
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
    slowOperations,
    reportBug,
    connections,
    bodies,
    answerMemory,
    eventStreams,
  });
  const find = routeFinder(routes, (handler) => orPreflight(settings, handler));
  const server = createServer(httpOptions(settings), (request, reply) => {
    void serve(context, find(request), request, reply);
  });
  server.on("clientError", answerClientError);
  continueOnRead(server);
  connections.track(server);
  let stopListening = (): Promise<void> => closed(server);
  return {
    async listen() {
      await listenOn(settings, server);
      return { port: portOf(server) };
    },
    mount() {
      stopListening = () => connections.idle();
      return mountedOn(server);
    },
    adopt() {
      stopListening = () => connections.idle();
      return adopter(server);
    },
    metadataChanged() {
      websockets.metadataChanged();
      eventStreams.metadataChanged();
    },
    close() {
      const ended = connections.close(() => stopListening());
      eventStreams.endAll();
      return ended;
    },
    terminate: () => connections.terminate(),
    inProgress: () => connections.inProgress(),
  };
}

/** Resolves when the last connection is closed, and where it does not listen. */
const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
