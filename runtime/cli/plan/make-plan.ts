/** Computes the changes of a deployment. Writes only to scratch databases. */

import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Change as AccessChange } from "../../../compiler/access/change.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import type { Environment } from "../../config/options.ts";
import { accessChanges } from "../../control/access.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { attempt } from "../check/attempt.ts";
import { type AnalyzedProgram, analyzeCatalog } from "../compile/analyze-input.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { sideOf } from "../diff/side.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { changes, type Change as MetadataChange } from "../metadata/metadata-diff.ts";
import { readValidFiles } from "../metadata/metadata-files.ts";
import { databasesWithFiles, readMigrations } from "../migrations/migration-files.ts";
import { type MigrationStep, planMigrations, sqlOf } from "../migrations/plan.ts";
import { type Problem, problem } from "../problem.ts";
import { type EnforcedSection, enforcedSections } from "../project/choices.ts";
import type { Settings } from "../project/settings.ts";
import { runFiles, scratchKind } from "../scratch/run-files.ts";
import { type NewDatabase, withScratchDatabases } from "../scratch/scratch-databases.ts";
import type { Baseline } from "./baseline.ts";
import { type BrokenOperation, brokenOperations } from "./broken-operations.ts";

export interface DeployPlan {
  /** Name of the baseline. */
  readonly on: string;
  readonly databases: readonly DatabasePlan[];
  readonly metadata: readonly MetadataChange[];
  /** New sections of the metadata that restrict requests. */
  readonly enforced: readonly EnforcedSection[];
  readonly access: readonly AccessChange[];
  readonly broken: readonly BrokenOperation[];
  /** Inconsistent objects after the deployment. */
  readonly inconsistent: readonly Problem[];
}

/**
 * @throws InvalidFiles with a problem for each error in files, or in SQL that fails on a scratch database; EngineError if
 * files or the baseline cannot be read, or no scratch database is available
 */
export async function makePlan(
  settings: Settings,
  baseline: Baseline,
  shadowUrl: string | undefined,
): Promise<DeployPlan> {
  const project = await readValidFiles(settings.metadataPath);
  const databases = await planDatabases(settings, baseline, project.catalog);
  const tried = await tryDatabases(databases.filter(isTestable), baseline, shadowUrl);
  if (tried.problems.length > 0) throw new InvalidFiles(tried.problems);
  const analyzed = (files: CatalogFiles, introspections: typeof tried.before) =>
    analyzedOrInvalid(files, introspections, settings.metadataPath, settings.environment);
  const served = { catalog: baseline.catalog, document: null, place: (path: string) => path };
  const before = await analyzed(served, tried.before);
  const after = await analyzed(project, tried.after);
  const beforeMetadata = exportMetadata(baseline.catalog);
  const afterMetadata = exportMetadata(project.catalog);
  return {
    on: baseline.name,
    databases,
    metadata: changes(beforeMetadata, afterMetadata),
    enforced: enforcedSections.filter(
      (section) => beforeMetadata[section] === undefined && afterMetadata[section] !== undefined,
    ),
    access: accessChanges(sideOf("before", before).access, sideOf("after", after).access),
    broken: brokenOperations(before, after),
    inconsistent: after.inconsistent,
  };
}

const isTestable = ({ before, after }: DatabasePlan): boolean => (after ?? before)?.kind === scratchKind;

async function planDatabases(
  { migrationsPath }: Settings,
  baseline: Baseline,
  project: Catalog,
): Promise<readonly DatabasePlan[]> {
  const names = [...new Set([...baseline.catalog.sources, ...project.sources].map(({ name }) => name))];
  const [stray] = (await databasesWithFiles(migrationsPath)).filter((name) => !names.includes(name));
  if (stray !== undefined) {
    const hint = didYouMean(stray, names) ?? `there are ${names.join(", ")}`;
    throw new InvalidFiles([
      problem(
        "error",
        "unmatched-folder",
        `${migrationsPath} has migrations of database ${stray}, which the metadata does not have: ${hint}`,
      ),
    ]);
  }
  const plans: DatabasePlan[] = [];
  for (const name of names.sort()) {
    const migrations = await readMigrations(migrationsPath, name);
    plans.push({
      name,
      before: baseline.catalog.sources.find((source) => source.name === name),
      after: project.sources.find((source) => source.name === name),
      steps: planMigrations(migrations, baseline.applied(name), { kind: "pending" }),
    });
  }
  return plans;
}

/**
 * Analyzes metadata without its inconsistent objects, which a deployment allows.
 * @throws InvalidFiles with all other problems
 */
async function analyzedOrInvalid(
  files: CatalogFiles,
  introspections: Parameters<typeof analyzeCatalog>[1],
  metadata: string,
  environment: Environment,
): Promise<AnalyzedProgram> {
  const analyzed = await analyzeCatalog(files, introspections, { metadata, allowInconsistent: true }, environment);
  if ("problems" in analyzed) throw new InvalidFiles(analyzed.problems);
  return analyzed;
}

// Introspects databases before and after the migrations, on scratch databases.

interface DatabasePlan {
  readonly name: string;
  /** The source in the baseline; `undefined` if the deployment adds it. */
  readonly before: Source | undefined;
  /** The source in the project; `undefined` if the deployment removes it. */
  readonly after: Source | undefined;
  readonly steps: readonly MigrationStep[];
}

type Introspections = ReadonlyMap<string, SourceIntrospection>;

interface TriedDatabases {
  readonly before: Introspections;
  readonly after: Introspections;
  /** A problem for each database that cannot be recreated, or whose migrations fail. */
  readonly problems: readonly Problem[];
}

/**
 * @param shadowUrl server for scratch databases; default an embedded PostgreSQL
 * @throws EngineError if no scratch database is available
 */
async function tryDatabases(
  plans: readonly DatabasePlan[],
  baseline: Baseline,
  shadowUrl: string | undefined,
): Promise<TriedDatabases> {
  const before = new Map<string, SourceIntrospection>();
  const after = new Map<string, SourceIntrospection>();
  const problems: Problem[] = [];
  if (plans.length === 0) return { before, after, problems };
  await withScratchDatabases(shadowUrl, async (newDatabase) => {
    for (const plan of plans) {
      const result = await attempt(() => tryDatabase(plan, baseline, newDatabase));
      if ("problem" in result) {
        problems.push(result.problem);
        continue;
      }
      if (result.value.before) before.set(plan.name, result.value.before);
      if (result.value.after) after.set(plan.name, result.value.after);
    }
  });
  return { before, after, problems };
}

async function tryDatabase(
  { before, after, steps }: DatabasePlan,
  baseline: Baseline,
  newDatabase: NewDatabase,
): Promise<{ readonly before?: SourceIntrospection; readonly after?: SourceIntrospection }> {
  const url = await newDatabase();
  const introspection = async (source: Source): Promise<SourceIntrospection> => ({
    shape: await introspectUrl(url, source.kind, enumTables(source)),
  });
  if (before) await runFiles(url, await baseline.schemaOf(before, enumTables(before)));
  const found = before && (await introspection(before));
  await runFiles(
    url,
    steps.map(sqlOf).filter((file) => file !== undefined),
  );
  return { ...(found && { before: found }), ...(after && { after: await introspection(after) }) };
}
