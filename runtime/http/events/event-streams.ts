/** The open event streams of the process: sends keep-alives, and disconnects stalled clients. */
import type { ServerResponse } from "node:http";
import type { Options } from "../../config/option-table.ts";
import type { EventChannel, Events } from "../../ports/request.ts";
import { callAt } from "../../values/timer.ts";
import { keepAlive } from "./event-text.ts";

export type EventStreamSettings = Pick<Options, "websocketKeepaliveSeconds" | "closeWebsocketsOnMetadataChange">;

type StreamProperties = Pick<Events, "expiresAt" | "isIndependent" | "farewell">;

export class EventStreams {
  readonly #settings: EventStreamSettings;
  readonly #open = new Map<EventStream, StreamProperties>();

  constructor(settings: EventStreamSettings) {
    this.#settings = settings;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream on a reply whose head has been written.
   * @param onSent receives the size of each sent event in bytes
   */
  open(reply: ServerResponse, properties: StreamProperties, onSent: (bytes: number) => void): EventStream {
    const { expiresAt } = properties;
    const stream = new EventStream(reply, this.#settings.websocketKeepaliveSeconds, onSent);
    this.#open.set(stream, properties);
    const cancelExpiry = expiresAt === undefined ? () => {} : callAt(expiresAt, () => stream.end());
    void stream.closed.then(() => {
      cancelExpiry();
      this.#open.delete(stream);
    });
    stream.send(keepAlive);
    return stream;
  }

  /** Closes streams that were authenticated and planned on earlier metadata, unless the settings keep them open. */
  metadataChanged(): void {
    if (!this.#settings.closeWebsocketsOnMetadataChange) return;
    for (const [stream, { isIndependent }] of this.#open) if (!isIndependent) stream.end();
  }

  /** Ends all streams. Those of GraphQL have no `complete`, so that clients reconnect. */
  endAll(): void {
    for (const [stream, { farewell }] of this.#open) {
      if (farewell !== undefined) stream.send(farewell);
      stream.end();
    }
  }
}

/** While more unread bytes than this are buffered, deferrable updates are held back. */
const busyBytes = 1024 * 1024;
/** A client with more unread bytes than this is disconnected. */
const maxUnreadBytes = 16 * 1024 * 1024;
/** A client that reads none of its buffered events for this long is disconnected. */
const stalledSeconds = 30;
/** The interval of checks for stalled clients if keep-alives are off. */
const checkSeconds = 10;

/** One event stream, with the same limits for slow consumers as a WebSocket. */
export class EventStream implements EventChannel {
  readonly ended: Promise<void>;
  /** Resolves when the client has disconnected or received the whole stream. */
  readonly closed: Promise<void>;
  readonly #reply: ServerResponse;
  readonly #onSent: (bytes: number) => void;
  readonly #timer: NodeJS.Timeout;
  #isEnded = false;
  #resolveEnded: () => void = () => {};
  #sent = 0;
  #previouslyRead = 0;
  #stalledTicks = 0;

  /**
   * @param reply a response whose head has been written
   * @param keepAliveSeconds 0 disables keep-alives
   * @param onSent receives the size of each event in bytes
   */
  constructor(reply: ServerResponse, keepAliveSeconds: number, onSent: (bytes: number) => void) {
    this.#reply = reply;
    this.#onSent = onSent;
    const interval = keepAliveSeconds || checkSeconds;
    const maxStalledTicks = Math.max(2, stalledSeconds / interval);
    this.#timer = setInterval(() => this.#tick(maxStalledTicks, keepAliveSeconds > 0), interval * 1000);
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.closed = new Promise((resolve) => {
      const close = (): void => {
        this.#stop();
        clearInterval(this.#timer);
        resolve();
      };
      reply.once("close", close);
      // Emitted for a write after the client disconnected; `close` follows.
      reply.on("error", () => reply.destroy());
      if (reply.destroyed) close();
    });
  }

  /** The number of bytes sent so far. */
  get size(): number {
    return this.#sent;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  send(event: string | Buffer): void {
    if (this.#isEnded) return;
    if (this.#reply.writableLength > maxUnreadBytes) {
      this.#stop();
      this.#reply.destroy();
      return;
    }
    const bytes = Buffer.byteLength(event);
    this.#sent += bytes;
    this.#onSent(bytes);
    this.#reply.write(event);
  }

  isBusy(): boolean {
    return this.#reply.writableLength > busyBytes;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#reply.end();
  }

  #stop(): void {
    this.#isEnded = true;
    this.#resolveEnded();
  }

  /**
   * Disconnects a stalled client, otherwise sends a keep-alive. Counts ticks instead of seconds, because a server that
   * was blocked for a while has sent nothing in that time.
   */
  #tick(maxStalledTicks: number, keepsAlive: boolean): void {
    const unread = this.#reply.writableLength;
    const read = this.#sent - unread;
    this.#stalledTicks = unread > 0 && read <= this.#previouslyRead ? this.#stalledTicks + 1 : 0;
    this.#previouslyRead = read;
    if (this.#stalledTicks > maxStalledTicks) this.#reply.destroy();
    else if (unread === 0 && keepsAlive) this.send(keepAlive);
  }
}
