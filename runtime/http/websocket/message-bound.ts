/**
 * Bounds what one WebSocket makes the server hold: a message may not become longer than its session allows, which is
 * seen while it arrives, and all messages together share the memory of request bodies.
 */
import { type BufferedBodies, type BufferedBody, smallBody } from "../buffered-bodies.ts";
import type { Closing } from "./protocol.ts";

/** Messages before a session is known; `connection_init` carries tokens. */
const longestUnauthenticated = 64 * 1024;
/** A chunk of the socket may hold the end of one message and the beginning of the next; frames have heads. */
const slack = 64 * 1024 + 1024;
/** Of a frame that is no message: two bytes and the mask. */
const controlHead = 6;

export class MessageBound implements BufferedBody {
  readonly #bodies: BufferedBodies;
  readonly #onExcess: (closing: Closing) => void;
  #longest = longestUnauthenticated;
  #arriving = 0;
  #waiting = 0;
  #since = 0;

  readonly mayExceedTotal = false;

  /** @param onExcess ends the connection */
  constructor(bodies: BufferedBodies, onExcess: (closing: Closing) => void) {
    this.#bodies = bodies;
    this.#onExcess = onExcess;
  }

  get bytes(): number {
    return this.#arriving + this.#waiting;
  }

  get since(): number {
    return this.#since;
  }

  cutOff(): void {
    this.release();
    this.#onExcess({ code: 1013, reason: "the message arrived too slowly while the server was short of memory" });
  }

  /** The connection has a session, whose messages may have so many bytes. */
  allow(longest: number): void {
    this.#longest = longest;
  }

  /** Bytes of the socket have come. */
  received(bytes: number): void {
    if (this.#arriving === 0) this.#since = performance.now();
    this.#arriving += bytes;
    if (this.#arriving > this.#longest + slack) {
      this.#refuse();
      return;
    }
    if (this.bytes <= smallBody || this.#bodies.hold(this)) return;
    this.#onExcess({ code: 1013, reason: "the server is short of memory for long messages; try again later" });
  }

  /** What has come was a ping or pong with so many bytes, which is no part of a message. */
  control(bytes: number): void {
    this.#arriving = Math.max(0, this.#arriving - bytes - controlHead);
  }

  /** A message is complete. @returns whether it may be handled */
  complete(bytes: number): boolean {
    if (bytes > this.#longest) {
      this.#refuse();
      return false;
    }
    this.#arriving = 0;
    this.#waiting += bytes;
    this.#settle();
    return true;
  }

  /** A message has been handled. */
  handled(text: string): void {
    this.#waiting -= Buffer.byteLength(text);
    this.#settle();
  }

  /** Gives back all memory, when the connection has ended. */
  release(): void {
    this.#bodies.release(this);
  }

  #settle(): void {
    if (this.bytes <= smallBody || !this.#bodies.hold(this)) this.#bodies.release(this);
    else this.#bodies.complete(this);
  }

  #refuse(): void {
    this.#onExcess({ code: 1009, reason: `a message may have ${this.#longest} bytes` });
  }
}
