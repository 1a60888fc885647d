/** A project and what it will be deployed on → what the deployment changes. Nothing but scratch databases is written. */
import type { Change as AccessChange } from "../../../compiler/access/change.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Environment } from "../../config/options.ts";
import { accessChanges } from "../../control/access.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { type AnalyzedProgram, analyzeCatalog } from "../compile/analyze-input.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { sideOf } from "../diff/side.ts";
import { changes, type Change as MetadataChange } from "../metadata/metadata-diff.ts";
import { InvalidFiles, readValidFiles } from "../metadata/metadata-files.ts";
import { databasesWithFiles, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations } from "../migrations/plan.ts";
import { type EnforcedSection, enforcedSections } from "../project/choices.ts";
import type { Settings } from "../project/settings.ts";
import { scratchKind } from "../scratch/scratch-kind.ts";
import type { Baseline } from "./baseline.ts";
import { type BrokenOperation, brokenOperations } from "./broken-operations.ts";
import { type DatabasePlan, tryDatabases } from "./try-databases.ts";

export interface DeployPlan {
  /** What it is deployed on. */
  readonly on: string;
  readonly databases: readonly DatabasePlan[];
  readonly metadata: readonly MetadataChange[];
  /** Sections that limit requests and that the baseline does not have. */
  readonly enforced: readonly EnforcedSection[];
  readonly access: readonly AccessChange[];
  readonly broken: readonly BrokenOperation[];
  /** A line for each object that will be inconsistent. */
  readonly inconsistent: readonly string[];
}

/**
 * @throws InvalidFiles with a line for each mistake: in files, in SQL that fails on a scratch database; EngineError when
 * files or the baseline cannot be read, or there is no scratch database to be had
 */
export async function makePlan(
  settings: Settings,
  baseline: Baseline,
  shadowUrl: string | undefined,
): Promise<DeployPlan> {
  const project = await readValidFiles(settings.metadataPath);
  const databases = await planDatabases(settings, baseline, project.catalog);
  const tried = await tryDatabases(databases.filter(canBeTried), baseline, shadowUrl);
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

const canBeTried = ({ before, after }: DatabasePlan): boolean => (after ?? before)?.kind === scratchKind;

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
      `${migrationsPath} has migrations of ${stray}, which is no database of the metadata: ${hint}`,
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

/** Inconsistent objects are left out: a deployment allows them. */
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
