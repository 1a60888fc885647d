/**
 * The PostgreSQL servers of a run: one for each worker, so that concurrent test files do not share server-wide objects,
 * such as roles, settings and the list of connections. Input: optionally, the environment variable
 * ENGINE_TEST_POSTGRES_URL with the superuser's URLs of servers to use instead, separated by spaces, or
 * ENGINE_TEST_POSTGRES_PACKAGE with the folder of an npm package with another version. Output: their URLs, through
 * `inject`, and for the setup of other projects in that variable.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import { databaseWorkers, givenServers } from "./test-workers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresUrls: readonly string[];
  }
}

/** Starts the servers before the first test file, and returns the function that stops them after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = givenServers();
  if (given.length > 0) {
    project.provide("postgresUrls", given);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "engine-test-"));
  await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
  const servers = await Promise.all(
    Array.from({ length: databaseWorkers }, (_, index) =>
      startEmbeddedPostgres({
        dataDirectory: join(folder, `postgres-${index + 1}`),
        durable: false,
        packageFolder: process.env.ENGINE_TEST_POSTGRES_PACKAGE,
      }),
    ),
  );
  const urls = servers.map(({ url }) => url);
  project.provide("postgresUrls", urls);
  process.env.ENGINE_TEST_POSTGRES_URL = urls.join(" ");
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    for (const { dataDirectory } of servers) await rm(dataDirectory, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  };
}
