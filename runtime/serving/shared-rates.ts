/** Options → what counts the rates of API limits: this process, or Redis for all instances. */
import type { Options } from "../config/option-table.ts";
import { type RateCounter, RateLimiter } from "../execute/guard/rate-limiter.ts";
import type { Log } from "../observe/log.ts";
import { atMostOncePerMinute, reasonOf } from "./failure-lines.ts";
import type { Started } from "./start.ts";

interface RateSettings {
  readonly options: Pick<Options, "redisUrl">;
  readonly log: Log;
  /** The same for all instances that serve the same, and for no others; asked for where they share a Redis. */
  readonly installation: () => Promise<string> | string;
}

/** @param started takes what is to be closed */
export async function openRates(
  started: Started,
  { options: { redisUrl }, log, installation }: RateSettings,
): Promise<RateCounter> {
  if (redisUrl === null) return new RateLimiter();
  const [{ openRedis }, { RedisRateCounter }] = await Promise.all([
    import("../caching/open-redis.ts"),
    import("../execute/guard/redis-rate-counter.ts"),
  ]);
  const failed = atMostOncePerMinute((error) => {
    const message = "Redis does not answer: this instance counts the rates of API limits alone";
    log.warn("unstructured", { message, reason: reasonOf(error) });
  });
  const client = openRedis(redisUrl.reveal(), failed);
  started.add(async () => client.disconnect());
  return new RedisRateCounter({ client, installation: await installation(), failed });
}
