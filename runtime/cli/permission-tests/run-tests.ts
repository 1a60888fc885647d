/** Runs permission tests in parallel. Each worker has copies of the databases, in which no row is ever committed. */

import { availableParallelism } from "node:os";
import type { Json } from "../../../compiler/catalog/model.ts";
import { parseOptions } from "../../config/options.ts";
import { GenerationBuilder } from "../../control/generation-builder.ts";
import type { LoadedGeneration } from "../../control/loaded-generation.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import { guardSettings } from "../../execute/guard/guard-rules.ts";
import { EngineError } from "../../values/errors.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import type { AnalyzedProgram } from "../compile/analyze-input.ts";
import { type Problem, problemAt } from "../problem.ts";
import type { Settings } from "../project/settings.ts";
import { aligned, isEqual } from "./compare.ts";
import { type Received, type Runner, runCase } from "./run-case.ts";
import type { TestDatabases } from "./test-databases.ts";
import { defaultSchema, type Expected, type RowsStep, type TestCase, type TestFile } from "./test-file.ts";

export interface TestToRun {
  readonly file: TestFile;
  readonly test: TestCase;
}

export interface TestResult extends TestToRun {
  readonly milliseconds: number;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly kind: "passed" }
  | {
      /** `unwritten`: the case has no expected result. */
      readonly kind: "different" | "unwritten";
      /** Unordered lists are in the order of the expected ones. */
      readonly received: Received;
      readonly refusedHosts: readonly string[];
    }
  | { readonly kind: "broken"; readonly reason: string };

/** Returns the cases whose name, file or session contains the text, without regard to case. */
export function selectTests(files: readonly TestFile[], filter: string | undefined): readonly TestToRun[] {
  const all = files.flatMap((file) => file.cases.map((test) => ({ file, test })));
  if (filter === undefined) return all;
  const wanted = filter.toLowerCase();
  return all.filter(({ file, test }) =>
    [test.name, file.path, test.sessionName ?? "", test.session.role].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
}

/** Returns a problem for each table or column of a setup that the databases lack. */
export function unknownRows(files: readonly TestFile[], sources: TestDatabases["sources"]): readonly Problem[] {
  const [only] = sources.size === 1 ? sources.keys() : [];
  const steps = files.flatMap(({ setup, cases }) => [setup, ...cases.map((each) => each.setup)].flat());
  const rows = [...new Set(steps)].filter((step): step is RowsStep => "rows" in step);
  return rows.flatMap((step) => {
    const shape = sources.get(step.database ?? only ?? "default")?.shape;
    if (shape === undefined) return [];
    const { schema, name } = step.table;
    const table = shape.tables.find((each) => each.schema === schema && each.name === name);
    const shown = (table: { readonly schema: string; readonly name: string }): string =>
      table.schema === defaultSchema ? table.name : `${table.schema}.${table.name}`;
    if (table === undefined) {
      const known = shape.tables.map(shown);
      const hint = didYouMean(shown(step.table), known) ?? `the tables are ${known.join(", ")}`;
      return [unknownRow(step, `no table ${JSON.stringify(shown(step.table))}: ${hint}`)];
    }
    const columns = table.columns.map((column) => column.name);
    const unknown = [...new Set(step.rows.flatMap(Object.keys))].filter((column) => !columns.includes(column));
    return unknown.map((column) => {
      const hint = didYouMean(column, columns) ?? `the columns are ${columns.join(", ")}`;
      return unknownRow(step, `table ${shown(step.table)} has no column ${JSON.stringify(column)}: ${hint}`);
    });
  });
}

const unknownRow = ({ at }: RowsStep, message: string): Problem =>
  problemAt(at, { severity: "error", code: "unexpected-row", message });

/**
 * Returns the runner of a program.
 * @param previous the runner of an earlier version, whose unchanged roles are reused
 */
export function runnerOf(
  { environment }: Pick<Settings, "environment">,
  { sources }: TestDatabases,
  program: AnalyzedProgram,
  previous?: TestRunner,
): TestRunner {
  const options = parseOptions({}, environment);
  const builder = new GenerationBuilder({
    planCacheSize: options.queryPlanCacheSize,
    guard: guardSettings(options),
    relayCipher: null,
    sources: { database: ({ name }) => openedOf(sources, name) },
  });
  const state = { ...program, catalog: program.files.catalog, resourceVersion: 1 };
  return { generation: builder.build(state, previous?.generation), options, environment, sources };
}

export interface TestRunner extends Runner {
  readonly generation: LoadedGeneration;
}

/** Returns a source that never connects, because each case runs on sources of its own. */
function openedOf(sources: TestDatabases["sources"], name: string): DatabaseSource {
  const source = sources.get(name);
  if (source === undefined) throw new Error(`invariant: source ${name} has a test database`);
  return source.open();
}

/** Number of cases that a worker runs in about the time that a copy of a database takes. */
const casesPerCopy = 10;
const maxWorkers = 8;

/** Runs cases on copies of the databases, which are kept between runs. */
export class TestWorkers {
  readonly #databases: TestDatabases;
  readonly #idle: ReadonlyMap<string, DatabaseSource>[] = [];

  constructor(databases: TestDatabases) {
    this.#databases = databases;
  }

  /**
   * Runs cases in parallel.
   * @param untilFailure if true, a failed case prevents the start of further cases
   * @param deadline time of `performance.now` after which no further case starts
   * @returns the results in the order of the cases, of those that have run
   */
  async run(
    runner: Runner,
    tests: readonly TestToRun[],
    { untilFailure = false, deadline }: { readonly untilFailure?: boolean; readonly deadline?: number } = {},
  ): Promise<readonly TestResult[]> {
    const results: TestResult[] = [];
    let isFailed = false;
    const queue = tests.entries();
    const work = async (): Promise<void> => {
      let databases = this.#idle.pop() ?? (await this.#databases.open());
      try {
        for (const [index, each] of queue) {
          if ((untilFailure && isFailed) || (deadline !== undefined && performance.now() > deadline)) break;
          const began = performance.now();
          const { outcome, isSpoilt } = await runTest(runner, each, databases);
          results[index] = { ...each, outcome, milliseconds: performance.now() - began };
          isFailed ||= outcome.kind !== "passed";
          if (!isSpoilt) continue;
          await closeAll(databases);
          databases = await this.#databases.open();
        }
      } finally {
        this.#idle.push(databases);
      }
    };
    const count = Math.min(maxWorkers, Math.max(2, availableParallelism()), Math.ceil(tests.length / casesPerCopy));
    const ended = await Promise.allSettled(Array.from({ length: count }, work));
    const failed = ended.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
    return results.filter((each) => each !== undefined);
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.map(closeAll));
  }
}

