/**
 * Rates counted in Redis, for all instances together: for each client a list of when its operations came, oldest first,
 * by the clock of Redis. Looking and counting is one script, so that no two requests take the same place.
 */
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { type RateCounter, RateLimiter, windowMilliseconds } from "./rate-limiter.ts";

export interface RedisRateSettings {
  readonly client: Pick<Redis, "eval">;
  /** The same for all instances that serve the same, and for no others. */
  readonly installation: string;
  /** Told of a Redis that does not answer. */
  readonly failed: (error: unknown) => void;
  /** A clock, in milliseconds. */
  readonly now?: () => number;
}

/** In milliseconds: so long a Redis that did not answer is not asked, so that requests do not wait for it in turn. */
const pause = 1000;

const script = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local operations, most, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call("LINDEX", KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call("LPOP", KEYS[1])
  oldest = redis.call("LINDEX", KEYS[1], 0)
end
if redis.call("LLEN", KEYS[1]) + operations > most then return 0 end
for _ = 1, operations do redis.call("RPUSH", KEYS[1], string.format("%.0f", now)) end
redis.call("PEXPIRE", KEYS[1], window)
return 1`;

export class RedisRateCounter implements RateCounter {
  readonly #settings: RedisRateSettings;
  readonly #now: () => number;
  /** Counts while Redis does not answer. */
  readonly #own: RateLimiter;
  #askedAgain = -Infinity;

  constructor(settings: RedisRateSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
    this.#own = new RateLimiter(this.#now);
  }

  async take(client: string, operations: number, perMinute: number): Promise<boolean> {
    const alone = () => this.#own.take(client, operations, perMinute);
    if (this.#now() < this.#askedAgain) return alone();
    try {
      const name = nameOf(this.#settings.installation, client);
      const taken = await this.#settings.client.eval(script, 1, name, operations, perMinute, windowMilliseconds);
      return taken === 1;
    } catch (error) {
      this.#askedAgain = this.#now() + pause;
      this.#settings.failed(error);
      return alone();
    }
  }
}

/** Values of session variables are as long as clients like, and nobody who reads Redis shall see them. */
function nameOf(installation: string, client: string): string {
  return `engine:rate:${createHash("sha256")
    .update(JSON.stringify([installation, client]))
    .digest("base64url")}`;
}
