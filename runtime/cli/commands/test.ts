/** `engine test`: runs permission tests of a project on databases of its own. */
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { problemsOf } from "../error-problems.ts";
import { commandFailure } from "../failure.ts";
import { generate } from "../permission-tests/generate/generate.ts";
import { mutate } from "../permission-tests/mutate.ts";
import { withTests } from "../permission-tests/prepare.ts";
import { failureProblem, reportJson, reportText, shownPlace } from "../permission-tests/report.ts";
import type { TestResult } from "../permission-tests/run-tests.ts";
import { testDatabases } from "../permission-tests/test-databases.ts";
import { testsFolder } from "../permission-tests/test-file.ts";
import { updateFiles } from "../permission-tests/update-files.ts";
import { type Problem, problemAt } from "../problem.ts";
import { changesOf, filesState } from "../project/changes.ts";
import type { TestReporter } from "../project/choices.ts";
import {
  outputColors,
  printable,
  printDone,
  printFailure,
  printProblems,
  printResult,
  recordProblems,
  recordResult,
} from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { type ScratchServer, withScratchServer } from "../scratch/scratch-databases.ts";

export interface TestCommandOptions extends Pick<GlobalFlags, "project" | "envfile" | "color"> {
  /** PostgreSQL server for the databases of the tests; default an embedded one. */
  readonly database?: string;
  /** Text in the name, file or session of the cases to run. */
  readonly filter?: string;
  readonly reporter: TestReporter;
  /** If true, finds changes of permissions that no test notices. */
  readonly mutate?: boolean;
  /** If true, writes tests of all permissions first. */
  readonly generate?: boolean;
  /** If true, generated files are replaced even if people have edited them. */
  readonly overwrite?: boolean;
  /** If true, received results become expected ones. */
  readonly update?: boolean;
  /** If true, keeps running and runs the tests again after each change. */
  readonly watch?: boolean;
}

/**
 * Resolves to the exit code: 1 if a case fails, or the project has problems. With `watch`, it runs until a signal.
 * @throws EngineError, ConfigurationError, EmbeddedPostgresError if the project cannot be read or no database is available
 */
export async function testCommand(options: TestCommandOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  return withScratchServer({ setting: "--database", url: options.database }, async (server) => {
    const code = options.generate ? await generateFiles(settings, options, server) : 0;
    if (code !== 0 || (options.generate && !options.mutate)) return code;
    return options.watch ? keepRunning(settings, options, server) : runOnce(settings, options, server);
  });
}

async function keepRunning(settings: Settings, options: TestCommandOptions, server: ScratchServer): Promise<number> {
  const stopped = new AbortController();
  void stopSignal().then(() => stopped.abort());
  const { metadataPath, migrationsPath, seedsPath } = settings;
  const watched = [testsFolder(metadataPath), metadataPath, migrationsPath, seedsPath];
  for await (const _ of changesOf({ project: () => filesState(watched) }, stopped.signal)) {
    await runOnce(settings, options, server).catch((error: unknown) =>
      printFailure(commandFailure(error), problemsOf(error)),
    );
  }
  return 0;
}

/** @returns the exit code: 1 if an edited file is kept */
async function generateFiles(settings: Settings, options: TestCommandOptions, server: ScratchServer): Promise<number> {
  const folder = testsFolder(settings.metadataPath);
  return server(async (newDatabase) => {
    const databases = await testDatabases(settings, newDatabase);
    if ("problems" in databases) return failed(databases.problems);
    const overwrite = options.overwrite === true;
    const { written, edited, cases, gaps } = await generate({ settings, databases, folder, overwrite });
    for (const path of written) printDone(`wrote ${shownPlace(path)}`);
    for (const { subject, reason } of gaps) printDone(printable(`gap: ${subject}: ${reason}`));
    const kept = edited.map((path): Problem => {
      const message = `${shownPlace(path)} has changes and is kept: rename it, or pass --overwrite`;
      return { severity: "error", code: "test-invalid", message, location: { file: shownPlace(path) }, line: message };
    });
    recordResult({ written: written.map(shownPlace), cases, gaps });
    printDone(cases === 1 ? "1 case" : `${cases} cases`);
    return kept.length === 0 ? 0 : failed(kept);
  });
}

async function runOnce(settings: Settings, options: TestCommandOptions, server: ScratchServer): Promise<number> {
  const code = await withTests(settings, server, options.filter, async (prepared) => {
    const { tests, workers, runner } = prepared;
    const began = performance.now();
    const results = await workers.run(runner, tests);
    if (options.update) return await update(results, testsFolder(settings.metadataPath));
    const isPassed = results.every(({ outcome }) => outcome.kind === "passed");
    if (options.mutate && isPassed) {
      const { text, mutants, unnoticed } = await mutate({ settings, ...prepared });
      printResult(text, { mutants });
      return unnoticed === 0 ? 0 : 1;
    }
    const report = { results, milliseconds: performance.now() - began };
    printResult(reportText(report, options.reporter, outputColors(options)), reportJson(report));
    recordProblems(results.flatMap(failureProblem));
    return isPassed ? 0 : 1;
  });
  return typeof code === "number" ? code : failed(code.problems);
}

function failed(problems: readonly Problem[]): number {
  printProblems(problems);
  return 1;
}

/** Writes results, and reports the cases without one. */
async function update(results: readonly TestResult[], folder: string): Promise<number> {
  const count = await updateFiles(results);
  recordResult({ updated: count });
  printDone(`updated ${count === 1 ? "1 case" : `${count} cases`} in ${shownPlace(folder)}`);
  const broken = results.flatMap(({ test, outcome }) =>
    outcome.kind === "broken"
      ? [
          problemAt(shownPlace(test.at), {
            severity: "error",
            code: "test-failed",
            message: `${test.name}: ${outcome.reason}`,
          }),
        ]
      : [],
  );
  return broken.length > 0 ? failed(broken) : 0;
}
