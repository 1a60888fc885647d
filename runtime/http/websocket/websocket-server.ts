/**
 * GraphQL over WebSocket: accepts upgrade requests and tracks their connections. `handshake.ts` accepts or rejects a
 * request, `socket-connection.ts` sets up a connection, and `connection.ts` is the state machine of a connection.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Options } from "../../config/option-table.ts";
import type { Log } from "../../observe/logs/log.ts";
import { WebsocketLog } from "../../observe/logs/websocket-log.ts";
import { logEndOfSockets, socketLog } from "../../observe/logs/websocket-server-log.ts";
import type { RequestServices } from "../../ports/services.ts";
import { type PageCheck, type PageSettings, pageCheck } from "../auth/foreign-page.ts";
import { type BodySettings, bodyLimits } from "../body-limits.ts";
import type { BufferedBodies } from "../buffered-bodies.ts";
import { writeBareResponse } from "../responses.ts";
import { type HandshakeSettings, readHandshake } from "./handshake.ts";
import { type Closing, chooseProtocol, metadataChanged, shuttingDown } from "./protocol.ts";
import { ResultEndings } from "./result-frame.ts";
import { type ConnectionContext, SocketConnection } from "./socket-connection.ts";

export type WebsocketSettings = HandshakeSettings &
  PageSettings &
  Pick<
    Options,
    | "websocketKeepaliveSeconds"
    | "websocketInitTimeoutSeconds"
    | "websocketCompression"
    | "closeWebsocketsOnMetadataChange"
    | "logMaskedVariables"
  > &
  BodySettings;

/** The timeout of the closing handshake. */
const closeMilliseconds = 3000;

const serverOptions = (settings: WebsocketSettings) => ({
  noServer: true,
  handleProtocols: (_offered: ReadonlySet<string>, { headers }: IncomingMessage) =>
    chooseProtocol(headers["sec-websocket-protocol"]).name,
  clientTracking: false,
  // This limit covers all roles; `MessageBound` applies the session's limit.
  maxPayload: settings.maxBodyBytes,
  closeTimeout: closeMilliseconds,
  // No context takeover, because it costs hundreds of kilobytes per connection.
  perMessageDeflate: settings.websocketCompression
    ? {
        serverNoContextTakeover: true,
        clientNoContextTakeover: true,
        threshold: 1024,
        zlibDeflateOptions: { level: 1 },
      }
    : false,
});

export class WebsocketServer {
  readonly #context: ConnectionContext;
  readonly #settings: WebsocketSettings;
  readonly #pageCheck: PageCheck | null;
  readonly #log: Log;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<SocketConnection>();
  #isClosing = false;

  /** @param bodies shared by all requests of the process */
  constructor(services: RequestServices, settings: WebsocketSettings, log: Log, bodies: BufferedBodies) {
    this.#context = { services, settings, endings: new ResultEndings(), bodies, bodyLimits: bodyLimits(settings) };
    this.#settings = settings;
    this.#pageCheck = pageCheck(settings);
    this.#log = log;
    this.#server = new WebSocketServer(serverOptions(settings));
  }

  /** The number of open connections. */
  get count(): number {
    return this.#connections.size;
  }

  /** Handles the event `upgrade` of an HTTP server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    if (this.#isClosing) {
      writeBareResponse(socket, 503, { "retry-after": "0", "content-type": "text/plain" }, "Server is shutting down");
      return;
    }
    const id = randomUUID();
    const log = new WebsocketLog(this.#log, this.#settings, id);
    const noteEvent = socketLog(this.#log, id);
    const [path = ""] = (request.url ?? "").split("?", 1);
    noteEvent?.({ type: "connection_request", path });
    const handshake = readHandshake(path, request.headers, this.#settings, this.#pageCheck);
    if (handshake.kind === "rejected") {
      log.rejected(handshake.error);
      noteEvent?.({ type: "rejected", status: handshake.error.status });
      const headers = { "content-type": "application/json; charset=utf-8" };
      writeBareResponse(socket, handshake.error.status, headers, handshake.body);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      log.accepted(handshake.note);
      noteEvent?.({ type: "accepted", protocol: handshake.protocol.name });
      const accepted = { ws, raw: request.socket, handshake };
      const connection = new SocketConnection(this.#context, accepted, { log, noteEvent }, () =>
        this.#connections.delete(connection),
      );
      this.#connections.add(connection);
    });
  }

  /** Closes connections that were authenticated and planned on earlier metadata, unless the settings keep them open. */
  metadataChanged(): void {
    if (this.#settings.closeWebsocketsOnMetadataChange) this.#endAll(metadataChanged);
  }

  /** Accepts no further connections and closes open ones after their operations in progress. */
  close(): void {
    this.#isClosing = true;
    this.#endAll(shuttingDown);
  }

  /** Closes all connections immediately. */
  terminate(): void {
    for (const connection of this.#connections) connection.terminate();
  }

  #endAll(closing: Closing): void {
    logEndOfSockets(this.#log, this.#connections.size, closing);
    for (const connection of this.#connections) connection.end(closing);
  }
}
