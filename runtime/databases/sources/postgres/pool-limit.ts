/**
 * The current connection limit of a pool: the configured one, or the number granted when the server rejected a
 * connection. A reduced limit grows by a quarter at a time; while the server keeps rejecting, the attempts become less
 * frequent.
 */
export class PoolLimit {
  readonly #max: number;
  readonly #firstWait: number;
  #now: number;
  #wait: number;
  #growsAt = 0;

  /**
   * Creates the limit.
   * @param firstWait delay before the limit grows again, in milliseconds
   */
  constructor(max: number, firstWait: number) {
    this.#max = max;
    this.#now = max;
    this.#firstWait = firstWait;
    this.#wait = firstWait;
  }

  get now(): number {
    return this.#now;
  }

  get isReduced(): boolean {
    return this.#now < this.#max;
  }

  /** The maximum number of connections used by writes. A quarter is reserved for reads. */
  get forWrites(): number {
    return this.#now === 1 ? 1 : Math.max(1, Math.floor((this.#now * 3) / 4));
  }

  /**
   * Reduces the limit after a rejected connection. Returns true if it was not reduced before.
   * @param granted number of connections that the server accepted
   */
  reduce(granted: number, now: number): boolean {
    const isNews = !this.isReduced;
    this.#now = Math.max(1, Math.min(this.#now, granted));
    // Attempts in progress at the same time are rejected together and count once.
    if (now >= this.#growsAt) {
      this.#growsAt = now + this.#wait;
      this.#wait = Math.min(this.#wait * 2, 60 * this.#firstWait);
    }
    return isNews;
  }

  /** Raises the limit if its delay has passed. Returns true if it was raised. */
  grow(now: number): boolean {
    if (!this.isReduced || now < this.#growsAt) return false;
    this.#now = Math.min(this.#max, this.#now + Math.max(1, Math.floor(this.#now / 4)));
    this.#growsAt = now + this.#wait;
    return true;
  }

  /** Resets the delay after an accepted connection. */
  granted(): void {
    this.#wait = this.#firstWait;
  }
}
