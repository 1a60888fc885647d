/**
 * When a follower takes over what another instance stored: not all of them at once, since each reads its databases and
 * compiles. The wait is at most as long as that takes, so that followers of small metadata do not wait.
 */

/** Shorter work disturbs nobody. */
const notWorthWaiting = 250;
/** In milliseconds. */
const longestWait = 10_000;

export class FollowerTurn {
  #milliseconds: number;
  readonly #random: () => number;
  #stop: () => void = () => undefined;
  #isStopped = false;

  /**
   * @param milliseconds how long it took to make what is served now
   * @param random from 0 to 1
   */
  constructor(milliseconds: number, random: () => number = Math.random) {
    this.#milliseconds = milliseconds;
    this.#random = random;
  }

  /** Resolves when it is this instance's turn, or when it is stopped. */
  wait(): Promise<void> {
    if (this.#isStopped || this.#milliseconds < notWorthWaiting) return Promise.resolve();
    const wait = this.#random() * Math.min(this.#milliseconds, longestWait);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#stop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Does the work, and remembers how long it took. */
  async take(work: () => Promise<void>): Promise<void> {
    const start = performance.now();
    await work();
    this.#milliseconds = performance.now() - start;
  }

  /** Nobody waits any more. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }
}
