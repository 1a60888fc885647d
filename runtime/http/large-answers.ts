/**
 * Sends long answers in slices, as fast as each client takes them. A client that takes nothing is closed, and where
 * there is no room for further answers, the slowest are.
 */
import type { ServerResponse } from "node:http";
import type { Log } from "../observe/log.ts";
import { type AnswerMemory, longAnswer } from "../values/answer-memory.ts";
import { ReleasableBytes } from "../values/releasable-bytes.ts";

/** In milliseconds: a client that takes no slice for so long is gone. */
const stalled = 30_000;
/** In milliseconds: nobody is called slow before. */
const grace = 1000;
/** In milliseconds. */
const lookInterval = 250;

export class LargeAnswers {
  readonly #memory: AnswerMemory;
  readonly #log: Log;
  readonly #sending = new Set<Sending>();
  #timer: NodeJS.Timeout | null = null;

  constructor(memory: AnswerMemory, log: Log) {
    this.#memory = memory;
    this.#log = log;
  }

  /**
   * Ends an answer whose head is written with this body.
   * @param size in bytes
   */
  send(reply: ServerResponse, body: string | Buffer, size: number): void {
    // Nobody would say again that the client has gone.
    if (reply.destroyed) return;
    this.#memory.take(size);
    const sending = new Sending(reply, ReleasableBytes.from(body, size));
    this.#sending.add(sending);
    reply.once("close", () => {
      sending.release();
      this.#memory.give(size);
      this.#sending.delete(sending);
      if (this.#sending.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    });
    this.#timer ??= setInterval(() => this.#look(), lookInterval).unref();
    sending.next();
  }

  #look(): void {
    const now = performance.now();
    const sending = [...this.#sending].filter(({ isGivenUp }) => !isGivenUp);
    const slow = new Set(sending.filter(({ progress }) => now - progress > stalled));
    let lacking = this.#memory.lacking - sumOfSizes(slow);
    const slowest = sending
      .filter((each) => now - each.begun > grace && !slow.has(each))
      .sort((one, other) => one.rate(now) - other.rate(now));
    for (const each of slowest) {
      if (lacking <= 0) break;
      lacking -= each.size;
      slow.add(each);
    }
    if (slow.size === 0) return;
    for (const each of slow) each.giveUp();
    const message = `closed ${slow.size} clients that read their answers too slowly`;
    this.#log.warn("unstructured", { message });
  }
}

function sumOfSizes(sending: Iterable<Sending>): number {
  let sum = 0;
  for (const { size } of sending) sum += size;
  return sum;
}

class Sending {
  readonly begun = performance.now();
  /** When the client took the last slice. */
  progress = this.begun;
  readonly #reply: ServerResponse;
  readonly #body: ReleasableBytes;
  /** Bytes that the client has taken. */
  #taken = 0;
  #isGivenUp = false;

  constructor(reply: ServerResponse, body: ReleasableBytes) {
    this.#reply = reply;
    this.#body = body;
  }

  /** Bytes that are in memory until all are taken. */
  get size(): number {
    return this.#body.bytes.length;
  }

  /** Bytes that the client takes in a millisecond. */
  rate(now: number): number {
    return this.#taken / (now - this.begun);
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Gives the client another slice. */
  next(): void {
    const slice = this.#body.bytes.subarray(this.#taken, this.#taken + longAnswer);
    const isLast = this.#taken + slice.length === this.size;
    if (isLast) this.#reply.end(slice);
    else this.#reply.write(slice, (error) => this.#took(slice.length, error));
  }

  giveUp(): void {
    this.#isGivenUp = true;
    this.#reply.destroy();
  }

  /** Once the reply is closed: the system reads from the memory until then. */
  release(): void {
    this.#isGivenUp = true;
    this.#body.release();
  }

  #took(bytes: number, error: Error | null | undefined): void {
    if (error || this.#isGivenUp) return;
    this.progress = performance.now();
    this.#taken += bytes;
    this.next();
  }
}
