/**
 * Owns the metadata of a live server: reads it from the store, compiles it, serves it as a generation, and changes it.
 * Changes run one at a time. Metadata that cannot be compiled and loaded is never stored, and a change is acknowledged
 * after the swap.
 */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { storeMetadata } from "../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import type { JsonObject } from "../../compiler/catalog/model.ts";
import { changedParts, partsOf } from "../../compiler/catalog/parts.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import type { SavedOperationFault } from "../../compiler/index.ts";
import type { Effect, Warning } from "../../compiler/metadata/operation.ts";
import type { RemoteShape } from "../../compiler/shape/remote-shape.ts";
import type { Generation } from "../execute/generation.ts";
import { deleteActionsStatement } from "../jobs/actions/statements.ts";
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import { inBackground } from "./background.ts";
import type { ChangeOrigin } from "./change-origin.ts";
import {
  type CompilerSettings,
  compileState,
  type IntrospectionResults,
  noIntrospections,
  type Registries,
  recompile,
  refreshIntrospections,
} from "./compile-state.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import { type EventRecorders, isUnreachable, type Recorded } from "./event-recorders.ts";
import type { GenerationBuilder } from "./generation-builder.ts";
import type { LoadedGeneration } from "./loaded-generation.ts";
import { changedSources, recordedMetadata } from "./recorded-source.ts";
import { noReloads, type Reloads } from "./reloads.ts";
import { reloadsBetween } from "./reloads-between.ts";
import type { IntrospectedRemoteSchema } from "./remote-schema-registry.ts";
import { type ExecutedSqlHost, reintrospectExecuted } from "./run-sql.ts";
import { type Draft, type State, stateOf } from "./state.ts";
import { type MetadataStore, type Reservation, type StoredMetadata, unreadable } from "./store.ts";
import { reportStoredIntrospections } from "./stored-introspections.ts";
import { importShapes } from "./worker-shapes.ts";

export interface ControlPlaneParts extends Registries {
  readonly store: MetadataStore;
  readonly builder: GenerationBuilder;
  readonly compiler: CompilerSettings;
  readonly recorders: EventRecorders;
  readonly log: Log;
  /** Defaults from `backend_configs`, shown in exported metadata. */
  readonly backendDefaults?: JsonObject | undefined;
}

/** Warnings about an accepted change. */
export interface Committed {
  /** Saved operations that a role could run before the change and cannot run after it. */
  readonly broken: readonly SavedOperationFault[];
  readonly warnings: readonly Warning[];
}

export class ControlPlane {
  readonly #parts: ControlPlaneParts;
  #state: State;
  #generation: LoadedGeneration;
  /** Generation of the draft of the change in progress. */
  #drafted: { readonly analysis: Analysis; readonly generation: Generation } | undefined;
  /** The change in progress; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  /** Reservation of the change in progress, acquired before the change commits in a source's database. */
  #reservation: Reservation | undefined;
  readonly #executedSqlHost: ExecutedSqlHost;
  readonly #listeners: (() => void)[] = [];
  readonly #followers: (() => Promise<void>)[] = [];
  /** Introspections of remote schemas that have recovered but are not served yet. */
  readonly #recovered = new Map<string, IntrospectedRemoteSchema>();
  /** The followers' work after the last swap. */
  #following: Promise<unknown> = Promise.resolve();

