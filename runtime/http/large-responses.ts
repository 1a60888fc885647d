/**
 * Sends long responses in slices, at the pace of each client. Stalled clients are disconnected; so are the slowest
 * clients when memory for responses is short.
 */
import type { ServerResponse } from "node:http";
import type { Log } from "../observe/logs/log.ts";
import { JoinedBytes } from "../values/joined-bytes.ts";
import { LongText } from "../values/long-text.ts";
import { ReleasableBytes } from "../values/releasable-bytes.ts";
import { longAnswer, type ResponseMemory } from "../values/response-memory.ts";
import type { ResponseText } from "../values/response-text.ts";

/** A client that reads nothing for this long is disconnected. */
const stalledMilliseconds = 30_000;
/** Minimum age of a response, in milliseconds, before its client can count as slow. */
const graceMilliseconds = 1000;
const checkMilliseconds = 250;
/** The memory per client, in bytes, of a text that is sent in pieces. */
const heldOfLong = 512 * 1024;

export class LargeResponses {
  readonly #memory: ResponseMemory;
  readonly #log: Log;
  readonly #sending = new Set<Sending>();
  #timer: NodeJS.Timeout | null = null;

  constructor(memory: ResponseMemory, log: Log) {
    this.#memory = memory;
    this.#log = log;
  }

  /**
   * Sends the body of a response whose head has been written.
   * @param size of the body in bytes
   */
  send(reply: ServerResponse, body: ResponseText | Buffer, size: number): void {
    if (reply.destroyed) {
      // The event `close` has already been emitted.
      if (body instanceof JoinedBytes) body.release();
      return;
    }
    const isLong = body instanceof LongText;
    const content = contentOf(body, size);
    const held = isLong ? Math.min(size, heldOfLong) : size;
    this.#memory.take(held);
    const sending = new Sending(reply, content, { size, held });
    this.#sending.add(sending);
    reply.once("close", () => {
      sending.release();
      this.#memory.release(held);
      this.#sending.delete(sending);
      if (this.#sending.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    });
    this.#timer ??= setInterval(() => this.#closeSlowClients(), checkMilliseconds).unref();
    sending.next();
  }

  #closeSlowClients(): void {
    const now = performance.now();
    const sending = [...this.#sending].filter(({ isAborted }) => !isAborted);
    const slow = new Set(sending.filter(({ progress }) => now - progress > stalledMilliseconds));
    let lacking = this.#memory.lacking - sumOfHeld(slow);
    const slowest = sending
      .filter((each) => now - each.begun > graceMilliseconds && !slow.has(each))
      .sort((one, other) => one.rate(now) - other.rate(now));
    for (const each of slowest) {
      if (lacking <= 0) break;
      lacking -= each.held;
      slow.add(each);
    }
    if (slow.size === 0) return;
    for (const each of slow) each.abort();
    const message = `closed the connections of ${slow.size} clients that read their responses too slowly`;
    this.#log.warn("unstructured", { message });
  }
}

function sumOfHeld(sending: Iterable<Sending>): number {
  let sum = 0;
  for (const { held } of sending) sum += held;
  return sum;
}

/** A body that is sent in slices. */
interface Content {
  /** Returns the next slice, which is empty at the end. */
  next(): Buffer | Promise<Buffer>;
  release(): void;
}

function contentOf(body: ResponseText | Buffer, size: number): Content {
  if (body instanceof LongText) return new ContentInPieces(body);
  if (body instanceof JoinedBytes) return new JoinedContent(body);
  return new WholeContent(ReleasableBytes.from(body, size));
}

class WholeContent implements Content {
  readonly #body: ReleasableBytes;
  #sent = 0;

  constructor(body: ReleasableBytes) {
    this.#body = body;
  }

  next(): Buffer {
    const slice = this.#body.bytes.subarray(this.#sent, this.#sent + longAnswer);
    this.#sent += slice.length;
    return slice;
  }

  release(): void {
    this.#body.release();
  }
}

class JoinedContent implements Content {
  readonly #body: JoinedBytes;
  readonly #slices: Iterator<Buffer, void>;

  constructor(body: JoinedBytes) {
    this.#body = body;
    this.#slices = body.slices(longAnswer);
  }

  next(): Buffer {
    const { done, value } = this.#slices.next();
    return done ? nothing : value;
  }

  release(): void {
    this.#body.release();
  }
}

/** Sends each piece as a slice; only one piece is in memory at a time. */
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
  /** Time at which the client received the last slice. */
  progress = this.begun;
  /** The number of bytes that stay in memory until the last slice has been received. */
  readonly held: number;
  /** The size of the body in bytes. */
  readonly #size: number;
  readonly #reply: ServerResponse;
  readonly #content: Content;
  /** The number of bytes that the client has received. */
  #received = 0;
  #isAborted = false;

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

  /** Returns the client's rate in bytes per millisecond. */
  rate(now: number): number {
    return this.#received / (now - this.begun);
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Sends the next slice. */
  next(): void {
    const slice = this.#content.next();
    if (Buffer.isBuffer(slice)) this.#write(slice);
    else slice.then(this.#sendPiece).catch(() => this.abort());
  }

  readonly #sendPiece = (slice: Buffer): void => {
    if (!this.#isAborted) this.#write(slice);
  };

  #write(slice: Buffer): void {
    const isLast = this.#received + slice.length === this.#size;
    if (isLast) this.#reply.end(slice);
    else this.#reply.write(slice, (error) => this.#confirm(slice.length, error));
  }

  abort(): void {
    this.#isAborted = true;
    this.#reply.destroy();
  }

  /** Releases the memory. Call only after the reply has closed: until then the operating system reads from it. */
  release(): void {
    this.#isAborted = true;
    this.#content.release();
  }

  #confirm(bytes: number, error: Error | null | undefined): void {
    if (error || this.#isAborted) return;
    this.progress = performance.now();
    this.#received += bytes;
    this.next();
  }
}
