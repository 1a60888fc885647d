/**
 * The PostgreSQL server that all test files of a run share, of whichever project. Input: nothing, or the environment
 * variable ENGINE_TEST_POSTGRES_URL with the superuser's URL of a server to use instead. Output: its URL, through
 * `inject`, and for the setup of other projects in that variable.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../runtime/embedded-postgres/start-embedded-postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** Called by vitest before the first test file; what it returns is called after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.ENGINE_TEST_POSTGRES_URL;
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "engine-test-"));
  await chmod(folder, 0o755); // PostgreSQL may run as another user, who has to pass through
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
  project.provide("postgresUrl", postgres.url);
  process.env.ENGINE_TEST_POSTGRES_URL = postgres.url;
  return async () => {
    await postgres.stop();
    await rm(postgres.dataDirectory, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  };
}
