/** Prepares the permission tests of a project: reads its files, and creates databases and workers. */

import { type Problem, problem } from "../problem.ts";
import type { Settings } from "../project/settings.ts";
import type { ScratchServer } from "../scratch/scratch-databases.ts";
import { shownPlace } from "./report.ts";
import { runnerOf, selectTests, type TestRunner, type TestToRun, TestWorkers, unknownRows } from "./run-tests.ts";
import { type TestDatabases, testDatabases } from "./test-databases.ts";
import { readTestFiles, testsFolder } from "./test-file.ts";

export interface PreparedTests {
  readonly tests: readonly TestToRun[];
  readonly databases: TestDatabases;
  readonly workers: TestWorkers;
  readonly runner: TestRunner;
}

/** Problems of files or metadata that prevent all tests. */
export interface Problems {
  readonly problems: readonly Problem[];
}

/**
 * Runs `work` with the tests, and drops their databases.
 * @param filter text in the name, file or session of the cases
 * @throws EngineError if the project cannot be read, or no database is available
 */
export async function withTests<T>(
  settings: Settings,
  server: ScratchServer,
  filter: string | undefined,
  work: (prepared: PreparedTests) => Promise<T>,
): Promise<T | Problems> {
  const folder = testsFolder(settings.metadataPath);
  const { files, problems } = await readTestFiles(folder);
  if (problems.length > 0) return { problems };
  const tests = selectTests(files, filter);
  if (tests.length === 0) {
    const matching = filter === undefined ? "" : ` that --filter ${filter} matches`;
    const message = `no permission tests${matching}: ${shownPlace(folder)} has no such cases`;
    return { problems: [{ ...problem("error", "test-invalid", message), line: message }] };
  }
  return server(async (newDatabase): Promise<T | Problems> => {
    const databases = await testDatabases(settings, newDatabase);
    if ("problems" in databases) return databases;
    const unknown = unknownRows(files, databases.sources);
    if (unknown.length > 0) return { problems: unknown };
    const workers = new TestWorkers(databases);
    try {
      return await work({ tests, databases, workers, runner: runnerOf(settings, databases, databases.program) });
    } finally {
      await workers.close();
    }
  });
}
