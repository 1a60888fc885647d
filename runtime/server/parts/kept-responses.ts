/** Options → the cache of answers, in memory or in Redis. Live and sealed servers share it. */
import { createHash } from "node:crypto";
import type { Options } from "../../config/option-table.ts";
import type { Secret } from "../../config/secret.ts";
import { MemoryStore } from "../../execute/caching/memory-store.ts";
import { ResponseCache } from "../../execute/caching/response-cache.ts";
import type { Generation } from "../../execute/generation.ts";
import type { KeptResponses } from "../../execute/kept-responses.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { atMostOncePerMinute, reasonOf } from "./failure-lines.ts";
import type { Started } from "./start.ts";

interface KeptResponsesSettings {
  readonly options: Pick<Options, "redisUrl" | "cacheMaxBytes" | "cacheMaxEntrySize" | "cacheMaxEntryTtlSeconds">;
  readonly log: Log;
  readonly meters: Meters;
  /** The same for all instances that serve the same, and for no others; asked for where they share a store. */
  readonly installation: () => Promise<string> | string;
  /** The other processes of the server, each with a share of the memory; absent: there are none. */
  readonly siblings: Siblings | undefined;
}

/**
 * @param started takes what is to be closed
 * @returns `undefined`: nothing is to be kept
 */
export async function openKeptResponses(
  started: Started,
  { options, log, meters, installation, siblings }: KeptResponsesSettings,
): Promise<KeptResponses | undefined> {
  const { redisUrl, cacheMaxBytes, cacheMaxEntrySize, cacheMaxEntryTtlSeconds: maxSeconds } = options;
  if (cacheMaxBytes === 0) return undefined;
  const failed = atMostOncePerMinute((error) => {
    const message = "the response cache does not answer: queries with @cached are run without it";
    log.warn("response-cache", { message, reason: reasonOf(error) });
  });
  const store = redisUrl
    ? await openRedisStore(redisUrl, maxSeconds, failed)
    : new MemoryStore(Math.ceil(cacheMaxBytes / (siblings?.workers ?? 1)));
  started.add(() => store.close());
  const owner = redisUrl ? await installation() : "";
  const realms = new WeakMap<Generation, string>();
  const maxLength = cacheMaxEntrySize * 1024 * 1024;
  const cache = new ResponseCache({ store, meters, maxSeconds, maxLength, failed });
  siblings?.onClear((cleared) => cache.clear(cleared));
  return {
    cache,
    clearing: siblings && redisUrl === null ? { clear: (cleared) => siblings.clearAll(cleared) } : cache,
    realmOf(generation) {
      const realm = realms.get(generation) ?? realmOf(owner, generation);
      realms.set(generation, realm);
      return realm;
    },
  };
}

/** The metadata may be the same where databases are not: servers for tests and for users may share a Redis. */
function realmOf(owner: string, { resourceVersion, sources }: Generation): string {
  const servers = [...sources.values()]
    .map(({ name, server, routes }) => [
      name,
      server ?? "",
      ...[...(routes?.members ?? [])].map(([member, { server: own }]) => `${member} ${own ?? ""}`),
    ])
    .sort();
  return createHash("sha256")
    .update(JSON.stringify([owner, resourceVersion, servers]))
    .digest("base64url");
}

async function openRedisStore(url: Secret, maxSeconds: number, failed: (error: unknown) => void) {
  const [{ openRedis }, { RedisStore }] = await Promise.all([
    import("../../execute/caching/open-redis.ts"),
    import("../../execute/caching/redis-store.ts"),
  ]);
  return new RedisStore({ client: openRedis(url.reveal(), failed), maxSeconds });
}
