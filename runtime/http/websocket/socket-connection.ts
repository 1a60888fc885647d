/** Connects an accepted WebSocket with its message queue, its message limits and the state machine that handles messages. */
import type { Socket as RawSocket } from "node:net";
import type { WebSocket } from "ws";
import type { Options } from "../../config/option-table.ts";
import type { WebsocketLog } from "../../observe/logs/websocket-log.ts";
import type { SocketEvent } from "../../observe/logs/websocket-server-log.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import { type Meters, noIdentity } from "../../ports/metrics.ts";
import type { RequestServices } from "../../ports/services.ts";
import { callAt } from "../../values/timer.ts";
import type { BodyLimits } from "../body-limits.ts";
import type { BufferedBodies } from "../buffered-bodies.ts";
import type { Channel } from "./channel.ts";
import { Connection } from "./connection.ts";
import type { Handshake } from "./handshake.ts";
import { Inbox } from "./inbox.ts";
import { MessageBound } from "./message-bound.ts";
import { type Closing, sessionExpired } from "./protocol.ts";
import type { ResultEndings } from "./result-frame.ts";
import { Socket } from "./socket.ts";

/** Shared by all connections of a server. */
export interface ConnectionContext {
  readonly services: RequestServices;
  readonly settings: Pick<Options, "websocketKeepaliveSeconds" | "websocketInitTimeoutSeconds" | "maxBodyBytes">;
  readonly endings: ResultEndings;
  readonly bodies: BufferedBodies;
  readonly bodyLimits: BodyLimits;
}

export interface ConnectionLogs {
  readonly log: WebsocketLog;
  /** Logs an event of the connection; absent if the log type is disabled. */
  readonly noteEvent: ((event: SocketEvent) => void) | undefined;
}

/** An accepted handshake with its socket. */
export interface AcceptedSocket {
  readonly ws: WebSocket;
  readonly raw: RawSocket;
  readonly handshake: Extract<Handshake, { kind: "accepted" }>;
}

export class SocketConnection {
  readonly #context: ConnectionContext;
  readonly #accepted: AcceptedSocket;
  readonly #logs: ConnectionLogs;
  readonly #meters: Meters;
  readonly #socket: Socket;
  readonly #inbox: Inbox;
  readonly #bound: MessageBound;
  readonly #connection: Connection;
  #initTimer: NodeJS.Timeout | undefined;
  #cancelExpiry = (): void => {};
  #isClosed = false;

