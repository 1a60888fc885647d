/** Limits the total memory of buffered request bodies. */

/** Bodies up to this many bytes do not count: they are accepted even when the limit is reached. */
export const smallBody = 64 * 1024;

/** A body that is buffered completely or in part. */
export interface BufferedBody {
  readonly bytes: number;
  /** Time at which reading began, on the clock of `performance.now`. */
  readonly since: number;
  readonly mayExceedTotal: boolean;
  /** Rejects the body and releases its memory. */
  cutOff(): void;
}

/** When memory is short, bodies slower than this are cut off. */
const minBytesPerSecond = 32 * 1024;
/** Age of a body, in milliseconds, at which the minimum rate begins to apply. */
const graceMilliseconds = 5000;

export class BufferedBodies {
  readonly #maxBytes: number;
  readonly #held = new Map<BufferedBody, number>();
  readonly #arriving = new Set<BufferedBody>();
  #total = 0;
  /** The body that may currently exceed the limit. */
  #exceeding: BufferedBody | null = null;

  /** @param maxBytes the limit for all bodies together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The total size of the counted bodies in bytes. */
  get total(): number {
    return this.#total;
  }

  /**
   * Counts the bytes of a body that have arrived so far.
   * @returns false if they exceed the limit
   */
  hold(body: BufferedBody): boolean {
    const more = body.bytes - (this.#held.get(body) ?? 0);
    if (!this.#hasRoom(more) && !this.#makeRoom(body, more) && !this.#mayExceed(body)) return false;
    this.#total += more;
    this.#held.set(body, body.bytes);
    this.#arriving.add(body);
    return true;
  }

  /** Marks a body as complete, so that it is not cut off as slow. */
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
    return this.#total + bytes <= this.#maxBytes;
  }

  /** Cuts off slow bodies until the bytes fit. Slow bodies could occupy all the memory for minutes. */
  #makeRoom(body: BufferedBody, bytes: number): boolean {
    const now = performance.now();
    for (const other of this.#arriving) {
      const milliseconds = now - other.since;
      const isSlow = milliseconds > graceMilliseconds && other.bytes * 1000 < minBytesPerSecond * milliseconds;
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
