/** Keeps requests from waiting for a server that does not answer: after some failures in a row, it is left alone a while. */

export interface BreakerSettings {
  /** In a row. */
  readonly failures: number;
  /** How long the server is left alone after these, and at most after more of them. */
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
}

const standard: BreakerSettings = { failures: 5, firstMilliseconds: 1000, longestMilliseconds: 30_000 };

/** One for each address. */
export class CircuitBreakers {
  readonly #breakers = new Map<string, CircuitBreaker>();

  of(address: string): CircuitBreaker {
    let breaker = this.#breakers.get(address);
    if (breaker === undefined) {
      breaker = new CircuitBreaker();
      this.#breakers.set(address, breaker);
    }
    return breaker;
  }
}

export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #now: () => number;
  #failures = 0;
  #callsFrom = 0;
  /** One call finds out whether the server is back. */
  #isTrying = false;

  constructor(settings: BreakerSettings = standard, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Whether a call may be made now; its outcome has to be told. */
  mayCall(): boolean {
    if (this.#failures < this.#settings.failures) return true;
    if (this.#isTrying || this.#now() < this.#callsFrom) return false;
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isTrying = false;
  }

  /** The call was given up before it had an outcome. */
  abandoned(): void {
    this.#isTrying = false;
  }

  failed(): void {
    const { failures, firstMilliseconds, longestMilliseconds } = this.#settings;
    const isTry = this.#isTrying;
    this.#isTrying = false;
    this.#failures++;
    const beyond = this.#failures - failures;
    // Calls that were under way when it was left alone say nothing new.
    if (beyond < 0 || (beyond > 0 && !isTry)) return;
    this.#callsFrom = this.#now() + Math.min(firstMilliseconds * 2 ** beyond, longestMilliseconds);
  }
}