  /** @param onClosed called when the socket has closed */
  constructor(context: ConnectionContext, accepted: AcceptedSocket, logs: ConnectionLogs, onClosed: () => void) {
    this.#context = context;
    this.#accepted = accepted;
    this.#logs = logs;
    const { ws, raw, handshake } = accepted;
    const { protocol } = handshake;
    const { meters } = context.services.telemetry;
    this.#meters = meters;
    const onWritten = meters.isOn ? (seconds: number) => meters.websocketWriteTime.record(seconds) : undefined;
    this.#socket = new Socket(ws, raw, protocol.keepAlive, onWritten);
    const handle = (text: string) => this.#handle(text);
    this.#inbox = new Inbox(handle, this.#socket, (waited) => meters.websocketQueueTime.record(waited));
    this.#bound = new MessageBound(context.bodies, (closing) => {
      this.#inbox.close(() => {});
      this.#release();
      this.#socket.closeUnread(closing);
    });
    this.#connection = this.#connect();
    this.#listen(onClosed);
    const { websocketInitTimeoutSeconds: initSeconds, websocketKeepaliveSeconds } = context.settings;
    if (initSeconds > 0) this.#initTimer = setTimeout(() => this.#close(protocol.initTimeout), initSeconds * 1000);
    this.#socket.startKeepAlive(websocketKeepaliveSeconds);
  }

  /** Closes the socket when the operation in progress has finished. */
  end(closing: Closing): void {
    this.#release();
    this.#inbox.close(() => this.#close(closing));
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #connect(): Connection {
    const { services, endings } = this.#context;
    const { raw, handshake } = this.#accepted;
    const { protocol, headers, renderError, api } = handshake;
    return new Connection({
      channel: this.#channel(),
      protocol,
      headers,
      address: raw.remoteAddress ?? "",
      renderError,
      services: { ...services, graphql: services[api] },
      endings,
      caller: {
        get aborted() {
          return raw.destroyed;
        },
      },
      log: this.#logs.log,
      onInit: () => {
        clearTimeout(this.#initTimer);
        // The socket stays paused until authentication has finished.
        this.#inbox.hold();
      },
      onSession: (session) => this.#begin(session),
      onRefusal: () => this.#inbox.unhold(),
    });
  }

  #channel(): Channel {
    const noteSent = (size: number): void => this.#logs.noteEvent?.({ type: "message_sent", size });
    return {
      send: (text, operation = noIdentity) => {
        this.#socket.send(text);
        if (this.#meters.isOn) this.#meters.websocketSent.add(Buffer.byteLength(text), operation);
        noteSent(Buffer.byteLength(text));
      },
      sendParts: (beginning, ending, operation = noIdentity) => {
        this.#socket.sendParts(beginning, ending);
        const size = beginning.length + ending.length;
        this.#meters.websocketSent.add(size, operation);
        noteSent(size);
      },
      sendKeepAlive: () => this.#socket.sendKeepAlive(),
      isBusy: () => this.#socket.isBusy(),
      close: (closing) => this.#close(closing),
      closeAfterQueued: (closing) => this.#inbox.close(() => this.#close(closing)),
    };
  }

  async #handle(text: string): Promise<void> {
    try {
      await this.#connection.handle(text);
    } catch (bug) {
      const requestId = this.#accepted.handshake.headers["x-request-id"] ?? "";
      this.#close({ code: 1011, reason: this.#context.services.reportBug(bug, requestId).message });
    }
    this.#bound.handled(text);
    // Starts no further operation for a slow consumer.
    await this.#socket.flushed();
  }

  /** Applies the limits of a session, and closes the connection when the session expires. */
  #begin(session: AuthenticatedSession): void {
    const { bodyLimits, settings } = this.#context;
    this.#bound.allow(Math.min(bodyLimits(session).bytes, settings.maxBodyBytes));
    this.#inbox.unhold();
    const { expiresAt } = session;
    // The client may have disconnected during authentication.
    if (expiresAt === undefined || this.#isClosed) return;
    this.#cancelExpiry = callAt(expiresAt, () => {
      this.#logs.noteEvent?.({ type: "session_expired" });
      this.#close(sessionExpired);
    });
  }

  #listen(onClosed: () => void): void {
    const { ws, raw } = this.#accepted;
    const { log, noteEvent } = this.#logs;
    // The listener is prepended, so that it counts bytes before `ws` reads them.
    raw.prependListener("data", (chunk: Buffer) => this.#bound.received(chunk.length));
    ws.on("ping", (data: Buffer) => this.#bound.control(data.length));
    ws.on("pong", (data: Buffer) => this.#bound.control(data.length));
    ws.on("message", (data: Buffer) => {
      if (!this.#bound.complete(data.length) || this.#inbox.isClosed) return;
      this.#meters.websocketReceived.add(data.length);
      noteEvent?.({ type: "message_received", size: data.length });
      const text = data.toString("utf8");
      this.#connection.notice(text);
      this.#inbox.push(text);
    });
    ws.on("error", ({ message }) => log.connectionError(message));
    ws.on("close", (code, reason) => {
      this.#isClosed = true;
      onClosed();
      this.#inbox.close(() => {});
      this.#release();
      this.#bound.release();
      log.closed(code, reason.toString("utf8"));
      noteEvent?.({ type: "closed", code });
    });
  }

  #close(closing: Closing): void {
    this.#inbox.close(() => {});
    this.#release();
    this.#socket.close(closing);
  }

  /** Stops timers and operations. */
  #release(): void {
    clearTimeout(this.#initTimer);
    this.#cancelExpiry();
    this.#inbox.clear();
    this.#connection.end();
  }
}
