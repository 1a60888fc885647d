/**
 * The permission tests of `engine dev`: run beside the server after each change of the project, on databases of their own.
 * Tests that passed and that no change has affected since are not run. A change during a run begins another run after it.
 */
import { commandFailure } from "../failure.ts";
import { databaseFiles } from "../migrations/database-files.ts";
import { type Problems, withTests } from "../permission-tests/prepare.ts";
import { shownPlace } from "../permission-tests/report.ts";
import type { TestResult, TestToRun } from "../permission-tests/run-tests.ts";
import { readTestFiles, testsFolder } from "../permission-tests/test-file.ts";
import { problemLines } from "../problem.ts";
import { printable } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";
import type { ScratchServer } from "../scratch/scratch-databases.ts";
import { TestInputs } from "./affected-tests.ts";

/** Time after which no further case starts. */
const maxMilliseconds = 30_000;

/** Number of failed cases in a report. */
const maxShown = 10;

export class DevPermissionTests {
  readonly #settings: Settings;
  readonly #scratch: ScratchServer;
  readonly #print: (line: string) => void;
  #running: Promise<void> | undefined;
  #isPending = false;
  #isClosed = false;
  /** Places of the cases that failed in the last run. */
  #failed: ReadonlySet<string> = new Set();
  /** Inputs with which cases passed. */
  #passed: ReadonlySet<string> = new Set();

  constructor(settings: Settings, scratch: ScratchServer, print: (line: string) => void) {
    this.#settings = settings;
    this.#scratch = scratch;
    this.#print = print;
  }

  /** Runs the tests, and returns at once. A project without tests starts no database. */
  changed(): void {
    this.#isPending = true;
    this.#running ??= this.#runPending().finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits for the run in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #runPending(): Promise<void> {
    while (this.#isPending && !this.#isClosed) {
      this.#isPending = false;
      try {
        for (const line of await this.#run()) this.#print(line);
      } catch (error) {
        this.#print(`permission tests did not run: ${commandFailure(error)}`);
      }
    }
  }

  async #run(): Promise<readonly string[]> {
    const { files, problems } = await readTestFiles(testsFolder(this.#settings.metadataPath));
    if (problems.length === 0 && files.every(({ cases }) => cases.length === 0)) return [];
    const deadline = performance.now() + maxMilliseconds;
    // Read first, so that files that change while the databases are created affect the next run.
    const sqlFiles = JSON.stringify([...(await databaseFiles(this.#settings))]);
    const done = await withTests(this.#settings, this.#scratch, undefined, async (prepared) => {
      const { tests, workers, runner, databases } = prepared;
      const inputs = new TestInputs(databases.program, sqlFiles);
      const inputsOf = new Map(tests.map((each) => [each.test, inputs.of(each)]));
      const isAffected = ({ test }: TestToRun): boolean => !this.#passed.has(inputsOf.get(test) ?? "");
      const affected = tests.filter(isAffected);
      const results = await workers.run(runner, affected, { deadline });
      const failed = new Set(results.filter(({ outcome }) => outcome.kind !== "passed").map(({ test }) => test));
      const hasPassed = new Set(results.map(({ test }) => test).filter((test) => !failed.has(test)));
      const passed = tests.filter((each) => !isAffected(each) || hasPassed.has(each.test));
      this.#passed = new Set(passed.flatMap(({ test }) => inputsOf.get(test) ?? []));
      return { results, affected: affected.length, unaffected: tests.length - affected.length };
    });
    return "problems" in done ? refusalLines(done) : this.#report(done);
  }

  #report({ results, affected, unaffected }: Run): readonly string[] {
    const failed = results.filter(({ outcome }) => outcome.kind !== "passed");
    const before = this.#failed;
    this.#failed = new Set(failed.map(keyOf));
    const shown = failed.slice(0, maxShown).map((result) => {
      const word = before.has(keyOf(result)) ? "still broken" : "broken";
      return `  ${printable(`${word}: ${result.test.name} (${shownPlace(result.test.at)})`)}`;
    });
    const skipped = affected - results.length;
    const counts = [
      ...(affected > 0 ? [`${results.length - failed.length} passed`] : []),
      ...(failed.length > 0 ? [`${failed.length} failed`] : []),
      ...(skipped > 0 ? [`${skipped} not run within ${maxMilliseconds / 1000} s`] : []),
      ...(unaffected > 0 ? [`${unaffected} not affected and not run`] : []),
    ];
    const rest = failed.length > maxShown ? ["  more: engine test"] : [];
    return [`permission tests: ${counts.join(", ")}`, ...shown, ...rest];
  }
}

interface Run {
  readonly results: readonly TestResult[];
  /** Numbers of cases that the changes since the last run can affect, and of others. */
  readonly affected: number;
  readonly unaffected: number;
}

/** Identifies a case after changes of other lines. */
const keyOf = ({ file, test }: TestResult): string => `${file.path} ${test.name}`;

const refusalLines = ({ problems }: Problems): readonly string[] => [
  "permission tests did not run:",
  ...problemLines(problems)
    .slice(0, maxShown)
    .map((line) => `  ${printable(line)}`),
];
