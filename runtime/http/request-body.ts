/**
 * The body of one request of `node:http`. It is not read until a handler calls `read`, which happens after
 * authentication; before that, it stays with the client and in the buffers of the operating system.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type DeadlineWatcher, unwatchDeadline, watchDeadline } from "../values/deadlines.ts";
import { EngineError, invariant } from "../values/errors.ts";
import type { BodyLimit, BodyPace } from "./body-limits.ts";
import { type BufferedBodies, type BufferedBody, smallBody } from "./buffered-bodies.ts";

/** The limits for discarding the unread part of a body after the response. */
const maxDiscardedBytes = 16 * 1024 * 1024;
const maxDiscardMilliseconds = 2000;

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

  /** The number of bytes read so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get since(): number {
    return this.#since;
  }

  get mayExceedTotal(): boolean {
    return this.#mayExceedTotal;
  }

  /** The time from the first call of `read` to the arrival of the last byte. */
  get readMilliseconds(): number {
    return this.#readMilliseconds;
  }

  /** True if the client disconnected while the body was read, so that no response can be sent. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Returns the body as text. May be called repeatedly, with different limits.
   * @throws EngineError 413 if the body exceeds the limit, 503 if all bodies together exceed theirs, 408 if the body
   *   arrives too slowly
   */
  read(limit: BodyLimit): string | Promise<string> {
    const { headers } = this.#raw;
    const declared = headers["content-length"];
    if (declared === undefined && headers["transfer-encoding"] === undefined) return "";
    if (declared !== undefined && Number(declared) > limit.bytes) throw tooLong(limit);
    if (this.#text === null) {
      // A character may be split between two chunks.
      this.#text = this.#collect(limit, toText);
      return this.#text;
    }
    return this.#text.then((text) => {
      if (this.#bytes > limit.bytes) throw tooLong(limit);
      return text;
    });
  }

  /**
   * Returns the bytes of the body.
   * @throws EngineError as `read` does
   */
  async readBytes(limit: BodyLimit): Promise<Buffer> {
    if (Number(this.#raw.headers["content-length"] ?? 0) > limit.bytes) throw tooLong(limit);
    this.#whole ??= this.#collect(limit, toBytes);
    const bytes = await this.#whole;
    if (this.#bytes > limit.bytes) throw tooLong(limit);
    return bytes;
  }

  /** Releases the memory after the handler has run. */
  release(): void {
    if (this.#bytes > smallBody) this.#bodies.release(this);
  }

  cutOff(): void {
    const message = "the body arrived too slowly while the server was short of memory; send it again later";
    this.#refuse(new EngineError("unexpected", "$", message, { status: 408 }));
  }

  /** Ends the wait for the body, unless bytes have arrived that extend the deadline. */
  onDeadline(): void {
    this.#unwatch();
    const { seconds, bytesPerSecond } = this.#pace;
    if (this.#reject === null) {
      // The response has been sent, but the unread part of the body blocks the connection for further requests.
      this.#raw.destroy();
      return;
    }
    const extension = bytesPerSecond === 0 ? 0 : this.#bytes / bytesPerSecond;
    const remaining = this.#since + (seconds + extension) * 1000 - performance.now();
    if (remaining > 0) {
      this.#deadline = watchDeadline(remaining, this);
      return;
    }
    this.#isLate = true;
    this.#refuse(tooSlow(this.#pace));
  }

  /** Restarts the deadline after the response, for the unread part of the body. */
  limitRest(): void {
    if (this.#raw.complete || this.#raw.destroyed) return;
    this.#watch();
    this.#raw.once("end", () => this.#unwatch()).once("close", () => this.#unwatch());
  }

  /** True if the unread part of the body is, or may be, too long for the connection to be reused. */
  get hasLongRest(): boolean {
    if (this.#raw.complete) return false;
    if (this.#isLate) return true;
    const { "content-length": declared, "transfer-encoding": coding } = this.#raw.headers;
    return coding !== undefined || Number(declared ?? 0) - this.#bytes > smallBody;
  }

  /**
   * Discards the unread part of the body, within limits, until the client closes the connection. If the server closed
   * the connection while the client was still sending, the connection would be reset and the client would lose the
   * response.
   */
  discardRest(done: () => void): void {
    let remaining = maxDiscardedBytes;
    const end = (): void => {
      clearTimeout(timer);
      done();
    };
    const timer = setTimeout(end, maxDiscardMilliseconds);
    this.#isDiscarded = true;
    this.#raw.on("data", (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) end();
    });
    this.#raw.once("close", end);
    this.#raw.once("end", end);
    this.#raw.resume();
  }

  /** Reads the whole body. Must be called only once. */
  #collect<T>(limit: BodyLimit, read: (whole: Buffer) => T): Promise<T> {
    const raw = this.#raw;
    invariant(this.#since === 0, "a body is read either as text or as bytes");
    if (raw.readableEnded) return this.#alreadyRead(limit).then(read);
    this.#mayExceedTotal = limit.mayExceedTotal;
    this.#since = performance.now();
    if (raw.headers.expect !== undefined && raw.httpVersion === "1.1") this.#reply.writeContinue();
    return new Promise((resolve, reject) => {
      const lose = (): void => {
        this.#isLost = true;
        this.#chunks = [];
        reject(new EngineError("bad-request", "$", "the client disconnected before the body was complete"));
      };
      // The client may have disconnected during authentication.
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
          // The text may exceed the maximum string length of the runtime.
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

  /** Returns a body that the host program has already read. Some frameworks store it as `rawBody`. */
  async #alreadyRead(limit: BodyLimit): Promise<Buffer> {
    const body = "rawBody" in this.#raw ? this.#raw.rawBody : undefined;
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
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

const toBytes = (whole: Buffer): Buffer => whole;
const toText = (whole: Buffer): string => whole.toString("utf8");

function tooLong({ bytes, option }: BodyLimit): EngineError {
  const message = `the body is longer than the ${bytes} bytes that ${option} allows`;
  return new EngineError("bad-request", "$", message, { status: 413 });
}

function tooSlow({ seconds, bytesPerSecond }: BodyPace): EngineError {
  const extension = bytesPerSecond === 0 ? "" : ` plus 1 s per ${bytesPerSecond} bytes (--body-least-rate)`;
  const message = `the body arrived too slowly: the limit is ${seconds} s (--body-timeout)${extension}`;
  return new EngineError("bad-request", "$", message, { status: 408 });
}

function readBefore(): EngineError {
  const message = "the host has already read the body; mount the engine before any body parser";
  return new EngineError("unexpected", "$", message);
}

function noRoom(): EngineError {
  const message = "the server is short of memory for long bodies (--max-buffered-body-bytes); send it again later";
  return new EngineError("unexpected", "$", message, { status: 503 });
}
