/**
 * One subscription to a remote schema on its own connection (`graphql-transport-ws`). The connection is not shared,
 * because its handshake carries the headers of one session. Reading pauses while the client is slow, which also slows
 * the server. The protocol's client library is not used, because it parses all messages and cannot pause.
 */

import type { WebSocket } from "ws";
import type { OpenWebSocket } from "../../outbound/web-sockets.ts";
import { type Interruptible, runInSlices } from "../../values/interruptible.ts";
import { JsonScanner } from "../../values/json/scanner.ts";
import { messageOf } from "../../values/message-of.ts";

export interface UpstreamCall {
  readonly url: string;
  /** Headers of the handshake, one character per byte. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly initPayload: string;
  /** The operation with its variables, as JSON text. */
  readonly body: string;
  /** Timeout until the server accepts the operation. */
  readonly milliseconds: number;
}

export interface UpstreamEvents {
  started(): void;
  /**
   * Receives a result.
   * @param payload a result as JSON text
   */
  next(payload: string): Promise<void>;
  /**
   * Called if the server refused the operation.
   * @param errors JSON text
   */
  refused(errors: string): void;
  completed(): void;
  /** Called if the connection was lost or could not be opened. No further events follow. */
  lost(loss: Loss): void;
  /** Called if the client stopped the operation before the server completed it. */
  stopped(): void;
  isBusy(): boolean;
}

export interface Loss {
  readonly reason: string;
  /** If true, a retry would fail in the same way. */
  readonly isFinal: boolean;
  readonly cause?: unknown;
}

const protocol = "graphql-transport-ws";
/** Reading pauses while more messages or characters than this are queued. */
const maxQueuedMessages = 32;
const maxQueuedCharacters = 1024 * 1024;
/** Interval for checking whether a slow client has caught up. */
const busyMilliseconds = 50;
/** Ping interval. A server that sends nothing for two intervals, not even a pong, is considered lost. */
const silenceMilliseconds = 30_000;

export class UpstreamConnection {
  readonly #call: UpstreamCall;
  readonly #events: UpstreamEvents;
  #ws: WebSocket | undefined;
  #isStarted = false;
  #hasEnded = false;
  #queue: string[] = [];
  #queueLength = 0;
  #isHandling = false;
  #startTimer: NodeJS.Timeout | undefined;
  #silenceTimer: NodeJS.Timeout | undefined;
  #wasActive = true;

  constructor(open: OpenWebSocket, call: UpstreamCall, events: UpstreamEvents) {
    this.#call = call;
    this.#events = events;
    const { url, headers, milliseconds } = call;
    this.#startTimer = setTimeout(() => this.#reportLoss({ reason: "Response timeout", isFinal: false }), milliseconds);
    open({ url, headers, milliseconds, protocol }).then(
      (ws) => this.#attach(ws),
      (cause) => this.#reportLoss({ reason: messageOf(cause), isFinal: true, cause }),
    );
  }

