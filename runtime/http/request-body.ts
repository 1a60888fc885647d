/**
 * The body of one request of `node:http`. Nothing of it is read before a handler asks for it, which is after
 * authentication; until then it waits in the client and in the buffers of the operating system.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type DeadlineWatcher, unwatchDeadline, watchDeadline } from "../values/deadlines.ts";
import { EngineError, invariant } from "../values/errors.ts";
import type { BodyLimit, BodyPace } from "./body-limits.ts";
import { type BufferedBodies, type BufferedBody, smallBody } from "./buffered-bodies.ts";

/** So much of an unread body is read and thrown away after the answer, … */
const mostDiscarded = 16 * 1024 * 1024;
/** … and for so long. */
const discardMilliseconds = 2000;

interface BodyContext {
  readonly bodies: BufferedBodies;
  readonly bodyPace: BodyPace;
}

export class RequestBody implements BufferedBody, DeadlineWatcher {
  readonly #raw: IncomingMessage;
  readonly #reply: ServerResponse;
  readonly #bodies: BufferedBodies;
  readonly #pace: BodyPace;
  #whole: Promise<Buffer> | null = null;
  #text: Promise<string> | null = null;
  #chunks: Buffer[] = [];
  #reject: ((error: unknown) => void) | null = null;
  #bytes = 0;
  #since = 0;
  #readMilliseconds = 0;
  #mayExceedTotal = false;
  #isDiscarded = false;
  #isLost = false;
  #isLate = false;
  #deadline: number | undefined;

  constructor(raw: IncomingMessage, reply: ServerResponse, { bodies, bodyPace }: BodyContext) {
    this.#raw = raw;
    this.#reply = reply;
    this.#bodies = bodies;
    this.#pace = bodyPace;
  }

  /** Read so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get since(): number {
    return this.#since;
  }

  get mayExceedTotal(): boolean {
    return this.#mayExceedTotal;
  }

  /** From the first call of `read` to the arrival of the last byte. */
  get readMilliseconds(): number {
    return this.#readMilliseconds;
  }

