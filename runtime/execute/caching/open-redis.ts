/** A connection to Redis; loaded only where there is one. */
import { Redis } from "ioredis";

/** As long may a request wait for Redis, in milliseconds: without Redis it is answered, too. */
const patience = 500;

/** Milliseconds between attempts to connect. */
const longestPause = 5000;

/**
 * Returns at once: a Redis that is down keeps no server from starting.
 * @param failed told of a connection that is lost or cannot be made; it is made again by itself
 */
export function openRedis(url: string, failed: (error: unknown) => void): Redis {
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
  return client;
}
