/**
 * One `change` operation on a draft (`metadata-api.md` 7): compute the new metadata, look at databases where that is
 * needed, compile, and keep it only if the operation's consistency check passes.
 */
import type { Json } from "../../compiler/catalog/model.ts";
import type { Result } from "../../compiler/diagnostics/diagnostic.ts";
import type { Change, ChangeCall, Context, Effect } from "../../compiler/metadata/operation.ts";
import { type Settled, settle } from "../../compiler/metadata/settle.ts";
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
    const outcome = valueOrThrow(settleFairly(call, change, draft, next, environment));
    if (outcome.kind === "accepted") {
      Object.assign(draft, next, { catalog: change.catalog, modified: true });
      draft.effects.push(...(change.effects ?? []));
      return outcome.answer;
    }
    change = outcome.change;
  }
}

/**
 * Settles a change. If it would be refused, and the look at the databases found that these have changed meanwhile, it is
 * compared with the metadata before it on the databases as they are now: it is not to blame for what others did there.
 */
function settleFairly(
  call: Pick<ChangeCall, "check" | "path">,
  change: Change,
  draft: Draft,
  next: Surroundings & Compiled,
  { compiler, within }: ChangeEnvironment,
): Result<Settled> {
  const settled = settle(call, change, draft.analysis, next.analysis);
  // SQL that is not committed yet is the change.
  if (settled.ok || within !== undefined) return settled;
  const introspections = changedMeanwhile(draft.introspections, next.introspections);
  if (introspections === undefined) return settled;
  const { catalog, remoteIntrospections } = draft;
  const before = compileState(catalog, { introspections, remoteIntrospections }, compiler, call.path, draft);
  return settle(call, change, before.analysis, next.analysis);
}

/** The introspections with those of databases that others have changed; `undefined` if there are none. */
function changedMeanwhile(known: Introspections, found: Introspections): Introspections | undefined {
  const changed = [...known].flatMap(([name, before]) => {
    const now = found.get(name);
    const isSameDatabase = now?.connection === before.connection;
    return now && isSameDatabase && now.introspection !== before.introspection ? [[name, now] as const] : [];
  });
  return changed.length === 0 ? undefined : new Map([...known, ...changed]);
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
