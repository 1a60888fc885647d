/**
 * Sends long answers in slices, as fast as each client takes them. A client that takes nothing is closed, and where
 * there is no room for further answers, the slowest are.
 */
import type { ServerResponse } from "node:http";
import type { Log } from "../observe/logs/log.ts";
import type { LongBody } from "../ports/graphql.ts";
import { type AnswerMemory, longAnswer } from "../values/answer-memory.ts";
import { LongText } from "../values/long-text.ts";
import { ReleasableBytes } from "../values/releasable-bytes.ts";

/** In milliseconds: a client that takes no slice for so long is gone. */
const stalled = 30_000;
/** In milliseconds: nobody is called slow before. */
const grace = 1000;
/** In milliseconds. */
const lookInterval = 250;
/** In bytes: what is made of a long text for one client at a time. */
const heldOfLong = 512 * 1024;

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
   * @param size of the body in bytes
   */
  send(reply: ServerResponse, body: string | Buffer | LongBody, size: number): void {
    // Nobody would say again that the client has gone.
    if (reply.destroyed) return;
    const isLong = body instanceof LongText;
    const content = isLong ? new ContentInPieces(body) : new WholeContent(ReleasableBytes.from(body, size));
    const held = isLong ? Math.min(size, heldOfLong) : size;
    this.#memory.take(held);
    const sending = new Sending(reply, content, { size, held });
    this.#sending.add(sending);
    reply.once("close", () => {
      sending.release();
      this.#memory.give(held);
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
    let lacking = this.#memory.lacking - sumOfHeld(slow);
    const slowest = sending
      .filter((each) => now - each.begun > grace && !slow.has(each))
      .sort((one, other) => one.rate(now) - other.rate(now));
    for (const each of slowest) {
      if (lacking <= 0) break;
      lacking -= each.held;
      slow.add(each);
    }
    if (slow.size === 0) return;
    for (const each of slow) each.giveUp();
    const message = `closed ${slow.size} clients that read their answers too slowly`;
    this.#log.warn("unstructured", { message });
  }
}

function sumOfHeld(sending: Iterable<Sending>): number {
  let sum = 0;
  for (const { held } of sending) sum += held;
  return sum;
}

/** What is sent, slice by slice. */
interface Content {
  /** The next slice; empty: there is none. */
  next(): Buffer | Promise<Buffer>;
  release(): void;
}

class WholeContent implements Content {
  readonly #body: ReleasableBytes;
  #given = 0;

  constructor(body: ReleasableBytes) {
    this.#body = body;
  }

  next(): Buffer {
    const slice = this.#body.bytes.subarray(this.#given, this.#given + longAnswer);
    this.#given += slice.length;
    return slice;
  }

  release(): void {
    this.#body.release();
  }
}

/** Each piece is a slice: what was sent is not kept, and what was not is not made yet. */
class ContentInPieces implements Content {
  readonly #pieces: AsyncGenerator<Buffer, void>;

  constructor(text: LongText) {
    this.#pieces = text.pieces();
  }

  async next(): Promise<Buffer> {
    const { done, value } = await this.#pieces.next();
    return done ? nothing : value;
  }

  release(): void {
    void this.#pieces.return();
  }
}

const nothing = Buffer.of();

class Sending {
  readonly begun = performance.now();
  /** When the client took the last slice. */
  progress = this.begun;
  /** Bytes that are in memory until all are taken. */
  readonly held: number;
  /** Bytes to be taken. */
  readonly #size: number;
  readonly #reply: ServerResponse;
  readonly #content: Content;
  /** Bytes that the client has taken. */
  #taken = 0;
  #isGivenUp = false;

  constructor(
    reply: ServerResponse,
    content: Content,
    { size, held }: { readonly size: number; readonly held: number },
  ) {
    this.#reply = reply;
    this.#content = content;
    this.#size = size;
    this.held = held;
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
    const slice = this.#content.next();
    if (Buffer.isBuffer(slice)) this.#give(slice);
    else slice.then(this.#giveMade).catch(() => this.giveUp());
  }

  readonly #giveMade = (slice: Buffer): void => {
    if (!this.#isGivenUp) this.#give(slice);
  };

  #give(slice: Buffer): void {
    const isLast = this.#taken + slice.length === this.#size;
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
    this.#content.release();
  }

  #took(bytes: number, error: Error | null | undefined): void {
    if (error || this.#isGivenUp) return;
    this.progress = performance.now();
    this.#taken += bytes;
    this.next();
  }
}
