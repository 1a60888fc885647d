/**
 * GraphQL over WebSocket: takes over the requests that ask for it and serves each connection until one side ends it.
 * Wiring only: `handshake.ts` decides who may come, `connection.ts` what is answered, `socket.ts` how it is sent.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket as RawSocket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Options } from "../../config/option-table.ts";
import type { Log } from "../../observe/logs/log.ts";
import { WebsocketLog } from "../../observe/logs/websocket-log.ts";
import { logEndOfSockets, type SocketEvent, socketLog } from "../../observe/logs/websocket-server-log.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import { noIdentity } from "../../ports/metrics.ts";
import type { RequestServices } from "../../ports/services.ts";
import { callAt } from "../../values/call-at.ts";
import { type PageCheck, type PageSettings, pageCheck } from "../auth/foreign-page.ts";
import { answerBare } from "../bare-answer.ts";
import { type BodyLimits, type BodySettings, bodyLimits } from "../body-limits.ts";
import type { BufferedBodies } from "../buffered-bodies.ts";
import type { Channel } from "./channel.ts";
import { Connection } from "./connection.ts";
import { type Handshake, type HandshakeSettings, readHandshake } from "./handshake.ts";
import { Inbox } from "./inbox.ts";
import { MessageBound } from "./message-bound.ts";
import { type Closing, chooseProtocol, metadataChanged, sessionExpired, shuttingDown } from "./protocol.ts";
import { ResultEndings } from "./result-frame.ts";
import { Socket } from "./socket.ts";

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

/** So long the client has for its part of the closing handshake. */
const closeMilliseconds = 3000;

const serverOptions = (settings: WebsocketSettings) => ({
  noServer: true,
  handleProtocols: (_offered: ReadonlySet<string>, { headers }: IncomingMessage) =>
    chooseProtocol(headers["sec-websocket-protocol"]).name,
  clientTracking: false,
  // Of all roles; `MessageBound` knows those of the session.
  maxPayload: settings.maxBodyBytes,
  closeTimeout: closeMilliseconds,
  // Without what one message could gain from earlier ones: it costs each connection hundreds of kilobytes.
  perMessageDeflate: settings.websocketCompression
    ? {
        serverNoContextTakeover: true,
        clientNoContextTakeover: true,
        threshold: 1024,
        zlibDeflateOptions: { level: 1 },
      }
    : false,
});

/** A connection with its socket. */
interface Live {
  /** Lets the operation in progress finish, then closes. */
  end(closing: Closing): void;
  terminate(): void;
}

interface ConnectionLogs {
  readonly log: WebsocketLog;
  /** Absent where nobody reads it. */
  readonly noteEvent: ((event: SocketEvent) => void) | undefined;
}

type Accepted = Extract<Handshake, { kind: "accepted" }>;

export class WebsocketServer {
  readonly #services: RequestServices;
  readonly #settings: WebsocketSettings;
  readonly #pageCheck: PageCheck | null;
  readonly #log: Log;
  readonly #server: WebSocketServer;
  readonly #live = new Set<Live>();
  readonly #endings = new ResultEndings();
  readonly #bodies: BufferedBodies;
  readonly #bodyLimits: BodyLimits;
  #isClosing = false;

  /** @param bodies those of all requests of the process */
  constructor(services: RequestServices, settings: WebsocketSettings, log: Log, bodies: BufferedBodies) {
    this.#services = services;
    this.#settings = settings;
    this.#pageCheck = pageCheck(settings);
    this.#log = log;
    this.#bodies = bodies;
    this.#bodyLimits = bodyLimits(settings);
    this.#server = new WebSocketServer(serverOptions(settings));
  }

  /** How many connections there are. */
  get count(): number {
    return this.#live.size;
  }

