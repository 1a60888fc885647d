/**
 * Counts request rates in Redis, shared by all instances: a list per client with the times of its operations by the
 * clock of Redis. A script checks and counts atomically.
 */
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { type RateCounter, RateLimiter, windowMilliseconds } from "./rate-limiter.ts";

export interface RedisRateSettings {
  readonly client: Pick<Redis, "eval">;
  /** Identifies the instances that share the counters. */
  readonly installation: string;
  /** Called with errors of Redis. */
  readonly failed: (error: unknown) => void;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds after a failure during which Redis is not used, so that not every request waits for its timeout. */
const retryDelay = 1000;

const script = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local operations, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call("LINDEX", KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call("LPOP", KEYS[1])
  oldest = redis.call("LINDEX", KEYS[1], 0)
end
if redis.call("LLEN", KEYS[1]) + operations > max then return 0 end
for _ = 1, operations do redis.call("RPUSH", KEYS[1], string.format("%.0f", now)) end
redis.call("PEXPIRE", KEYS[1], window)
return 1`;

export class RedisRateCounter implements RateCounter {
  readonly #settings: RedisRateSettings;
  readonly #now: () => number;
  /** Counts while Redis is unreachable. */
  readonly #local: RateLimiter;
  #retryAt = -Infinity;

  constructor(settings: RedisRateSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
    this.#local = new RateLimiter(this.#now);
  }

  async take(client: string, operations: number, perMinute: number): Promise<boolean> {
    const countLocally = () => this.#local.take(client, operations, perMinute);
    if (this.#now() < this.#retryAt) return countLocally();
    try {
      const name = nameOf(this.#settings.installation, client);
      const taken = await this.#settings.client.eval(script, 1, name, operations, perMinute, windowMilliseconds);
      return taken === 1;
    } catch (error) {
      this.#retryAt = this.#now() + retryDelay;
      this.#settings.failed(error);
      return countLocally();
    }
  }
}

/**
 * Returns the name of a Redis key. Hashes the client key, which has no maximum length and contains values of session
 * variables.
 */
function nameOf(installation: string, client: string): string {
  return `engine:rate:${createHash("sha256")
    .update(JSON.stringify([installation, client]))
    .digest("base64url")}`;
}
