/**
 * One answer that goes on, with the bounds of a WebSocket: what waits to be read by the client, and for how long it may
 * read nothing.
 */
import type { ServerResponse } from "node:http";
import type { EventChannel } from "../../ports/request.ts";
import { keepAlive } from "./event-text.ts";

/** While more bytes than this wait to be read by the client, it is not sent what is not urgent. */
const muchWaiting = 1024 * 1024;
/** Where more bytes wait, the client is given up. */
const tooMuchWaiting = 16 * 1024 * 1024;
/** A client that takes nothing of what waits for so long is given up. */
const stalledSeconds = 30;
/** So often a client is looked at where no keep-alives are wanted. */
const lookSeconds = 10;

export class EventStream implements EventChannel {
  readonly ended: Promise<void>;
  /** Resolves when the client has gone, or has all of it. */
  readonly closed: Promise<void>;
  readonly #reply: ServerResponse;
  readonly #onSent: (bytes: number) => void;
  readonly #timer: NodeJS.Timeout;
  #isEnded = false;
  #noteEnd: () => void = () => {};
  #sent = 0;
  #takenBefore = 0;
  #stalledTicks = 0;

  /**
   * @param reply whose head is written
   * @param keepAliveSeconds 0: none are sent
   * @param onSent told of the bytes of each event
   */
  constructor(reply: ServerResponse, keepAliveSeconds: number, onSent: (bytes: number) => void) {
    this.#reply = reply;
    this.#onSent = onSent;
    const interval = keepAliveSeconds || lookSeconds;
    const mostStalledTicks = Math.max(2, stalledSeconds / interval);
    this.#timer = setInterval(() => this.#tick(mostStalledTicks, keepAliveSeconds > 0), interval * 1000);
    this.ended = new Promise((resolve) => {
      this.#noteEnd = resolve;
    });
    this.closed = new Promise((resolve) => {
      const close = (): void => {
        this.#stop();
        clearInterval(this.#timer);
        resolve();
      };
      reply.once("close", close);
      // A write to a client that has gone; `close` follows.
      reply.on("error", () => reply.destroy());
      if (reply.destroyed) close();
    });
  }

  /** In bytes, of all that was sent. */
  get size(): number {
    return this.#sent;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  send(event: string | Buffer): void {
    if (this.#isEnded) return;
    if (this.#reply.writableLength > tooMuchWaiting) {
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
    return this.#reply.writableLength > muchWaiting;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#reply.end();
  }

  #stop(): void {
    this.#isEnded = true;
    this.#noteEnd();
  }

  /** Ticks are counted, not seconds: a server that was busy for long has sent nothing. */
  #tick(mostStalledTicks: number, keepsAlive: boolean): void {
    const waiting = this.#reply.writableLength;
    const taken = this.#sent - waiting;
    this.#stalledTicks = waiting > 0 && taken <= this.#takenBefore ? this.#stalledTicks + 1 : 0;
    this.#takenBefore = taken;
    if (this.#stalledTicks > mostStalledTicks) this.#reply.destroy();
    else if (waiting === 0 && keepsAlive) this.send(keepAlive);
  }
}
