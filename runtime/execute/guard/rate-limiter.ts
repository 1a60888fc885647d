/** Rates of API limits, counted in the memory of this process: they outlive Generations, and are bounded. */
import { LRUCache } from "lru-cache";
import { lazy } from "../../values/lazy.ts";

/** Counts the operations of each client over the last minute. */
export interface RateCounter {
  /**
   * Whether so many more operations are within the limit; then they count. Refused ones do not. Never rejects.
   * @param client what tells it apart
   * @returns a promise only where others count along
   */
  take(client: string, operations: number, perMinute: number): boolean | Promise<boolean>;
}

export const windowMilliseconds = 60_000;
/** Clients that are remembered; of more, those that were quiet longest begin anew. */
const mostClients = 50_000;

export class RateLimiter implements RateCounter {
  readonly #now: () => number;
  /** When the operations of each client came, oldest first. */
  readonly #times = lazy(() => new LRUCache<string, number[]>({ max: mostClients }));

  /** @param now a clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  take(client: string, operations: number, perMinute: number): boolean {
    const now = this.#now();
    const times = (this.#times().get(client) ?? []).filter((time) => time > now - windowMilliseconds);
    const isWithin = times.length + operations <= perMinute;
    if (isWithin) for (let i = 0; i < operations; i++) times.push(now);
    this.#times().set(client, times);
    return isWithin;
  }
}
