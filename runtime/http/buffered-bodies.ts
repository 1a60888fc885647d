/** Bounds the memory that the bodies of all requests take together. */

/** Bodies up to this many bytes are not counted: they are served even when the total is reached. */
export const smallBody = 64 * 1024;

/** A body that is buffered, in whole or in part. */
export interface BufferedBody {
  readonly bytes: number;
  /** When its first byte could arrive, in milliseconds of `performance.now()`. */
  readonly since: number;
  readonly mayExceedTotal: boolean;
  /** Gives up the rest of it, and its memory. */
  cutOff(): void;
}

/** When memory is short, bodies that arrive more slowly than this make room for others. */
const leastBytesPerSecond = 32 * 1024;
/** The rate of a body is not looked at before. */
const graceMilliseconds = 5000;

export class BufferedBodies {
  readonly #most: number;
  readonly #held = new Map<BufferedBody, number>();
  readonly #arriving = new Set<BufferedBody>();
  #total = 0;
  /** The one body that is held beyond the total. */
  #exceeding: BufferedBody | null = null;

  /** @param most bytes of all bodies together */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes of all bodies that are counted now. */
  get total(): number {
    return this.#total;
  }

  /** Counts all that a body has by now; `false`: there is no room for it. */
  hold(body: BufferedBody): boolean {
    const more = body.bytes - (this.#held.get(body) ?? 0);
    if (!this.#hasRoom(more) && !this.#makeRoom(body, more) && !this.#mayExceed(body)) return false;
    this.#total += more;
    this.#held.set(body, body.bytes);
    this.#arriving.add(body);
    return true;
  }

  /** The body is complete: it is not slow any more. */
  complete(body: BufferedBody): void {
    this.#arriving.delete(body);
  }

  release(body: BufferedBody): void {
    this.#total -= this.#held.get(body) ?? 0;
    this.#held.delete(body);
    this.#arriving.delete(body);
    if (this.#exceeding === body) this.#exceeding = null;
  }

  #hasRoom(bytes: number): boolean {
    return this.#total + bytes <= this.#most;
  }

  /** Clients that send slowly could hold all the memory for minutes. */
  #makeRoom(body: BufferedBody, bytes: number): boolean {
    const now = performance.now();
    for (const other of this.#arriving) {
      const milliseconds = now - other.since;
      const isSlow = milliseconds > graceMilliseconds && other.bytes * 1000 < leastBytesPerSecond * milliseconds;
      if (isSlow && other !== body) other.cutOff();
      if (this.#hasRoom(bytes)) return true;
    }
    return false;
  }

  #mayExceed(body: BufferedBody): boolean {
    if (!body.mayExceedTotal) return false;
    this.#exceeding ??= body;
    return this.#exceeding === body;
  }
}
