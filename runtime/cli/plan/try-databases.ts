/** Databases as they are and as migrations leave them: made on scratch databases, where failures do no harm. */
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { attempt } from "../check/attempt.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import { type MigrationStep, sqlOf } from "../migrations/plan.ts";
import { runFiles } from "../scratch/run-files.ts";
import { type NewDatabase, withScratchDatabases } from "../scratch/scratch-databases.ts";
import type { Baseline } from "./baseline.ts";

/** One database, by its name. */
export interface DatabasePlan {
  readonly name: string;
  /** In the metadata that is served; `undefined`: the deployment adds it. */
  readonly before: Source | undefined;
  /** In that of the project; `undefined`: the deployment takes it out. */
  readonly after: Source | undefined;
  readonly steps: readonly MigrationStep[];
}

type Introspections = ReadonlyMap<string, SourceIntrospection>;

export interface TriedDatabases {
  readonly before: Introspections;
  readonly after: Introspections;
  /** A line for each that could not be made, or whose migrations fail. */
  readonly problems: readonly string[];
}

/**
 * @param shadowUrl where databases are made; on an embedded PostgreSQL unless given
 * @throws EngineError when there is no scratch database to be had
 */
export async function tryDatabases(
  plans: readonly DatabasePlan[],
  baseline: Baseline,
  shadowUrl: string | undefined,
): Promise<TriedDatabases> {
  const before = new Map<string, SourceIntrospection>();
  const after = new Map<string, SourceIntrospection>();
  const problems: string[] = [];
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
