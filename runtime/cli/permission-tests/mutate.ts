/** Finds changes of permissions that no permission test notices. */

import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Program } from "../../../compiler/program/program.ts";
import { analyzeCatalog } from "../compile/analyze-input.ts";
import type { Settings } from "../project/settings.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { shownPlace } from "./report.ts";
import { runnerOf, type TestRunner, type TestToRun, type TestWorkers } from "./run-tests.ts";
import type { TestDatabases } from "./test-databases.ts";

interface MutationInput {
  readonly settings: Settings;
  readonly databases: TestDatabases;
  readonly workers: TestWorkers;
  /** Tests that pass with the unchanged permissions. */
  readonly tests: readonly TestToRun[];
  /** Runner of the unchanged permissions. */
  readonly runner: TestRunner;
}

interface Mutations {
  readonly text: string;
  readonly mutants: readonly ReportedMutant[];
  /** Number of mutants that no test notices and that are not known to be equivalent. */
  readonly unnoticed: number;
}

interface ReportedMutant {
  /** `file:line:column`. */
  readonly at: string;
  readonly description: string;
  readonly verdict: Verdict["kind"];
  readonly reason?: string;
}

export async function mutate(input: MutationInput): Promise<Mutations> {
  const { sources, program } = input.databases;
  const { catalog, place } = program.files;
  const columnsOf = (source: string, { schema, name }: { readonly schema: string; readonly name: string }) => {
    const table = sources.get(source)?.shape.tables.find((each) => each.schema === schema && each.name === name);
    return table?.columns.map((column) => column.name) ?? [];
  };
  const counts = { noticed: 0, unnoticed: 0, equivalent: 0 };
  const lines: string[] = [];
  const mutants: ReportedMutant[] = [];
  for (const mutant of mutantsOf(catalog, columnsOf)) {
    const at = shownPlace(place(mutant.path));
    const verdict = await verdictOn(input, mutant);
    counts[verdict.kind] += 1;
    const { kind, ...reason } = verdict;
    mutants.push({ at, description: mutant.description, verdict: kind, ...reason });
    if (verdict.kind === "equivalent") lines.push(`equivalent: ${at}: ${mutant.description}: ${verdict.reason}`);
    if (verdict.kind === "unnoticed") lines.push(`not noticed: ${at}: ${mutant.description}`);
  }
  const summary = `${counts.noticed} mutants noticed, ${counts.unnoticed} not noticed, ${counts.equivalent} equivalent`;
  return { text: [...lines, summary].map((line) => `${line}\n`).join(""), mutants, unnoticed: counts.unnoticed };
}

type Verdict = { readonly kind: "noticed" | "unnoticed" } | { readonly kind: "equivalent"; readonly reason: string };

/** A mutant is noticed if a test of its role fails, or its metadata is invalid. */
async function verdictOn(input: MutationInput, { catalog, role, table, equivalence }: Mutant): Promise<Verdict> {
  if (equivalence !== undefined) return { kind: "equivalent", reason: equivalence };
  const { settings, databases, workers, tests, runner } = input;
  const { introspections, program: original } = databases;
  const files = { ...original.files, catalog };
  const metadata = { metadata: settings.metadataPath };
  const program = await analyzeCatalog(files, introspections, metadata, settings.environment, original);
  if ("problems" in program) return { kind: "noticed" };
  const roles = rolesWith(role, catalog);
  const relevant = tests.filter(({ test }) => roles.has(test.session.role));
  // Tests that name the table are most likely to fail, and the first failure is sufficient.
  const [likely, others] = partitioned(relevant, ({ test }) => test.query.includes(table));
  for (const group of [likely, others]) {
    if (group.length === 0) continue;
    const results = await workers.run(runnerOf(settings, databases, program, runner), group, { untilFailure: true });
    if (results.some(({ outcome }) => outcome.kind !== "passed")) return { kind: "noticed" };
  }
  if (!isSameCode(original.program, program.program)) return { kind: "unnoticed" };
  return { kind: "equivalent", reason: "the generated code is the same" };
}

function partitioned<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function isSameCode(left: Program, right: Program): boolean {
  const paths = left.paths();
  return paths.join() === right.paths().join() && paths.every((path) => left.hashOf(path) === right.hashOf(path));
}

/** Returns the role and the roles that inherit its permissions. */
function rolesWith(role: string, { inherited_roles: inherited }: Catalog): ReadonlySet<string> {
  const roles = new Set([role]);
  for (const known of roles) {
    for (const { role_name, role_set } of inherited) if (role_set.includes(known)) roles.add(role_name);
  }
  return roles;
}
