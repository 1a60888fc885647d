/** Builds what live and sealed HTTP servers share: limits, WebSockets, event streams, shutdown. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../observe/logs/log.ts";
import type { RequestServices } from "../ports/services.ts";
import { BufferedBodies } from "./buffered-bodies.ts";
import {
  type Address,
  adopter,
  type ConnectionSettings,
  continueOnRead,
  listenOn,
  portOf,
  secondServer,
} from "./connections.ts";
import { EventStreams } from "./events/event-streams.ts";
import { type Mounted, mountedOn } from "./mounted.ts";
import { OpenConnections, type RequestInProgress } from "./open-connections.ts";
import { type ServeContext, type ServeSettings, serveContext } from "./serve.ts";
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

export type AppSettings = WebsocketSettings & ConnectionSettings & ServeSettings;

/** Starts and ends one kind of server. */
interface Opening {
  readonly listen: (address: Address) => Promise<unknown>;
  /** Resolves when the router is ready. */
  readonly ready: () => Promise<unknown>;
  /** Resolves when the last connection is closed. */
  readonly close: () => Promise<void>;
}

export interface AppCore {
  readonly context: ServeContext;
  appOf(server: Server, opening: Opening): App;
}

export function appCore(services: RequestServices, settings: AppSettings, log: Log): AppCore {
  const { reportBug, responseMemory, telemetry, slowOperations, roleUsage } = services;
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
  return {
    context: serveContext(settings, {
      log,
      telemetry,
      slowOperations,
      roleUsage,
      reportBug,
      connections,
      bodies,
      responseMemory,
      eventStreams,
    }),
    appOf(server, { listen, ready, close }) {
      let stopListening = close;
      continueOnRead(server);
      connections.track(server);
      return {
        async listen() {
          const second = await listenOn(settings, { server, listen, second: () => secondServer(server) });
          stopListening = () => {
            second?.close();
            return close();
          };
          return { port: portOf(server) };
        },
        async mount() {
          await ready();
          stopListening = () => connections.idle();
          return mountedOn(server);
        },
        async adopt() {
          await ready();
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
    },
  };
}