  /** The client went away while the body was read: there is nobody to answer. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * The body as text; may be called again, with another limit.
   * @throws EngineError 413 when it is longer than the limit, 503 when all bodies together are too long, 408 when it
   *   arrives too slowly; a promise is rejected with them
   */
  read(limit: BodyLimit): string | Promise<string> {
    const { headers } = this.#raw;
    const declared = headers["content-length"];
    if (declared === undefined && headers["transfer-encoding"] === undefined) return "";
    if (declared !== undefined && Number(declared) > limit.bytes) throw tooLong(limit);
    if (this.#text === null) {
      // Decoded as a whole: a letter may be split between two chunks.
      this.#text = this.#collect(limit, toText);
      return this.#text;
    }
    return this.#text.then((text) => {
      if (this.#bytes > limit.bytes) throw tooLong(limit);
      return text;
    });
  }

  /** The body as it came; otherwise as `read`. */
  async readBytes(limit: BodyLimit): Promise<Buffer> {
    if (Number(this.#raw.headers["content-length"] ?? 0) > limit.bytes) throw tooLong(limit);
    this.#whole ??= this.#collect(limit, asItIs);
    const bytes = await this.#whole;
    if (this.#bytes > limit.bytes) throw tooLong(limit);
    return bytes;
  }

  /** Gives back the memory, when the request is answered. */
  release(): void {
    if (this.#bytes > smallBody) this.#bodies.release(this);
  }

  cutOff(): void {
    const message = "the body arrived too slowly while the server was short of memory; send it again later";
    this.#refuse(new EngineError("unexpected", "$", message, { status: 408 }));
  }

  /** Ends the wait for the body, unless what has arrived since extends it. */
  timeIsOver(): void {
    this.#unwatch();
    const { seconds, bytesPerSecond } = this.#pace;
    if (this.#reject === null) {
      // The request is answered, and the rest of its body keeps the connection from the next one.
      this.#raw.destroy();
      return;
    }
    const extension = bytesPerSecond === 0 ? 0 : this.#bytes / bytesPerSecond;
    const left = this.#since + (seconds + extension) * 1000 - performance.now();
    if (left > 0) {
      this.#deadline = watchDeadline(left, this);
      return;
    }
    this.#isLate = true;
    this.#refuse(tooSlow(this.#pace));
  }

  /** Gives a client that has its answer as long for the rest of the body as for all of it. */
  limitRest(): void {
    if (this.#raw.complete || this.#raw.destroyed) return;
    this.#watch();
    this.#raw.once("end", () => this.#unwatch()).once("close", () => this.#unwatch());
  }

  /** More of the body may come than is worth waiting for before the next request of its connection. */
  get hasLongRest(): boolean {
    if (this.#raw.complete) return false;
    if (this.#isLate) return true;
    const { "content-length": declared, "transfer-encoding": coding } = this.#raw.headers;
    return coding !== undefined || Number(declared ?? 0) - this.#bytes > smallBody;
  }

  /**
   * Throws away what comes until the client has read its answer and ends the connection, within bounds. A connection
   * that is closed while the client sends is reset, and the client never sees the answer.
   */
  discardRest(done: () => void): void {
    let left = mostDiscarded;
    const end = (): void => {
      clearTimeout(timer);
      done();
    };
    const timer = setTimeout(end, discardMilliseconds);
    this.#isDiscarded = true;
    this.#raw.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) end();
    });
    this.#raw.once("close", end);
    this.#raw.once("end", end);
    this.#raw.resume();
  }

  /** Once. @param read is given the whole */
  #collect<T>(limit: BodyLimit, read: (whole: Buffer) => T): Promise<T> {
    const raw = this.#raw;
    invariant(this.#since === 0, "a body is read either as text or as it came");
    if (raw.readableEnded) return this.#alreadyRead(limit).then(read);
    this.#mayExceedTotal = limit.mayExceedTotal;
    this.#since = performance.now();
    if (raw.headers.expect !== undefined && raw.httpVersion === "1.1") this.#reply.writeContinue();
    return new Promise((resolve, reject) => {
      const lose = (): void => {
        this.#isLost = true;
        this.#chunks = [];
        reject(new EngineError("bad-request", "$", "the client went away before the body was complete"));
      };
      // The client may have gone while it was authenticated.
      if (raw.destroyed) return lose();
      this.#reject = reject;
      this.#watch();
      raw.on("data", (chunk: Buffer) => {
        if (this.#isDiscarded) return;
        this.#bytes += chunk.length;
        if (this.#bytes > limit.bytes) return this.#refuse(tooLong(limit));
        if (this.#bytes > smallBody && !this.#bodies.hold(this)) return this.#refuse(noRoom());
        this.#chunks.push(chunk);
      });
      raw.on("end", () => {
        if (this.#isDiscarded) return;
        this.#reject = null;
        this.#unwatch();
        this.#readMilliseconds = performance.now() - this.#since;
        if (this.#bytes > smallBody) this.#bodies.complete(this);
        const chunks = this.#chunks;
        this.#chunks = [];
        const [only] = chunks;
        try {
          resolve(read(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, this.#bytes)));
        } catch (error) {
          // Text may be longer than the runtime can hold.
          reject(error);
        }
      });
      raw.on("close", () => {
        if (this.#reject !== null) lose();
        this.#unwatch();
      });
    });
  }

  #watch(): void {
    if (this.#deadline !== undefined) return;
    this.#deadline = watchDeadline(this.#pace.seconds * 1000, this);
  }

  #unwatch(): void {
    if (this.#deadline === undefined) return;
    unwatchDeadline(this.#deadline);
    this.#deadline = undefined;
  }

  /** By the program that the server is part of: some hosts keep it. */
  async #alreadyRead(limit: BodyLimit): Promise<Buffer> {
    const kept = "rawBody" in this.#raw ? this.#raw.rawBody : undefined;
    const bytes = typeof kept === "string" ? Buffer.from(kept) : kept;
    if (!Buffer.isBuffer(bytes)) throw readBefore();
    this.#bytes = bytes.length;
    if (this.#bytes > limit.bytes) throw tooLong(limit);
    return bytes;
  }

  #refuse(error: EngineError): void {
    if (this.#reject === null) return;
    this.#isDiscarded = true;
    this.#unwatch();
    this.#chunks = [];
    this.#raw.pause();
    this.#bodies.release(this);
    this.#reject(error);
    this.#reject = null;
  }
}

const asItIs = (whole: Buffer): Buffer => whole;
const toText = (whole: Buffer): string => whole.toString("utf8");

function tooLong({ bytes, option }: BodyLimit): EngineError {
  const message = `the body is longer than ${bytes} bytes, which ${option} allows`;
  return new EngineError("bad-request", "$", message, { status: 413 });
}

function tooSlow({ seconds, bytesPerSecond }: BodyPace): EngineError {
  const more = bytesPerSecond === 0 ? "" : ` and a second for each ${bytesPerSecond} bytes (--body-least-rate)`;
  const message = `the body arrived too slowly: it has ${seconds} s (--body-timeout)${more}`;
  return new EngineError("bad-request", "$", message, { status: 408 });
}

function readBefore(): EngineError {
  const message = "the body was read before the engine could: mount the engine ahead of whatever parses bodies";
  return new EngineError("unexpected", "$", message);
}

function noRoom(): EngineError {
  const message = "the server is short of memory for long bodies (--max-buffered-body-bytes); send it again later";
  return new EngineError("unexpected", "$", message, { status: 503 });
}
