/**
 * One `change` operation on a draft (`metadata-api.md` 7): compute the new metadata, look at databases where that is
 * needed, analyse, and keep it only if the operation's consistency check passes.
 */
import type { AnalysisOptions } from "../../compiler/2-analyze/analysis.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { Change, ChangeCall, Context, Effect } from "../../compiler/metadata/operation.ts";
import { settle } from "../../compiler/metadata/settle.ts";
import { checkTransforms } from "./check-transforms.ts";
import { analysisOf } from "./compile-state.ts";
import type { Introspections, SourceRegistry } from "./source-registry.ts";
import type { Draft } from "./state.ts";
import { valueOrThrow } from "./thrown.ts";

export interface ChangeEnvironment {
  readonly sources: SourceRegistry;
  readonly options: AnalysisOptions;
  readonly context: Context;
}

/**
 * Applies the change to the draft and answers it; a refused change leaves the draft as it was.
 * @throws EngineError
 */
export async function applyChange(
  call: Pick<ChangeCall, "apply" | "check" | "path">,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  const { catalog, analysis } = draft;
  let change = valueOrThrow(call.apply({ catalog, analysis, context: environment.context }));
  if (change.transforms !== undefined) checkTransforms(change.transforms, call.path);
  for (;;) {
    const next = await analyseChange(change, draft, environment, call.path);
    const settled = valueOrThrow(settle(call, change, analysis, next.analysis));
    if (settled.kind === "accepted") {
      Object.assign(draft, next, { catalog: change.catalog, modified: true });
      draft.effects.push(...(change.effects ?? []));
      return settled.answer;
    }
    change = settled.change;
  }
}

async function analyseChange(
  change: Change,
  draft: Draft,
  { sources, options }: ChangeEnvironment,
  path: string,
): Promise<Pick<Draft, "analysis" | "introspections">> {
  const known = renamedSources(draft.introspections, change.effects ?? []);
  const introspections = await sources.introspections(change.catalog, known, sourcesToReload(change.effects ?? []));
  return { introspections, analysis: analysisOf(change.catalog, introspections, options, path, draft.analysis) };
}

function sourcesToReload(effects: readonly Effect[]): ReadonlySet<string> {
  return new Set(
    effects.flatMap((effect) => (effect.kind === "introspect" || effect.kind === "reload" ? effect.sources : [])),
  );
}

function renamedSources(known: Introspections, effects: readonly Effect[]): Introspections {
  const renames = new Map(effects.flatMap((e) => (e.kind === "rename_source" ? [[e.from, e.to] as const] : [])));
  if (renames.size === 0) return known;
  return new Map([...known].map(([name, introspected]) => [renames.get(name) ?? name, introspected]));
}
