/**
 * One `change` operation on a draft (`metadata-api.md` 7): compute the new metadata, look at databases where that is
 * needed, compile, and keep it only if the operation's consistency check passes.
 */
import type { Json } from "../../compiler/catalog/model.ts";
import type { Change, ChangeCall, Context, Effect } from "../../compiler/metadata/operation.ts";
import { settle } from "../../compiler/metadata/settle.ts";
import { checkTransforms } from "./check-transforms.ts";
import type { Compiled } from "./compile-analysis.ts";
import {
  type CompilerSettings,
  compileState,
  lookAround,
  type Registries,
  type Reload,
  type Surroundings,
} from "./compile-state.ts";
import type { EventRecorders, Recorded } from "./event-recorders.ts";
import type { Introspections, OpenTransaction } from "./source-registry.ts";
import type { Draft } from "./state.ts";
import { valueOrThrow } from "./thrown.ts";

export interface ChangeEnvironment extends Registries {
  readonly compiler: CompilerSettings;
  readonly recorders: EventRecorders;
  /** What the event triggers of a draft have to record. */
  readonly recordedBy: (draft: Draft) => Recorded;
  /**
   * Makes changes of other instances wait until this one ends.
   * @throws EngineError 409 `conflict` when another instance has changed the metadata
   */
  readonly reserve: () => Promise<void>;
  readonly context: Context;
  /** The transaction whose uncommitted changes the change is checked against; absent: none is open. */
  readonly within?: OpenTransaction;
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
    const next = await compileChange(change, draft, environment, call.path);
    const settled = valueOrThrow(settle(call, change, analysis, next.analysis));
    if (settled.kind === "accepted") {
      Object.assign(draft, next, { catalog: change.catalog, modified: true });
      draft.effects.push(...(change.effects ?? []));
      return settled.answer;
    }
    change = settled.change;
  }
}

async function compileChange(
  change: Change,
  draft: Draft,
  environment: ChangeEnvironment,
  path: string,
): Promise<Surroundings & Compiled> {
  const { catalog, effects = [] } = change;
  const { remoteIntrospections } = draft;
  const known = { introspections: renamedSources(draft.introspections, effects), remoteIntrospections };
  const found = await lookAround(catalog, known, environment, {
    ...toReload(effects),
    within: environment.within,
  });
  return { ...found, ...compileState(catalog, found, environment.compiler, path, draft) };
}

function toReload(effects: readonly Effect[]): Reload {
  const reloads = effects.filter((effect) => effect.kind === "introspect" || effect.kind === "reload");
  return {
    sources: reloads.flatMap((effect) => effect.sources),
    // Who asks for it in so many words does not believe what is known.
    anew: reloads.flatMap((effect) => (effect.kind === "reload" ? effect.sources : [])),
    remoteSchemas: reloads.flatMap((effect) => (effect.kind === "reload" ? effect.remoteSchemas : [])),
  };
}

function renamedSources(known: Introspections, effects: readonly Effect[]): Introspections {
  const renames = new Map(effects.flatMap((e) => (e.kind === "rename_source" ? [[e.from, e.to] as const] : [])));
  if (renames.size === 0) return known;
  return new Map([...known].map(([name, introspected]) => [renames.get(name) ?? name, introspected]));
}