  private constructor(parts: ControlPlaneParts, state: State) {
    this.#parts = parts;
    this.#state = state;
    this.#generation = parts.builder.build(state);
    this.#executedSqlHost = {
      state: () => this.#state,
      catchUp: () => this.#catchUp(),
      commit: (draft, expected) => this.commit(draft, expected, { role: null, user: null, operations: ["run_sql"] }),
      serve: (draft) => this.#swap(stateOf(draft, this.#state.resourceVersion)),
    };
    parts.sources.store(state.introspections);
    parts.remoteSchemas.store(state.remoteIntrospections);
    this.#reportInconsistencies();
    reportStoredIntrospections(parts.log, state, noIntrospections);
    this.#prepareGeneration();
  }

  /**
   * Reads, compiles and loads the stored metadata; stores `initial` if there is none yet. Inconsistent objects are
   * excluded and never prevent the start.
   * @throws EngineError if the store fails or the stored metadata cannot be read
   */
  static async start(parts: ControlPlaneParts, initial: Catalog): Promise<ControlPlane> {
    const stored = (await parts.store.read()) ?? (await storeInitial(parts.store, initial));
    await parts.sources.prefetch(sourceNamesIn(stored.metadata));
    const control = new ControlPlane(parts, await compileStored(parts, stored, noReloads));
    parts.recorders.postpone(stateSources(control.#state));
    await control.exclusively(() => control.#retryRecorders());
    return control;
  }

  get store(): MetadataStore {
    return this.#parts.store;
  }

  get state(): State {
    return this.#state;
  }

  /** Generation for new requests. */
  get generation(): Generation {
    return this.#generation;
  }

  /** Calls `listener` after each swap, including swaps for changes by other instances. */
  onMetadataChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `follower`, which never rejects, after each swap. A change is acknowledged once it has resolved. */
  onFollow(follower: () => Promise<void>): void {
    this.#followers.push(follower);
  }

  /** Returns the generation for data operations of a request's draft, which may be ahead of the served metadata. */
  generationOf(draft: Draft): Generation {
    if (draft.analysis === this.#state.analysis) return this.#generation;
    if (this.#drafted?.analysis !== draft.analysis) {
      const generation = this.#parts.builder.build(stateOf(draft, this.#state.resourceVersion));
      this.#drafted = { analysis: draft.analysis, generation };
    }
    return this.#drafted.generation;
  }

  /** @param expected the resource version on which the change is based */
  changeEnvironment(expected: number): ChangeEnvironment {
    const { sources, remoteSchemas, compiler, recorders, backendDefaults } = this.#parts;
    const { resourceVersion } = this.#state;
    const recordedBy = (draft: Draft) => recordedOf(stateOf(draft, resourceVersion + 1), this.generationOf(draft));
    const reserve = async () => {
      this.#reservation ??= await this.#parts.store.reserve(expected);
    };
    const context = { resourceVersion, backendDefaults };
    return { sources, remoteSchemas, compiler, recorders, recordedBy, reserve, context };
  }

  /** Runs `work` on the newest stored state, after all earlier changes. */
  exclusively<T>(work: (state: State) => Promise<T>): Promise<T> {
    const run = this.#last.then(async () => {
      await this.#catchUp();
      try {
        return await work(this.#state);
      } finally {
        await this.#release();
        await reintrospectExecuted(this.#executedSqlHost, this.#parts);
        await this.#settleRecorders();
      }
    });
    this.#last = run.catch(() => undefined); // the caller gets the error; later changes run
    return run;
  }

  async #release(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.release();
  }

  /** Serves the newest metadata stored by any instance. */
  async synchronise(): Promise<void> {
    if (await this.isBehind()) await this.exclusively(async () => undefined);
  }

  /**
   * Like `synchronise`, but resolves after the followers registered with `onFollow`.
   * @param handed shapes that the changing process has read (`exportShapes`)
   */
  async follow(handed: object | null): Promise<void> {
    await importShapes(handed, this.#parts);
    try {
      await this.synchronise();
    } finally {
      await importShapes(null, this.#parts);
    }
    await this.#following;
  }

  /** Returns true if another instance has stored metadata that this one does not serve yet. */
  async isBehind(): Promise<boolean> {
    return (await this.#parts.store.version()) !== this.#state.resourceVersion;
  }

  /** Retries unreachable sources and serves those that have recovered. */
  async retrySources(): Promise<void> {
    await this.#retryUnreachableSources();
    if (this.#parts.recorders.isPending) await this.exclusively(() => this.#retryRecorders());
  }

  async #retryUnreachableSources(): Promise<void> {
    const unreachable = unreachableSources(this.#state);
    if (unreachable.size === 0) return;
    const candidates = this.#state.catalog.sources.filter(({ name }) => unreachable.has(name));
    // Runs outside the queue of changes, which would otherwise wait for an unresponsive server.
    const reachable = await this.#parts.sources.reachable(candidates);
    if (reachable.size === 0) return;
    await this.exclusively(async (state) => {
      const lost = unreachableSources(state);
      const sources = [...lost].filter((name) => reachable.has(name));
      const found = await refreshIntrospections(state.catalog, state, this.#parts, { sources });
      const next = recompile(state, found, this.#parts.compiler);
      if (unreachableSources(next).size < lost.size) this.#swap(next);
      this.#parts.recorders.postpone(sources);
    });
  }

  /** Reconciles recorders of sources that failed before or were changed by another instance. */
  async #retryRecorders(): Promise<void> {
    await this.#reconcile(this.#parts.recorders.takePending(), false);
  }

  /** Reconciles recorders with the stored metadata after a successful or failed change. */
  async #settleRecorders(): Promise<void> {
    const { recorders } = this.#parts;
    const touched = recorders.takeTouched();
    if (touched.size === 0) return;
    try {
      await this.#catchUp();
    } catch {
      // The next read of the metadata reports the error.
      recorders.postpone(touched);
      return;
    }
    await this.#reconcile(touched, true);
  }

  async #reconcile(names: ReadonlySet<string>, isPatient: boolean): Promise<void> {
    const { recorders } = this.#parts;
    if (!recorders.isEnabled) return;
    await recorders.withdraw(this.#recorded());
    for (const name of names) {
      if (!stateSources(this.#state).includes(name)) continue;
      if (isUnreachable(this.#state, name)) {
        recorders.postpone([name]);
        continue;
      }
      try {
        if (!(await this.#reconcileSource(name, isPatient))) recorders.postpone([name]);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        recorders.postpone([name]);
        recorders.report(name, error);
      }
    }
  }

  async #reconcileSource(name: string, isPatient: boolean): Promise<boolean> {
    const { recorders } = this.#parts;
    const known = this.#recorded();
    const own = known.sources.find(({ source }) => source.name === name);
    if (own !== undefined && !(await recorders.isInstalled(known, own))) await this.#reintrospectSource(name);
    const recorded = this.#recorded();
    const found = recorded.sources.find(({ source }) => source.name === name);
    return found === undefined || (await recorders.reconcile(recorded, found, isPatient));
  }

  /** Reads a source whose tables may have changed, since another instance may have installed recorders for new tables. */
  async #reintrospectSource(source: string): Promise<void> {
    const state = this.#state;
    const found = await refreshIntrospections(state.catalog, state, this.#parts, { sources: [source] });
    this.#swap(recompile(state, found, this.#parts.compiler));
  }

  #recorded(): Recorded {
    return recordedOf(this.#state, this.#generation);
  }

  /**
   * Retries unreachable remote schemas and serves each as soon as it has recovered.
   * @param isDue selects the remote schemas to retry
   * @returns names of remote schemas that are still unreachable
   */
  async retryRemoteSchemas(isDue: (name: string) => boolean): Promise<readonly string[]> {
    const lost = unreachableRemoteSchemas(this.#state);
    const candidates = this.#state.catalog.remote_schemas.filter(({ name }) => lost.has(name) && isDue(name));
    // Runs outside the queue of changes, which would otherwise wait for an unresponsive server.
    const unreachable = await Promise.all(
      candidates.map(async (schema) => {
        const found = await this.#parts.remoteSchemas.retry(schema);
        const before = this.#state.remoteIntrospections.get(schema.name);
        if (found === undefined || (before !== undefined && isSameError(found, before))) return [schema.name];
        // Serve this schema at once: the other servers may take long to respond.
        this.#recovered.set(schema.name, found);
        await this.exclusively((state) => this.#serveRecovered(state));
        return "error" in found.introspection ? [schema.name] : [];
      }),
    );
    return unreachable.flat();
  }

  /** Serves recovered remote schemas whose definitions are unchanged. */
  async #serveRecovered(state: State): Promise<void> {
    if (this.#recovered.size === 0) return;
    const known = new Map(state.remoteIntrospections);
    for (const [name, found] of this.#recovered) {
      const now = known.get(name);
      if (now !== undefined && "error" in now.introspection && now.definition === found.definition)
        known.set(name, withStaleShape(found, now.introspection.staleShape));
    }
    this.#recovered.clear();
    const results = { introspections: state.introspections, remoteIntrospections: known };
    const found = await refreshIntrospections(state.catalog, results, this.#parts);
    this.#swap(recompile(state, found, this.#parts.compiler));
  }

  /** Serves metadata stored by another instance, if it is newer. */
  async #catchUp(): Promise<void> {
    const version = await this.#parts.store.version();
    if (version === undefined || version === this.#state.resourceVersion) return;
    const stored = await this.#parts.store.read();
    if (!stored) return;
    const { log } = this.#parts;
    // Reading reloads after the metadata may repeat reloads of a later version, but never misses any.
    const reloads = await this.#parts.store.reloadsSince(this.#state.resourceVersion);
    const readAt = performance.now();
    const info = followText(stored.resourceVersion, this.#state.resourceVersion);
    log.info("schema-sync", { thread_type: "processor", info });
    const before = this.#recorded();
    this.#swap(await compileStored(this.#parts, stored, reloads, this.#state));
    if (reloads.ageSeconds !== undefined) {
      const seconds = reloads.ageSeconds + (performance.now() - readAt) / 1000;
      this.#parts.compiler.meters?.metadataLag.record(Math.max(0, seconds));
    }
    log.info("schema-sync", { thread_type: "processor", info: `Schema cache updated to ${stored.resourceVersion}.` });
    // The instance that made the change normally reconciles its recorders, but may have ended before that.
    this.#parts.recorders.postpone(changedSources(before, this.#recorded()));
  }

  /**
   * Loads, stores and serves a draft. Recorders of its event triggers are installed before it is stored.
   * @param expected the resource version on which the change is based
   * @throws EngineError 409 `conflict` if another version is stored; then nothing changes
   */
  async commit(draft: Draft, expected: number, origin: ChangeOrigin): Promise<Committed> {
    const { builder, store, recorders } = this.#parts;
    const next = stateOf(draft, expected + 1);
    const generation = builder.build(next, this.#generation);
    const change = { before: this.#recorded(), after: recordedOf(next, generation), effects: draft.effects };
    await recorders.prepare(change);
    const writer = this.#reservation ?? store;
    const parts = changedParts(this.#state.catalog, next.catalog);
    await writer.write(parts, expected, reloadsBetween(this.#state, next), origin);
    const broken = brokenSavedOperations(this.#state, next);
    // Before the swap, which closes databases that are no longer used.
    const warnings = await recorders.finish(change);
    this.#swap(next, generation);
    await this.#following;
    await this.#clearActions(draft.effects);
    if (broken.length > 0) this.#reportBroken(broken);
    return { broken, warnings };
  }

  /** Deletes stored calls of dropped actions. Results of calls in progress are discarded. */
  async #clearActions(effects: readonly Effect[]): Promise<void> {
    const names = effects.flatMap((effect) => (effect.kind === "clear_action" ? [effect.action] : []));
    if (names.length === 0) return;
    const { store, log } = this.#parts;
    await store.query(deleteActionsStatement, [names]).catch((error: unknown) => {
      log.warn("metadata", { message: "Failed to delete calls of dropped actions", reason: String(error), names });
    });
  }

  #reportBroken(broken: readonly SavedOperationFault[]): void {
    const operations = broken.map(({ operation: { collection, name }, role, faults }) => {
      return { collection, name, role, errors: faults };
    });
    this.#parts.log.warn("metadata", { message: "Saved operations are no longer valid", info: { operations } });
  }

  #swap(state: State, built?: LoadedGeneration): void {
    const start = performance.now();
    const generation = built ?? this.#parts.builder.build(state, this.#generation);
    const before = this.#state;
    this.#state = state;
    this.#generation = generation;
    this.#drafted = undefined;
    this.#parts.sources.store(state.introspections);
    this.#parts.remoteSchemas.store(state.remoteIntrospections);
    this.#reportInconsistencies();
    reportStoredIntrospections(this.#parts.log, state, before);
    for (const listener of this.#listeners) listener();
    // The listeners have released the databases that they use.
    for (const closing of this.#parts.sources.retain(state.catalog.sources)) {
      closing.catch((error: unknown) => this.#parts.log.warn("pg-client", { message: String(error) }));
    }
    this.#parts.compiler.meters?.reloadTime.record((performance.now() - start) / 1000);
    this.#following = Promise.all(this.#followers.map((follow) => follow()));
    this.#prepareGeneration();
  }

  /** Carries over roles and plans saved operations in the background. Otherwise, requests would do so on first use. */
  #prepareGeneration(): void {
    const generation = this.#generation;
    inBackground(generation.prepare(), {
      isWanted: () => this.#generation === generation,
      onError: (error) => this.#parts.log.warn("metadata", { message: String(error) }),
    });
  }

  #reportInconsistencies(): void {
    const { inconsistencies } = this.#state.analysis;
    if (inconsistencies.length === 0) return;
    const objects = inconsistencies.map(({ type, name, reason }) => ({ type, name, reason }));
    this.#parts.log.warn("metadata", { message: "Inconsistent Metadata!", info: { objects } });
  }

  /** Resolves when no change is in progress. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Returns a log line whose exact text operators search for. */
function followText(received: number, current: number): string {
  return `Received metadata resource version: ${received}, different from the current engine resource version: ${current}. Trying to update the schema cache.`;
}

/** Returns newly broken saved operations of roles other than admin, whose broken operations are inconsistencies. */
function brokenSavedOperations(before: State, after: State): readonly SavedOperationFault[] {
  if (before.planned === after.planned) return [];
  return after.planned.brokenSince(before.planned).filter(({ role }) => role !== "admin");
}

function recordedOf({ catalog, introspections, resourceVersion }: State, generation: Generation): Recorded {
  return {
    version: resourceVersion,
    sources: recordedMetadata(catalog, generation.eventTriggers()),
    introspections,
  };
}

function stateSources({ catalog }: State): readonly string[] {
  return catalog.sources.map(({ name }) => name);
}

function unreachableSources({ introspections }: Pick<IntrospectionResults, "introspections">): ReadonlySet<string> {
  const lost = [...introspections].filter(([, { introspection }]) => "error" in introspection);
  return new Set(lost.map(([name]) => name));
}

function unreachableRemoteSchemas({ remoteIntrospections }: IntrospectionResults): ReadonlySet<string> {
  const lost = [...remoteIntrospections].filter(([, { introspection }]) => "error" in introspection);
  return new Set(lost.map(([name]) => name));
}

function isSameError({ introspection: found }: IntrospectedRemoteSchema, before: IntrospectedRemoteSchema): boolean {
  const { introspection } = before;
  return "error" in found && "error" in introspection && found.error.message === introspection.error.message;
}

/** Adds the last valid shape to a failed introspection, so that the schema can be served from it. */
function withStaleShape(
  found: IntrospectedRemoteSchema,
  staleShape: RemoteShape | undefined,
): IntrospectedRemoteSchema {
  const { introspection } = found;
  if (staleShape === undefined || !("error" in introspection)) return found;
  return { ...found, introspection: { ...introspection, staleShape } };
}

async function storeInitial(
  store: MetadataStore,
  initial: Catalog,
): Promise<{ readonly metadata: unknown; readonly resourceVersion: number }> {
  await store.create(partsOf(initial));
  // Another instance may have stored its metadata first.
  return (await store.read()) ?? { metadata: storeMetadata(initial), resourceVersion: 1 };
}

/** Returns the source names in a document that has not been validated. */
function sourceNamesIn(metadata: unknown): readonly string[] {
  const sources = isObject(metadata) && Array.isArray(metadata.sources) ? metadata.sources : [];
  return sources.flatMap((source) => (isObject(source) && typeof source.name === "string" ? [source.name] : []));
}

/** Time limit of remote introspections at start-up, in milliseconds. Failed introspections are retried later. */
const startTimeout = 3000;

async function compileStored(
  parts: ControlPlaneParts,
  { metadata, resourceVersion }: StoredMetadata,
  reloads: Reloads,
  previous?: State,
): Promise<State> {
  const catalog = withReadErrors(() => valueOrThrow(readMetadataDocument(metadata, previous?.catalog ?? emptyCatalog)));
  const timeout = previous === undefined ? { maxMilliseconds: startTimeout } : {};
  const found = await refreshIntrospections(catalog, previous ?? noIntrospections, parts, { ...reloads, ...timeout });
  const compiled = withReadErrors(() => compileState(catalog, found, parts.compiler, "$", previous));
  return { catalog, ...found, ...compiled, resourceVersion };
}

/** Runs `read` and reports its errors as errors of the stored metadata, which tools other than the engine may have written. */
function withReadErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw unreadable("it is nested too deeply", { cause: error });
    if (error instanceof EngineError) throw unreadable(error.message, { path: error.path, cause: error });
    throw error;
  }
}
