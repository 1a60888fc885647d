/** The number of concurrent test files, and their PostgreSQL servers. */
import { availableParallelism } from "node:os";

/** Returns the servers named by ENGINE_TEST_POSTGRES_URL. */
export const givenServers = (): readonly string[] =>
  (process.env.ENGINE_TEST_POSTGRES_URL ?? "").split(/\s+/).filter((url) => url !== "");

/** More than the number of processors, because some tests wait for timers, sockets and commands. */
export const workers = Math.ceil(availableParallelism() * 1.5);

/**
 * Number of concurrent test files that need a PostgreSQL. Each has its own server. At most one per processor, because
 * these servers and the programs that such tests start also need processors.
 */
export const databaseWorkers = givenServers().length || availableParallelism();