async function closeAll(databases: ReadonlyMap<string, DatabaseSource>): Promise<void> {
  await Promise.all([...databases.values()].map((database) => database.close()));
}

async function runTest(
  runner: Runner,
  { file, test }: TestToRun,
  databases: ReadonlyMap<string, DatabaseSource>,
): Promise<{ readonly outcome: Outcome; readonly isSpoilt?: true }> {
  try {
    const result = await runCase(runner, file, test, databases);
    return { outcome: result.kind === "broken" ? result : outcomeOf(test, result) };
  } catch (error) {
    if (error instanceof EngineError) return { outcome: { kind: "broken", reason: error.message }, isSpoilt: true };
    throw error;
  }
}

function outcomeOf(
  { expected, query, operation }: TestCase,
  { received, refusedHosts }: { readonly received: Received; readonly refusedHosts: readonly string[] },
): Outcome {
  if (expected === undefined) return { kind: "unwritten", received, refusedHosts };
  const { data } = received;
  const ordered =
    data === undefined || expected.data === undefined ? data : aligned(expected.data, data, query, operation);
  const compared = { ...received, ...(ordered !== undefined && { data: ordered }) };
  return isExpected(expected, compared) ? { kind: "passed" } : { kind: "different", received: compared, refusedHosts };
}

function isExpected(expected: Expected, { data, error }: Received): boolean {
  const hasData =
    expected.data === undefined ? data === undefined : data !== undefined && isEqual(expected.data as Json, data);
  if (!hasData) return false;
  if (expected.error === undefined || error === undefined) return expected.error === error;
  return (["code", "message", "path"] as const).every(
    (key) => expected.error?.[key] === undefined || expected.error[key] === error[key],
  );
}
