/** A connection to Redis; loaded only where there is one. */
import { Redis } from "ioredis";
import { RedisStore } from "./redis-store.ts";
import type { ResponseStore } from "./store.ts";

/** As long may a query wait for its cached answer, in milliseconds: without the cache it has one, too. */
const patience = 500;

/** Milliseconds between attempts to connect. */
const longestPause = 5000;

export interface RedisSettings {
  readonly maxSeconds: number;
  /** Told of a connection that is lost or cannot be made; it is made again by itself. */
  readonly failed: (error: unknown) => void;
}

/** Resolves at once: a Redis that is down keeps no server from starting. */
export function openRedisStore(url: string, { maxSeconds, failed }: RedisSettings): ResponseStore {
  const client = new Redis(url, {
    commandTimeout: patience,
    connectTimeout: 10 * patience,
    // Nobody waits for a Redis that is not there.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * 2 ** attempt, longestPause),
    connectionName: "engine",
  });
  client.on("error", failed);
  return new RedisStore({ client, maxSeconds });
}
