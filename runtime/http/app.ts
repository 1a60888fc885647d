/** What every HTTP server of the product has, whatever finds its routes: bounds, WebSockets, its end. */
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
  /** Opens the port; answers the one that was given when the setting is 0. */
  listen(): Promise<{ readonly port: number }>;
  /** Instead of listening: takes what another server of the program received. */
  mount(): Promise<Mounted>;
  /** Instead of listening: @returns what takes connections that another process accepted */
  adopt(): Promise<(connection: Socket) => void>;
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

/** How one kind of server begins and ends. */
interface Opening {
  readonly listen: (address: Address) => Promise<unknown>;
  /** Resolves when requests find their routes. */
  readonly ready: () => Promise<unknown>;
  /** Resolves when the last connection is closed. */
  readonly close: () => Promise<void>;
}

export interface AppCore {
  /** What requests are served with. */
  readonly context: ServeContext;
  appOf(server: Server, opening: Opening): App;
}

export function appCore(services: RequestServices, settings: AppSettings, log: Log): AppCore {
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
  return {
    context: serveContext(settings, {
      log,
      telemetry,
      slowOperations,
      reportBug,
      connections,
      bodies,
      answerMemory,
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
