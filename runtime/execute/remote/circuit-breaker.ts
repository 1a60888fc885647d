/** Circuit breaker: after consecutive failures of a server, requests fail immediately until a probe succeeds. */

export interface BreakerSettings {
  /** Number of consecutive failures after which the circuit opens. */
  readonly failures: number;
  /** Initial open time. Doubled after each failed probe, up to `maxMilliseconds`. */
  readonly firstMilliseconds: number;
  readonly maxMilliseconds: number;
}

const defaults: BreakerSettings = { failures: 5, firstMilliseconds: 1000, maxMilliseconds: 30_000 };

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
  /** True while a single probe call is in flight. */
  #isProbing = false;

  constructor(settings: BreakerSettings = defaults, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Returns true if a call may be made. The caller must then report `succeeded`, `failed` or `abandoned`. */
  mayCall(): boolean {
    if (this.#failures < this.#settings.failures) return true;
    if (this.#isProbing || this.#now() < this.#callsFrom) return false;
    this.#isProbing = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isProbing = false;
  }

  /** Reports a call that was cancelled before it succeeded or failed. */
  abandoned(): void {
    this.#isProbing = false;
  }

  failed(): void {
    const { failures, firstMilliseconds, maxMilliseconds } = this.#settings;
    const isProbe = this.#isProbing;
    this.#isProbing = false;
    this.#failures++;
    const beyond = this.#failures - failures;
    // Failures of calls that were in flight when the circuit opened do not extend the open time.
    if (beyond < 0 || (beyond > 0 && !isProbe)) return;
    this.#callsFrom = this.#now() + Math.min(firstMilliseconds * 2 ** beyond, maxMilliseconds);
  }
}
