/**
 * One subscription to a remote server, on a connection of its own, in `graphql-transport-ws`. What the connection carries
 * in its handshake belongs to one session; and it can be left unread while the client is slow, which slows the server
 * down, too. The client library of the protocol makes values of all messages, and cannot wait.
 */
import type { WebSocket } from "ws";
import type { OpenWebSocket } from "../../outbound/web-sockets.ts";
import { inSlices } from "../../values/interruptible.ts";
import { readStreamMessage, type StreamMessage } from "./stream-message.ts";

export interface UpstreamCall {
  readonly url: string;
  /** Of the handshake, one character per byte. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly initPayload: string;
  /** The operation with its variables, as JSON text. */
  readonly body: string;
  /** Until the server takes the operation. */
  readonly milliseconds: number;
}

export interface UpstreamEvents {
  /** The server has taken the operation. */
  started(): void;
  /** @param payload of a result, as JSON text */
  next(payload: string): Promise<void>;
  /** The server refuses the operation. @param errors JSON text */
  refused(errors: string): void;
  completed(): void;
  /** The connection is gone, or was never there. Nothing follows. */
  lost(loss: Loss): void;
  /** By the client, before the server ended it. */
  stopped(): void;
  /** The client has much to read. */
  isBusy(): boolean;
}

export interface Loss {
  readonly reason: string;
  /** The server refuses it, and would do so again. */
  readonly isFinal: boolean;
  readonly cause?: unknown;
}

const protocol = "graphql-transport-ws";
/** So many messages, or characters, wait at most before the socket is left unread. */
const mostWaiting = 32;
const longestWaiting = 1024 * 1024;
/** So often a client that has much to read is asked whether that has changed. */
const busyMilliseconds = 50;
/** A server that says nothing for two of these, not even in answer to a ping, is gone. */
const silenceMilliseconds = 30_000;

export class UpstreamConnection {
  readonly #call: UpstreamCall;
  readonly #events: UpstreamEvents;
  #ws: WebSocket | undefined;
  #isStarted = false;
  #hasEnded = false;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isHandling = false;
  #startTimer: NodeJS.Timeout | undefined;
  #silenceTimer: NodeJS.Timeout | undefined;
  #wasHeard = true;

  constructor(open: OpenWebSocket, call: UpstreamCall, events: UpstreamEvents) {
    this.#call = call;
    this.#events = events;
    const { url, headers, milliseconds } = call;
    this.#startTimer = setTimeout(() => this.#lose({ reason: "Response timeout", isFinal: false }), milliseconds);
    open({ url, headers, milliseconds, protocol }).then(
      (ws) => this.#attach(ws),
      (cause) => this.#lose({ reason: reasonOf(cause), isFinal: true, cause }),
    );
  }

  /** Tells the server, and ends the connection. */
  stop(): void {
    if (this.#hasEnded) return;
    if (this.#isStarted) this.#ws?.send('{"id":"1","type":"complete"}');
    this.#end();
    this.#events.stopped();
  }

  #attach(ws: WebSocket): void {
    this.#ws = ws;
    // Whatever is wrong with it is told by its end, too.
    let failure: unknown;
    ws.on("error", (error) => {
      failure = error;
      this.#lose({ reason: reasonOf(error), isFinal: false, cause: error });
    });
    ws.on("close", (code, reason) => this.#lose({ ...lossOf(code, String(reason)), cause: failure }));
    if (this.#hasEnded) {
      ws.terminate();
      return;
    }
    ws.on("unexpected-response", (request, { statusCode = 0 }) => {
      this.#lose({ reason: `the server answered with status ${statusCode}`, isFinal: statusCode < 500 });
      request.destroy();
    });
    ws.on("open", () => ws.send(`{"type":"connection_init","payload":${this.#call.initPayload}}`));
    ws.on("message", (data) => this.#take(String(data)));
    ws.on("pong", () => {
      this.#wasHeard = true;
    });
    this.#silenceTimer = setInterval(() => this.#listen(ws), silenceMilliseconds);
  }

  #listen(ws: WebSocket): void {
    // A socket that is not read cannot be heard.
    if (!this.#wasHeard && !ws.isPaused) this.#lose({ reason: "the server is silent", isFinal: false });
    this.#wasHeard = false;
    if (ws.readyState === ws.OPEN) ws.ping();
  }

  #take(text: string): void {
    this.#wasHeard = true;
    if (this.#hasEnded) return;
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    if (this.#waiting.length > mostWaiting || this.#waitingLength > longestWaiting) this.#ws?.pause();
    if (!this.#isHandling) void this.#handleAll();
  }

  async #handleAll(): Promise<void> {
    this.#isHandling = true;
    try {
      for (let text = this.#waiting.shift(); text !== undefined && !this.#hasEnded; text = this.#waiting.shift()) {
        this.#waitingLength -= text.length;
        await this.#handle(await inSlices(readStreamMessage(text)));
        if (this.#events.isBusy()) await this.#whileBusy();
      }
    } catch (cause) {
      this.#lose({ reason: `the server sent what cannot be read: ${reasonOf(cause)}`, isFinal: true, cause });
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

  #lose(loss: Loss): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#events.lost(loss);
  }

  #end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#startTimer);
    clearInterval(this.#silenceTimer);
    this.#waiting = [];
    const ws = this.#ws;
    if (ws === undefined) return;
    // The other side's part of the closing handshake has to be read.
    ws.resume();
    if (ws.readyState === ws.OPEN) ws.close(1000);
    else ws.terminate();
  }
}

/** The protocol's own codes say that the client did something that it would do again. */
function lossOf(code: number, reason: string): Loss {
  const isFinal = code >= 4400 && code < 4500 && code !== tooSlowToStart;
  return { reason: `the server ended the connection: ${code}${reason === "" ? "" : ` ${reason}`}`, isFinal };
}

const tooSlowToStart = 4408;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
