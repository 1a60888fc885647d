/**
 * How many connections a pool may have now: as many as it is set to, or as many as the server granted when it refused
 * another one. From then on it grows again, by a quarter at a time; while the server goes on to refuse, ever more rarely.
 */
export class PoolLimit {
  readonly #max: number;
  readonly #firstWait: number;
  #now: number;
  #wait: number;
  #growsAt = 0;

  /** @param firstWait in milliseconds */
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

  /** How many of them may write at a time: a quarter is left to reads. */
  get forWrites(): number {
    return this.#now === 1 ? 1 : Math.max(1, Math.floor((this.#now * 3) / 4));
  }

  /** The server refused one more than these. @returns whether that is news */
  reduce(granted: number, now: number): boolean {
    const isNews = !this.isReduced;
    this.#now = Math.max(1, Math.min(this.#now, granted));
    // Several attempts that were under way at once are refused at once.
    if (now >= this.#growsAt) {
      this.#growsAt = now + this.#wait;
      this.#wait = Math.min(this.#wait * 2, 60 * this.#firstWait);
    }
    return isNews;
  }

  /** To be called now and then. @returns whether there is room for another one */
  grow(now: number): boolean {
    if (!this.isReduced || now < this.#growsAt) return false;
    this.#now = Math.min(this.#max, this.#now + Math.max(1, Math.floor(this.#now / 4)));
    this.#growsAt = now + this.#wait;
    return true;
  }

  /** The server took one. */
  granted(): void {
    this.#wait = this.#firstWait;
  }
}
