/** Opens connections to Redis and reconnects with a growing delay (back-off). Loaded only if Redis is configured. */
import { Redis } from "ioredis";

/** Command timeout in milliseconds: short, because requests can be served without Redis. */
const commandTimeout = 500;

/** Maximum delay between connection attempts, in milliseconds. */
const maxReconnectDelay = 5000;

/**
 * Opens a connection without waiting for it, so that the server starts even if Redis is down.
 * @param onError called if the connection is lost or cannot be opened; reconnects are automatic
 */
export function openRedis(url: string, onError: (error: unknown) => void): Redis {
  const client = new Redis(url, {
    commandTimeout,
    connectTimeout: 10 * commandTimeout,
    // Without this queue, commands fail immediately while there is no connection.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * 2 ** attempt, maxReconnectDelay),
    connectionName: "engine",
  });
  client.on("error", onError);
  return client;
}
