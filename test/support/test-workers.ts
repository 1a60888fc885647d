/** How many test files run side by side, and on which PostgreSQL servers. */
import { availableParallelism } from "node:os";

/** The servers that ENGINE_TEST_POSTGRES_URL names. */
export const givenServers = (): readonly string[] =>
  (process.env.ENGINE_TEST_POSTGRES_URL ?? "").split(/\s+/).filter((url) => url !== "");

/** More than there are processors: some tests wait, for timers, sockets and commands. */
export const workers = Math.ceil(availableParallelism() * 1.5);

/**
 * Files that need a PostgreSQL: each of those that run at a time has a server of its own. Those servers and the programs
 * that such tests start take processors, too.
 */
export const databaseWorkers = givenServers().length || availableParallelism();
