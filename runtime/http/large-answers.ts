/**
 * Sends long answers in slices, as fast as each client takes them, and bounds what waits: a client that takes nothing
 * is closed, and where all of them together leave too much waiting, the slowest are.
 */
import type { ServerResponse } from "node:http";
import type { Log } from "../observe/log.ts";

/** Shorter answers are left to Node, which keeps little of them. */
export const largeAnswer = 64 * 1024;

/** In milliseconds: a client that takes no slice for so long is gone. */
const stalled = 30_000;
/** In milliseconds: nobody is called slow before. */
const grace = 1000;
/** In milliseconds. */
const lookInterval = 500;

export class LargeAnswers {
  readonly #most: number;
  readonly #log: Log;
  readonly #sending = new Set<Sending>();
  #timer: NodeJS.Timeout | null = null;

  /** @param most bytes that may wait in all answers together */
  constructor(most: number, log: Log) {
    this.#most = most;
    this.#log = log;
  }

  /** Ends an answer whose head is written with this body. */
  send(reply: ServerResponse, body: Buffer): void {
    const sending = new Sending(reply, body);
    this.#sending.add(sending);
    reply.once("close", () => {
      this.#sending.delete(sending);
      sending.forget();
      if (this.#sending.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    });
    this.#timer ??= setInterval(() => this.#look(), lookInterval).unref();
    sending.next();
  }

  #look(): void {
    const now = performance.now();
    const slow = [...this.#sending].filter((sending) => now - sending.progress > stalled);
    for (const sending of slow) sending.giveUp();
    slow.push(...this.#makeRoom(now));
    if (slow.length === 0) return;
    const message = `closed ${slow.length} clients that read their answers too slowly`;
    this.#log.warn("unstructured", { message });
  }

  #makeRoom(now: number): readonly Sending[] {
    let waiting = 0;
    for (const { left } of this.#sending) waiting += left;
    if (waiting <= this.#most) return [];
    const given: Sending[] = [];
    const slowest = [...this.#sending]
      .filter(({ begun }) => now - begun > grace)
      .sort((one, other) => one.rate(now) - other.rate(now));
    for (const sending of slowest) {
      if (waiting <= this.#most) break;
      waiting -= sending.left;
      sending.giveUp();
      given.push(sending);
    }
    return given;
  }
}

class Sending {
  readonly begun = performance.now();
  /** When the client took the last slice. */
  progress = this.begun;
  readonly #reply: ServerResponse;
  #rest: Buffer;
  #taken = 0;

  constructor(reply: ServerResponse, body: Buffer) {
    this.#reply = reply;
    this.#rest = body;
  }

  /** Bytes that wait. */
  get left(): number {
    return this.#rest.length;
  }

  /** Bytes that the client takes in a millisecond. */
  rate(now: number): number {
    return this.#taken / (now - this.begun);
  }

  /** Gives the client another slice. */
  next(): void {
    const slice = this.#rest.subarray(0, largeAnswer);
    const isLast = slice.length === this.#rest.length;
    if (isLast) this.#reply.end(slice);
    else this.#reply.write(slice, (error) => this.#took(slice.length, error));
  }

  giveUp(): void {
    this.forget();
    this.#reply.destroy();
  }

  forget(): void {
    this.#rest = nothing;
  }

  #took(bytes: number, error: Error | null | undefined): void {
    if (error || this.#rest === nothing) return;
    this.progress = performance.now();
    this.#taken += bytes;
    this.#rest = this.#rest.subarray(bytes);
    this.next();
  }
}

const nothing = Buffer.alloc(0);
