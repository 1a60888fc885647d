/** Counts request rates in the memory of this process. Counts survive metadata changes, and are bounded. */
import { LRUCache } from "lru-cache";
import { lazy } from "../../values/lazy.ts";

/** Counts the operations of each client over the last minute. */
export interface RateCounter {
  /**
   * Counts operations unless they exceed the limit. Never rejects.
   * @param client key of the client
   * @returns true if the operations were counted; a promise only if other instances share the counter
   */
  take(client: string, operations: number, perMinute: number): boolean | Promise<boolean>;
}

export const windowMilliseconds = 60_000;
/** Maximum number of tracked clients; the least recently active are evicted. */
const maxClients = 50_000;

export class RateLimiter implements RateCounter {
  readonly #now: () => number;
  /** Times of the operations of each client, oldest first. */
  readonly #times = lazy(() => new LRUCache<string, number[]>({ max: maxClients }));

  /** @param now a clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  take(client: string, operations: number, perMinute: number): boolean {
    const now = this.#now();
    const times = (this.#times().get(client) ?? []).filter((time) => time > now - windowMilliseconds);
    const isWithinLimit = times.length + operations <= perMinute;
    if (isWithinLimit) for (let i = 0; i < operations; i++) times.push(now);
    this.#times().set(client, times);
    return isWithinLimit;
  }
}
