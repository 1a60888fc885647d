/** Options → what counts the rates of API limits: this process, all processes of the server, or Redis for all instances. */
import type { Options } from "../../config/option-table.ts";
import { type RateCounter, RateLimiter } from "../../execute/guard/rate-limiter.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { atMostOncePerMinute, reasonOf } from "./failure-lines.ts";
import type { Started } from "./start.ts";

interface RateSettings {
  readonly options: Pick<Options, "redisUrl">;
  readonly log: Log;
  /** The same for all instances that serve the same, and for no others; asked for where they share a Redis. */
  readonly installation: () => Promise<string> | string;
  /** The other processes of the server, with which it counts where there is no Redis; absent: there are none. */
  readonly siblings: Siblings | undefined;
}

/** @param started takes what is to be closed */
export async function openRates(
  started: Started,
  { options: { redisUrl }, log, installation, siblings }: RateSettings,
): Promise<RateCounter> {
  if (redisUrl === null) return siblings ?? new RateLimiter();
  const [{ openRedis }, { RedisRateCounter }] = await Promise.all([
    import("../../execute/caching/open-redis.ts"),
    import("../../execute/guard/redis-rate-counter.ts"),
  ]);
  const failed = atMostOncePerMinute((error) => {
    const message = "Redis does not answer: this instance counts the rates of API limits alone";
    log.warn("unstructured", { message, reason: reasonOf(error) });
  });
  const client = openRedis(redisUrl.reveal(), failed);
  started.add(async () => client.disconnect());
  return new RedisRateCounter({ client, installation: await installation(), failed });
}
