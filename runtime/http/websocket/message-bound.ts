/**
 * Limits the memory of one WebSocket's messages: a message must not exceed the limit of its session, which is checked
 * while the message arrives, and all messages count towards the total of request bodies.
 */
import { type BufferedBodies, type BufferedBody, smallBody } from "../buffered-bodies.ts";
import type { Closing } from "./protocol.ts";

/** The limit before authentication; `connection_init` may contain long tokens. */
const maxUnauthenticatedBytes = 64 * 1024;
/** Allows for frame headers, and for chunks with the end of one message and the beginning of the next. */
const slack = 64 * 1024 + 1024;
/** Size of the header of a control frame in bytes: two bytes and the mask. */
const controlHeader = 6;

export class MessageBound implements BufferedBody {
  readonly #bodies: BufferedBodies;
  readonly #onExcess: (closing: Closing) => void;
  #maxBytes = maxUnauthenticatedBytes;
  #arriving = 0;
  #queued = 0;
  #since = 0;

  readonly mayExceedTotal = false;

  /** @param onExcess ends the connection */
  constructor(bodies: BufferedBodies, onExcess: (closing: Closing) => void) {
    this.#bodies = bodies;
    this.#onExcess = onExcess;
  }

  get bytes(): number {
    return this.#arriving + this.#queued;
  }

  get since(): number {
    return this.#since;
  }

  cutOff(): void {
    this.release();
    this.#onExcess({ code: 1013, reason: "the message arrived too slowly while the server was short of memory" });
  }

  /** Applies the limit of the session. */
  allow(maxBytes: number): void {
    this.#maxBytes = maxBytes;
  }

  /** Counts bytes read from the socket. */
  received(bytes: number): void {
    if (this.#arriving === 0) this.#since = performance.now();
    this.#arriving += bytes;
    if (this.#arriving > this.#maxBytes + slack) {
      this.#refuse();
      return;
    }
    if (this.bytes <= smallBody || this.#bodies.hold(this)) return;
    this.#onExcess({ code: 1013, reason: "the server is short of memory for long messages; try again later" });
  }

  /**
   * Subtracts a ping or pong, which is not part of a message.
   * @param bytes the length of the payload
   */
  control(bytes: number): void {
    this.#arriving = Math.max(0, this.#arriving - bytes - controlHeader);
  }

  /**
   * Counts a complete message.
   * @returns true if the message may be handled
   */
  complete(bytes: number): boolean {
    if (bytes > this.#maxBytes) {
      this.#refuse();
      return false;
    }
    this.#arriving = 0;
    this.#queued += bytes;
    this.#settle();
    return true;
  }

  /** Subtracts a message that has been handled. */
  handled(text: string): void {
    this.#queued -= Buffer.byteLength(text);
    this.#settle();
  }

  /** Releases all counted memory. Called when the connection has ended. */
  release(): void {
    this.#bodies.release(this);
  }

  #settle(): void {
    if (this.bytes <= smallBody || !this.#bodies.hold(this)) this.#bodies.release(this);
    else this.#bodies.complete(this);
  }

  #refuse(): void {
    this.#onExcess({ code: 1009, reason: `messages are limited to ${this.#maxBytes} bytes` });
  }
}
