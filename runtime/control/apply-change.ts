/**
 * Applies one `change` operation to a draft: computes the new metadata, introspects if necessary, compiles, and accepts the
 * result only if the operation's consistency check passes.
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
  type IntrospectionResults,
  type Registries,
  type Reload,
  refreshIntrospections,
} from "./compile-state.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import type { EventRecorders, Recorded } from "./event-recorders.ts";
import type { Introspections, OpenTransaction } from "./source-registry.ts";
import type { Draft } from "./state.ts";

export interface ChangeEnvironment extends Registries {
  readonly compiler: CompilerSettings;
  readonly recorders: EventRecorders;
  /** Returns the recorders that the event triggers of a draft need. */
  readonly recordedBy: (draft: Draft) => Recorded;
  /**
   * Blocks changes by other instances until this change ends.
   * @throws EngineError 409 `conflict` if another instance has changed the metadata
   */
  readonly reserve: () => Promise<void>;
  readonly context: Context;
  /** Transaction whose uncommitted changes are visible to introspection. */
  readonly within?: OpenTransaction;
}

/**
 * Applies a change to the draft and returns its response. A refused change leaves the draft unchanged.
 * @throws EngineError
 */
export async function applyChange(
  call: Pick<ChangeCall, "apply" | "check" | "path">,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  const { catalog, analysis } = draft;
  let change = valueOrThrow(call.apply({ catalog, analysis, context: environment.context }));
  for (const transforms of change.transforms ?? []) checkTransforms(transforms, call.path);
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
 * Settles a change. A change is not refused for inconsistencies that other clients of the databases have caused: if
 * introspection found changed databases, a change that would be refused is compared with the previous metadata on the
 * current databases.
 */
function settleFairly(
  call: Pick<ChangeCall, "check" | "path">,
  change: Change,
  draft: Draft,
  next: IntrospectionResults & Compiled,
  { compiler, within }: ChangeEnvironment,
): Result<Settled> {
  const settled = settle(call, change, draft.analysis, next.analysis);
  // Within a transaction, the change itself is the only cause of differences in the database.
  if (settled.ok || within !== undefined) return settled;
  const introspections = withChangedDatabases(draft.introspections, next.introspections);
  if (introspections === undefined) return settled;
  const { catalog, remoteIntrospections } = draft;
  const before = compileState(catalog, { introspections, remoteIntrospections }, compiler, call.path, draft);
  return settle(call, change, before.analysis, next.analysis);
}

/**
 * Returns `known` with the new introspections of databases that other clients have changed; `undefined` if none has
 * changed.
 */
function withChangedDatabases(known: Introspections, found: Introspections): Introspections | undefined {
  const changed = [...known].flatMap(([name, before]) => {
    const now = found.get(name);
    const isSameDatabase = now?.connection === before.connection;
    return now && isSameDatabase && now.introspection !== before.introspection ? [[name, now] as const] : [];
  });
  return changed.length === 0 ? undefined : new Map([...known, ...changed]);
}

/**
 * Compiles a change without applying it to the draft.
 * @throws EngineError if a database cannot be introspected
 */
export async function compileChange(
  change: Pick<Change, "catalog" | "effects">,
  draft: Draft,
  environment: ChangeEnvironment,
  path: string,
): Promise<IntrospectionResults & Compiled> {
  const { catalog, effects = [] } = change;
  const { remoteIntrospections } = draft;
  const known = { introspections: renamedSources(draft.introspections, effects), remoteIntrospections };
  const found = await refreshIntrospections(catalog, known, environment, {
    ...toReload(effects),
    within: environment.within,
  });
  return { ...found, ...compileState(catalog, found, environment.compiler, path, draft) };
}

function toReload(effects: readonly Effect[]): Reload {
  const reloads = effects.filter((effect) => effect.kind === "introspect" || effect.kind === "reload");
  return {
    sources: reloads.flatMap((effect) => effect.sources),
    // An explicit reload must not rely on fingerprints.
    forced: reloads.flatMap((effect) => (effect.kind === "reload" ? effect.sources : [])),
    remoteSchemas: reloads.flatMap((effect) => (effect.kind === "reload" ? effect.remoteSchemas : [])),
  };
}

function renamedSources(known: Introspections, effects: readonly Effect[]): Introspections {
  const renames = new Map(effects.flatMap((e) => (e.kind === "rename_source" ? [[e.from, e.to] as const] : [])));
  if (renames.size === 0) return known;
  return new Map([...known].map(([name, introspected]) => [renames.get(name) ?? name, introspected]));
}