  /** Completes the operation at the server and closes the connection. */
  stop(): void {
    if (this.#hasEnded) return;
    if (this.#isStarted) this.#ws?.send('{"id":"1","type":"complete"}');
    this.#end();
    this.#events.stopped();
  }

  #attach(ws: WebSocket): void {
    this.#ws = ws;
    // The listener of `close`, which follows an error, reports the error as the cause.
    let failure: unknown;
    ws.on("error", (error) => {
      failure = error;
      this.#reportLoss({ reason: messageOf(error), isFinal: false, cause: error });
    });
    ws.on("close", (code, reason) => this.#reportLoss({ ...lossOf(code, String(reason)), cause: failure }));
    if (this.#hasEnded) {
      ws.terminate();
      return;
    }
    ws.on("unexpected-response", (request, { statusCode = 0 }) => {
      this.#reportLoss({ reason: `the server responded with status ${statusCode}`, isFinal: statusCode < 500 });
      request.destroy();
    });
    ws.on("open", () => ws.send(`{"type":"connection_init","payload":${this.#call.initPayload}}`));
    ws.on("message", (data) => this.#take(String(data)));
    ws.on("pong", () => {
      this.#wasActive = true;
    });
    this.#silenceTimer = setInterval(() => this.#checkAlive(ws), silenceMilliseconds);
  }

  #checkAlive(ws: WebSocket): void {
    // A paused socket does not deliver pongs.
    if (!this.#wasActive && !ws.isPaused)
      this.#reportLoss({ reason: "the server did not respond to a ping in time", isFinal: false });
    this.#wasActive = false;
    if (ws.readyState === ws.OPEN) ws.ping();
  }

  #take(text: string): void {
    this.#wasActive = true;
    if (this.#hasEnded) return;
    this.#queue.push(text);
    this.#queueLength += text.length;
    if (this.#queue.length > maxQueuedMessages || this.#queueLength > maxQueuedCharacters) this.#ws?.pause();
    if (!this.#isHandling) void this.#handleAll();
  }

  async #handleAll(): Promise<void> {
    this.#isHandling = true;
    try {
      for (let text = this.#queue.shift(); text !== undefined && !this.#hasEnded; text = this.#queue.shift()) {
        this.#queueLength -= text.length;
        await this.#handle(await runInSlices(readStreamMessage(text)));
        if (this.#events.isBusy()) await this.#whileBusy();
      }
    } catch (cause) {
      this.#reportLoss({ reason: `the server sent an invalid message: ${messageOf(cause)}`, isFinal: true, cause });
    }
    this.#isHandling = false;
    if (!this.#hasEnded) this.#ws?.resume();
  }

  async #handle({ type, payload }: StreamMessage): Promise<void> {
    switch (type) {
      case "connection_ack":
        if (this.#isStarted) return;
        this.#isStarted = true;
        clearTimeout(this.#startTimer);
        this.#ws?.send(`{"id":"1","type":"subscribe","payload":${this.#call.body}}`);
        return this.#events.started();
      case "ping":
        this.#ws?.send('{"type":"pong"}');
        return;
      case "next":
        return this.#events.next(payload ?? "null");
      case "error":
        this.#end();
        return this.#events.refused(payload ?? "[]");
      case "complete":
        this.#end();
        return this.#events.completed();
    }
  }

  async #whileBusy(): Promise<void> {
    this.#ws?.pause();
    while (!this.#hasEnded && this.#events.isBusy()) {
      await new Promise((resolve) => setTimeout(resolve, busyMilliseconds));
    }
  }

  #reportLoss(loss: Loss): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#events.lost(loss);
  }

  #end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#startTimer);
    clearInterval(this.#silenceTimer);
    this.#queue = [];
    const ws = this.#ws;
    if (ws === undefined) return;
    // A paused socket cannot complete the closing handshake.
    ws.resume();
    if (ws.readyState === ws.OPEN) ws.close(1000);
    else ws.terminate();
  }
}

/** Close codes 44xx are client errors that a retry would repeat, except a timeout of the initialisation. */
function lossOf(code: number, reason: string): Loss {
  const isFinal = code >= 4400 && code < 4500 && code !== initialisationTimeout;
  return { reason: `the server closed the connection: ${code}${reason === "" ? "" : ` ${reason}`}`, isFinal };
}

const initialisationTimeout = 4408;

// Messages of `graphql-transport-ws`. Payloads are not parsed.

interface StreamMessage {
  readonly type: string;
  /** JSON text. */
  readonly payload?: string;
}

const quote = 34;

/** @throws NotJson */
function* readStreamMessage(text: string): Interruptible<StreamMessage> {
  const scanner = new JsonScanner(text);
  let type = "";
  let payload: string | undefined;
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    const isText = scanner.next() === quote;
    const { from, to } = yield* scanner.value();
    if (key === "payload") payload = text.slice(from, to);
    if (key === "type" && isText) type = String(JSON.parse(text.slice(from, to)));
  }
  scanner.end();
  return { type, ...(payload !== undefined && { payload }) };
}
