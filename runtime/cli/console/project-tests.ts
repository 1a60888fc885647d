/**
 * The permission tests of a project, for its console. They run on databases of their own, as `engine test` runs them:
 * never on a database of the server, whose rows, locks, sequences and triggers they would concern.
 */

import { relative } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { yamlText } from "../../metadata-text/yaml-text.ts";
import { EngineError } from "../../values/errors.ts";
import { analyzeCatalog } from "../compile/analyze-input.ts";
import { readCatalog } from "../compile/read-catalog.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import { type ConcernedTable, tablesOfCases } from "../permission-tests/concerned-tables.ts";
import { withTests } from "../permission-tests/prepare.ts";
import { type FailureTexts, failureTexts } from "../permission-tests/report.ts";
import { selectTests, type TestResult, type TestToRun } from "../permission-tests/run-tests.ts";
import { readTestFiles, type TestCase, testsFolder } from "../permission-tests/test-file.ts";
import { problemLines } from "../problem.ts";
import type { CallMetadata } from "../project/client.ts";
import type { Settings } from "../project/settings.ts";
import type { ScratchServer } from "../scratch/scratch-databases.ts";

/** Time in milliseconds after which no further case starts. */
const maxStart = 60_000;
/** Time in milliseconds after which the databases of a run are dropped. */
const maxRun = 120_000;

interface ProjectTestsInput {
  readonly settings: Settings;
  readonly call: CallMetadata;
  readonly scratch: ScratchServer;
}

interface CaseName {
  /** Path below the folder of the tests. */
  readonly file: string;
  readonly name: string;
}

interface ListedCase extends CaseName {
  /** `line:column` in the file. */
  readonly at: string;
  readonly session: string | null;
  readonly role: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly query: string;
  /** YAML; `null` if the case has no expected result. */
  readonly expected: string | null;
  /** `null` if the metadata of the project is invalid. */
  readonly tables: readonly ConcernedTable[] | null;
}

interface TestList {
  readonly folder: string;
  readonly cases: readonly ListedCase[];
  /** One line for each invalid file. */
  readonly problems: readonly string[];
}

interface RunCase extends CaseName {
  readonly outcome: TestResult["outcome"]["kind"];
  readonly milliseconds: number;
  /** Absent if the case passed. */
  readonly failure?: FailureTexts;
}

interface TestRun {
  readonly results: readonly RunCase[];
  /** Number of cases that did not start in time. */
  readonly skipped: number;
  /** Lines about files or metadata that prevent all cases. */
  readonly problems: readonly string[];
}

export class ProjectTests {
  readonly #input: ProjectTestsInput;
  readonly #folder: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(input: ProjectTestsInput) {
    this.#input = input;
    this.#folder = testsFolder(input.settings.metadataPath);
  }

  /** @throws EngineError if files cannot be read, or the server is unreachable */
  async list(): Promise<TestList> {
    const { files, problems } = await readTestFiles(this.#folder);
    const tests = selectTests(files, undefined);
    const tablesOf = tests.length === 0 ? undefined : await this.#tables();
    const cases = tests.map(({ file, test }) => ({
      ...this.#nameOf({ file, test }),
      at: test.at.slice(file.path.length + 1),
      session: test.sessionName ?? null,
      role: test.session.role,
      variables: test.session.variables,
      query: test.query,
      expected: test.expected === undefined ? null : yamlText(test.expected as Json),
      tables: tablesOf?.(test) ?? null,
    }));
    return { folder: this.#folder, cases, problems: problemLines(problems) };
  }

  /**
   * Runs cases on new databases, after runs in progress.
   * @param names absent for all cases
   * @throws EngineError if a case does not exist, files cannot be read, or a run takes too long
   */
  run(names: readonly CaseName[] | undefined): Promise<TestRun> {
    const next = this.#last.then(() => this.#run(names));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #run(names: readonly CaseName[] | undefined): Promise<TestRun> {
    const { settings, scratch } = this.#input;
    const deadline = performance.now() + maxStart;
    const done = await withTests(settings, scratch, undefined, async ({ tests, workers, runner }) => {
      const chosen = names === undefined ? tests : this.#chosen(tests, names);
      const results = await inTime(workers.run(runner, chosen, { deadline }));
      return { results, skipped: chosen.length - results.length };
    });
    if ("problems" in done) return { results: [], skipped: 0, problems: problemLines(done.problems) };
    const results = done.results.map((result): RunCase => {
      const { test, outcome, milliseconds } = result;
      const failure = failureTexts(test, outcome);
      return { ...this.#nameOf(result), outcome: outcome.kind, milliseconds, ...(failure && { failure }) };
    });
    return { results, skipped: done.skipped, problems: [] };
  }

  #chosen(tests: readonly TestToRun[], names: readonly CaseName[]): readonly TestToRun[] {
    const known = new Map(tests.map((each) => [keyOf(this.#nameOf(each)), each]));
    return names.map((name) => {
      const found = known.get(keyOf(name));
      if (found !== undefined) return found;
      const message = `${name.file} has no case ${JSON.stringify(name.name)}; load the list of tests again`;
      throw new EngineError("not-found", "$.cases", message);
    });
  }

  #nameOf({ file, test }: TestToRun): CaseName {
    return { file: relative(this.#folder, file.path), name: test.name };
  }

  /** Returns `undefined` if the metadata of the project is invalid. Inconsistent parts of it are left out. */
  async #tables(): Promise<((test: TestCase) => readonly ConcernedTable[]) | undefined> {
    const { settings, call } = this.#input;
    const files = await readCatalog(settings.metadataPath);
    if ("diagnostic" in files) return undefined;
    const introspections = await shapesOfServer(files.catalog.sources, call);
    const options = { metadata: settings.metadataPath, allowInconsistent: true };
    const analyzed = await analyzeCatalog(files, introspections, options, settings.environment);
    return "problems" in analyzed ? undefined : tablesOfCases(analyzed);
  }
}

const keyOf = ({ file, name }: CaseName): string => JSON.stringify([file, name]);

/** @throws EngineError after `maxRun`; dropping the databases then ends the statement that runs */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `the tests did not end within ${maxRun / 1000} seconds; find the slow one with \`engine test\``;
    timer = setTimeout(() => reject(new EngineError("unexpected", "$", message, { status: 503 })), maxRun);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