  /** Takes over a request that asks for a WebSocket; to be called for the event `upgrade` of a server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    if (this.#isClosing) {
      answerBare(socket, 503, { "retry-after": "0", "content-type": "text/plain" }, "Server is shutting down");
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
      answerBare(socket, handshake.error.status, headers, handshake.body);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      log.accepted(handshake.note);
      noteEvent?.({ type: "accepted", protocol: handshake.protocol.name });
      this.#serve(ws, request.socket, handshake, { log, noteEvent });
    });
  }

  /** What connections were authenticated and planned for is no longer so. */
  metadataChanged(): void {
    if (this.#settings.closeWebsocketsOnMetadataChange) this.#endAll(metadataChanged);
  }

  /** Accepts no further connections and ends those that are open, after what they have in progress. */
  close(): void {
    this.#isClosing = true;
    this.#endAll(shuttingDown);
  }

  /** Ends all connections at once. */
  terminate(): void {
    for (const live of this.#live) live.terminate();
  }

  #endAll(closing: Closing): void {
    logEndOfSockets(this.#log, this.#live.size, closing);
    for (const live of this.#live) live.end(closing);
  }

  #serve(
    ws: WebSocket,
    raw: RawSocket,
    { protocol, headers, renderError, api }: Accepted,
    { log, noteEvent }: ConnectionLogs,
  ): void {
    const services = { ...this.#services, graphql: this.#services[api] };
    const { meters } = services.telemetry;
    const onWritten = meters.isOn ? (seconds: number) => meters.websocketWriteTime.record(seconds) : undefined;
    const socket = new Socket(ws, raw, protocol.keepAlive, onWritten);
    let initTimer: NodeJS.Timeout | undefined;
    let forgetExpiry = (): void => {};
    const inbox = new Inbox(
      async (text) => {
        try {
          await connection.handle(text);
        } catch (bug) {
          close({ code: 1011, reason: services.reportBug(bug, headers["x-request-id"] ?? "").message });
        }
        bound.handled(text);
        // A client that does not read its answers is not asked what else it wants.
        await socket.flushed();
      },
      socket,
      (waited) => meters.websocketQueueTime.record(waited),
    );
    const bound = new MessageBound(this.#bodies, (closing) => {
      inbox.close(() => {});
      release();
      socket.closeUnread(closing);
    });
    const release = (): void => {
      clearTimeout(initTimer);
      forgetExpiry();
      inbox.clear();
      connection.end();
    };
    const close = (closing: Closing): void => {
      inbox.close(() => {});
      release();
      socket.close(closing);
    };
    const channel: Channel = {
      send(text, about = noIdentity) {
        socket.send(text);
        if (meters.isOn) meters.websocketSent.add(Buffer.byteLength(text), about);
        noteEvent?.({ type: "message_sent", size: Buffer.byteLength(text) });
      },
      sendParts(beginning, ending, about = noIdentity) {
        socket.sendParts(beginning, ending);
        const size = beginning.length + ending.length;
        meters.websocketSent.add(size, about);
        noteEvent?.({ type: "message_sent", size });
      },
      sendKeepAlive: () => socket.sendKeepAlive(),
      isBusy: () => socket.isBusy(),
      close,
      closeAfterWaiting: (closing) => inbox.close(() => close(closing)),
    };
    const onInit = (): void => {
      clearTimeout(initTimer);
      // Others have to be asked, perhaps: meanwhile the client may not send what only a session may.
      inbox.hold();
    };
    const onSession = (session: AuthenticatedSession): void => {
      bound.allow(Math.min(this.#bodyLimits(session).bytes, this.#settings.maxBodyBytes));
      inbox.unhold();
      const { expiresAt } = session;
      // The client may have gone while it was authenticated.
      if (expiresAt === undefined || !this.#live.has(live)) return;
      forgetExpiry = callAt(expiresAt, () => {
        noteEvent?.({ type: "session_expired" });
        close(sessionExpired);
      });
    };
    const connection = new Connection({
      channel,
      protocol,
      headers,
      address: raw.remoteAddress ?? "",
      renderError,
      services,
      endings: this.#endings,
      caller: {
        get aborted() {
          return raw.destroyed;
        },
      },
      log,
      onInit,
      onSession,
      onRefusal: () => inbox.unhold(),
    });
    const live: Live = {
      end(closing) {
        release();
        inbox.close(() => close(closing));
      },
      terminate: () => socket.terminate(),
    };
    this.#live.add(live);
    // Before `ws` gets to see them.
    raw.prependListener("data", (chunk: Buffer) => bound.received(chunk.length));
    ws.on("ping", (data: Buffer) => bound.control(data.length));
    ws.on("pong", (data: Buffer) => bound.control(data.length));
    ws.on("message", (data: Buffer) => {
      if (!bound.complete(data.length) || inbox.isClosed) return;
      meters.websocketReceived.add(data.length);
      noteEvent?.({ type: "message_received", size: data.length });
      const text = data.toString("utf8");
      connection.notice(text);
      inbox.push(text);
    });
    ws.on("error", ({ message }) => log.connectionError(message));
    ws.on("close", (code, reason) => {
      this.#live.delete(live);
      inbox.close(() => {});
      release();
      bound.release();
      log.closed(code, reason.toString("utf8"));
      noteEvent?.({ type: "closed", code });
    });
    const initSeconds = this.#settings.websocketInitTimeoutSeconds;
    if (initSeconds > 0) initTimer = setTimeout(() => close(protocol.initTimeout), initSeconds * 1000);
    socket.startKeepAlive(this.#settings.websocketKeepaliveSeconds);
  }
}
