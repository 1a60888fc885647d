/**
 * Owns the metadata of a live server: reads it from the store, compiles it, serves it as a Generation, and changes
 * it. One change at a time; what cannot be compiled and loaded is never stored, and the answer to a change is sent
 * after the swap (`architecture.md` 6).
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
import { forgetStatement } from "../jobs/actions/statements.ts";
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import { inBackground } from "./background.ts";
import {
  type CompilerSettings,
  compileState,
  lookAround,
  nothingKnown,
  type Registries,
  type Surroundings,
} from "./compile-state.ts";
import { type EventRecorders, isUnreachable, type Recorded } from "./event-recorders.ts";
import type { GenerationBuilder } from "./generation-builder.ts";
import { offerShapes } from "./handed-shapes.ts";
import type { LoadedGeneration } from "./loaded-generation.ts";
import { changedSources, recordedMetadata } from "./recorded-source.ts";
import { noReloads, type Reloads } from "./reloads.ts";
import { reloadsBetween } from "./reloads-between.ts";
import type { IntrospectedRemoteSchema } from "./remote-schema-registry.ts";
import { type Draft, draftOf, type State, stateOf } from "./state.ts";
import { type MetadataStore, type Reservation, type StoredMetadata, unreadable } from "./store.ts";
import { reportStoredIntrospections } from "./stored-introspections.ts";
import { valueOrThrow } from "./thrown.ts";

export interface ControlPlaneParts extends Registries {
  readonly store: MetadataStore;
  readonly builder: GenerationBuilder;
  readonly compiler: CompilerSettings;
  readonly recorders: EventRecorders;
  readonly log: Log;
  /** Of `backend_configs`, for those who read the metadata; absent: none. */
  readonly backendDefaults?: JsonObject | undefined;
}

/** What an accepted change has to tell. */
export interface Committed {
  /** Saved operations that some role could run until then. */
  readonly broken: readonly SavedOperationFault[];
  readonly warnings: readonly Warning[];
}

export class ControlPlane {
  readonly #parts: ControlPlaneParts;
  #state: State;
  #generation: LoadedGeneration;
  /** Of the draft of the change in progress. */
  #drafted: { readonly analysis: Analysis; readonly generation: Generation } | undefined;
  /** The change in progress; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  /** Of the change in progress, for what it has committed in databases of sources. */
  #reservation: Reservation | undefined;
  readonly #listeners: (() => void)[] = [];
  readonly #followers: (() => Promise<void>)[] = [];
  /** Remote schemas whose servers are back, and which are not served by it yet. */
  readonly #back = new Map<string, IntrospectedRemoteSchema>();
  /** What follows the last swap. */
  #following: Promise<unknown> = Promise.resolve();

  private constructor(parts: ControlPlaneParts, state: State) {
    this.#parts = parts;
    this.#state = state;
    this.#generation = parts.builder.build(state);
    parts.sources.remember(state.introspections);
    parts.remoteSchemas.remember(state.remoteIntrospections);
    this.#reportInconsistencies();
    reportStoredIntrospections(parts.log, state, nothingKnown);
    this.#prepareGeneration();
  }

  /**
   * Reads, compiles and loads the stored metadata; stores `initial` where there is none yet. Inconsistent objects
   * are left out, they never stop the start.
   * @throws EngineError when the store fails or what is stored cannot be read
   */
  static async start(parts: ControlPlaneParts, initial: Catalog): Promise<ControlPlane> {
    const stored = (await parts.store.read()) ?? (await storeInitial(parts.store, initial));
    await parts.sources.expect(sourceNamesIn(stored.metadata));
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

  /** What requests that arrive now run against. */
  get generation(): Generation {
    return this.#generation;
  }

  /** Calls `listener` after each swap, whichever instance made the change. */
  onMetadataChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `follower` after each swap; a change is answered when it has resolved. It never rejects. */
  onFollow(follower: () => Promise<void>): void {
    this.#followers.push(follower);
  }

  /** What the data operations of a request run against, whose draft may be ahead of what is served. */
  generationOf(draft: Draft): Generation {
    if (draft.analysis === this.#state.analysis) return this.#generation;
    if (this.#drafted?.analysis !== draft.analysis) {
      const generation = this.#parts.builder.build(stateOf(draft, this.#state.resourceVersion));
      this.#drafted = { analysis: draft.analysis, generation };
    }
    return this.#drafted.generation;
  }

  /** @param expected the resource version that the change is made on */
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

  /** Runs `work` when no other change is in progress, on the newest state that any instance has stored. */
  exclusively<T>(work: (state: State) => Promise<T>): Promise<T> {
    const run = this.#last.then(async () => {
      await this.#catchUp();
      try {
        return await work(this.#state);
      } finally {
        await this.#release();
        await this.#readExecuted();
        await this.#settleRecorders();
      }
    });
    this.#last = run.catch(() => undefined); // the caller gets the error; the queue goes on
    return run;
  }

  async #release(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.release();
  }

  /**
   * Reads databases that SQL has changed though the metadata that goes with it was not stored: the SQL could not be rolled
   * back, a later item of its bulk was refused, or the store failed. What is inconsistent is listed at once, here and on
   * other instances. Never rejects: the caller gets the error of the change.
   */
  async #readExecuted(): Promise<void> {
    const { introspections } = this.#state;
    const names = [...this.#parts.sources.takeExecuted()].flatMap(([name, introspection]) =>
      introspections.has(name) && introspections.get(name)?.introspection !== introspection ? [name] : [],
    );
    if (names.length === 0) return;
    try {
      await this.#catchUp().catch(() => undefined); // the metadata that is served has to go with the databases, too
      const state = this.#state;
      const found = await lookAround(state.catalog, state, this.#parts, { sources: names });
      const isSeen = (name: string) => {
        const { seen } = found.introspections.get(name) ?? {};
        return (
          seen?.fingerprint !== undefined && seen.fingerprint === state.introspections.get(name)?.seen?.fingerprint
        );
      };
      if (names.every(isSeen)) return;
      const draft = draftOf({
        ...state,
        ...found,
        ...compileState(state.catalog, found, this.#parts.compiler, "$", state),
      });
      draft.effects.push({ kind: "introspect", sources: names });
      await this.commit(draft, state.resourceVersion).catch((error: unknown) => {
        this.#parts.log.warn("metadata", {
          message: "Other instances do not know of changed databases",
          reason: String(error),
        });
        this.#swap(stateOf(draft, this.#state.resourceVersion));
      });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#parts.log.warn("metadata", {
        message: "Changed databases cannot be served",
        reason: error.message,
        sources: names,
      });
    }
  }

  /** Serves what any instance has stored. */
  async synchronise(): Promise<void> {
    if (await this.isBehind()) await this.exclusively(async () => undefined);
  }

  /**
   * The same; resolves when those that `onFollow` named have done their part.
   * @param handed what the process that made the change has read (`handedShapes`); `null`: nothing
   */
  async follow(handed: object | null): Promise<void> {
    await offerShapes(handed, this.#parts);
    try {
      await this.synchronise();
    } finally {
      await offerShapes(null, this.#parts);
    }
    await this.#following;
  }

  /** Whether another instance has stored metadata that is not served here yet. */
  async isBehind(): Promise<boolean> {
    return (await this.#parts.store.version()) !== this.#state.resourceVersion;
  }

  /** Looks again at sources that could not be reached; one that is back is served at once. */
  async retrySources(): Promise<void> {
    await this.#findLostSources();
    if (this.#parts.recorders.isPending) await this.exclusively(() => this.#retryRecorders());
  }

  async #findLostSources(): Promise<void> {
    const unreachable = unreachableSources(this.#state);
    if (unreachable.size === 0) return;
    const candidates = this.#state.catalog.sources.filter(({ name }) => unreachable.has(name));
    // Outside the queue of changes, which would wait for a server that does not answer.
    const back = await this.#parts.sources.reachable(candidates);
    if (back.size === 0) return;
    await this.exclusively(async (state) => {
      const lost = unreachableSources(state);
      const sources = [...lost].filter((name) => back.has(name));
      const found = await lookAround(state.catalog, state, this.#parts, { sources });
      const compiled = compileState(state.catalog, found, this.#parts.compiler, "$", state);
      const next = { ...state, ...found, ...compiled };
      if (unreachableSources(next).size < lost.size) this.#swap(next);
      this.#parts.recorders.postpone(sources);
    });
  }

  /** Looks at the recorders of sources where something went wrong, or where another instance changed something. */
  async #retryRecorders(): Promise<void> {
    await this.#reconcile(this.#parts.recorders.takePending(), false);
  }

  /** After a change, however it ended: what is stored counts. */
  async #settleRecorders(): Promise<void> {
    const { recorders } = this.#parts;
    const touched = recorders.takeTouched();
    if (touched.size === 0) return;
    try {
      await this.#catchUp();
    } catch {
      // Whoever looks at the metadata next reports that it cannot be read.
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
    if (own !== undefined && !(await recorders.isRight(known, own))) await this.#lookAgain(name);
    const recorded = this.#recorded();
    const found = recorded.sources.find(({ source }) => source.name === name);
    return found === undefined || (await recorders.reconcile(recorded, found, isPatient));
  }

  /** Another instance may have installed what goes with tables that look otherwise by now. */
  async #lookAgain(source: string): Promise<void> {
    const state = this.#state;
    const found = await lookAround(state.catalog, state, this.#parts, { sources: [source] });
    this.#swap({ ...state, ...found, ...compileState(state.catalog, found, this.#parts.compiler, "$", state) });
  }

  #recorded(): Recorded {
    return recordedOf(this.#state, this.#generation);
  }

  /**
   * Asks servers of remote schemas that did not answer; one that is back is served at once.
   * @param isDue of those that did not, by name
   * @returns those that did not answer this time either
   */
  async retryRemoteSchemas(isDue: (name: string) => boolean): Promise<readonly string[]> {
    const lost = unreachableRemoteSchemas(this.#state);
    const candidates = this.#state.catalog.remote_schemas.filter(({ name }) => lost.has(name) && isDue(name));
    // Outside the queue of changes, which would wait for a server that does not answer.
    const silent = await Promise.all(
      candidates.map(async (schema) => {
        const found = await this.#parts.remoteSchemas.askAgain(schema);
        const before = this.#state.remoteIntrospections.get(schema.name);
        if (found === undefined || (before !== undefined && isSameError(found, before))) return [schema.name];
        // At once: others may not answer for long.
        this.#back.set(schema.name, found);
        await this.exclusively((state) => this.#serveAgain(state));
        return "error" in found.introspection ? [schema.name] : [];
      }),
    );
    return silent.flat();
  }

  /** Unless the schema was changed meanwhile. */
  async #serveAgain(state: State): Promise<void> {
    if (this.#back.size === 0) return;
    const known = new Map(state.remoteIntrospections);
    for (const [name, found] of this.#back) {
      const now = known.get(name);
      if (now !== undefined && "error" in now.introspection && now.definition === found.definition)
        known.set(name, withStaleShape(found, now.introspection.staleShape));
    }
    this.#back.clear();
    const surroundings = { introspections: state.introspections, remoteIntrospections: known };
    const found = await lookAround(state.catalog, surroundings, this.#parts);
    const compiled = compileState(state.catalog, found, this.#parts.compiler, "$", state);
    this.#swap({ ...state, ...found, ...compiled });
  }

  /** Takes over what another instance stored meanwhile. */
  async #catchUp(): Promise<void> {
    const version = await this.#parts.store.version();
    if (version === undefined || version === this.#state.resourceVersion) return;
    const stored = await this.#parts.store.read();
    if (!stored) return;
    const { log } = this.#parts;
    // Read after the metadata: what is told of later versions is looked at once more then.
    const reloads = await this.#parts.store.reloadsSince(this.#state.resourceVersion);
    const info = followText(stored.resourceVersion, this.#state.resourceVersion);
    log.info("schema-sync", { thread_type: "processor", info });
    const before = this.#recorded();
    this.#swap(await compileStored(this.#parts, stored, reloads, this.#state));
    log.info("schema-sync", { thread_type: "processor", info: `Schema cache updated to ${stored.resourceVersion}.` });
    // Whoever made the change has done it all, unless it ended before.
    this.#parts.recorders.postpone(changedSources(before, this.#recorded()));
  }

  /**
   * Loads, stores and serves a draft. Its event triggers record before it is stored.
   * @param expected the resource version that the change was made on
   * @throws EngineError 409 `conflict` when another version is stored; then nothing changes
   */
  async commit(draft: Draft, expected: number): Promise<Committed> {
    const { builder, store, recorders } = this.#parts;
    const next = stateOf(draft, expected + 1);
    const generation = builder.build(next, this.#generation);
    const change = { before: this.#recorded(), after: recordedOf(next, generation), effects: draft.effects };
    await recorders.prepare(change);
    const writer = this.#reservation ?? store;
    await writer.write(changedParts(this.#state.catalog, next.catalog), expected, reloadsBetween(this.#state, next));
    const broken = brokenSavedOperations(this.#state, next);
    // While databases are open that are not used any more.
    const warnings = await recorders.finish(change);
    this.#swap(next, generation);
    await this.#following;
    await this.#clearActions(draft.effects);
    if (broken.length > 0) this.#reportBroken(broken);
    return { broken, warnings };
  }

  /** The actions are gone, so that there are no new calls; those under way end unheard. */
  async #clearActions(effects: readonly Effect[]): Promise<void> {
    const names = effects.flatMap((effect) => (effect.kind === "clear_action" ? [effect.action] : []));
    if (names.length === 0) return;
    const { store, log } = this.#parts;
    await store.query(forgetStatement, [names]).catch((error: unknown) => {
      log.warn("metadata", { message: "Calls of actions that were dropped are kept", reason: String(error), names });
    });
  }

  #reportBroken(broken: readonly SavedOperationFault[]): void {
    const operations = broken.map(({ operation: { collection, name }, role, faults }) => {
      return { collection, name, role, errors: faults };
    });
    this.#parts.log.warn("metadata", { message: "Saved operations that cannot be run any more", info: { operations } });
  }

  #swap(state: State, built?: LoadedGeneration): void {
    const start = performance.now();
    const generation = built ?? this.#parts.builder.build(state, this.#generation);
    const before = this.#state;
    this.#state = state;
    this.#generation = generation;
    this.#drafted = undefined;
    this.#parts.sources.remember(state.introspections);
    this.#parts.remoteSchemas.remember(state.remoteIntrospections);
    this.#reportInconsistencies();
    reportStoredIntrospections(this.#parts.log, state, before);
    for (const listener of this.#listeners) listener();
    // Those who use databases by themselves have been told, and say when they are done with them.
    for (const closing of this.#parts.sources.retain(state.catalog.sources)) {
      closing.catch((error: unknown) => this.#parts.log.warn("pg-client", { message: String(error) }));
    }
    this.#parts.compiler.meters?.reloadTime.record((performance.now() - start) / 1000);
    this.#following = Promise.all(this.#followers.map((follow) => follow()));
    this.#prepareGeneration();
  }

  /** What is not taken over or planned yet is by the first request that needs it. */
  #prepareGeneration(): void {
    const generation = this.#generation;
    inBackground(generation.prepare(), {
      isWanted: () => this.#generation === generation,
      failed: (error) => this.#parts.log.warn("metadata", { message: String(error) }),
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

/** `operations.md` 9. */
function followText(received: number, current: number): string {
  return `Received metadata resource version: ${received}, different from the current engine resource version: ${current}. Trying to update the schema cache.`;
}

/** Saved operations that roles other than admin, whose are inconsistencies, could run before and cannot now. */
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

function unreachableSources({ introspections }: Pick<Surroundings, "introspections">): ReadonlySet<string> {
  const lost = [...introspections].filter(([, { introspection }]) => "error" in introspection);
  return new Set(lost.map(([name]) => name));
}

function unreachableRemoteSchemas({ remoteIntrospections }: Surroundings): ReadonlySet<string> {
  const lost = [...remoteIntrospections].filter(([, { introspection }]) => "error" in introspection);
  return new Set(lost.map(([name]) => name));
}

function isSameError({ introspection: found }: IntrospectedRemoteSchema, before: IntrospectedRemoteSchema): boolean {
  const { introspection } = before;
  return "error" in found && "error" in introspection && found.error.message === introspection.error.message;
}

/** Where the answer cannot be used, the schema is served by the last one that could be. */
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
  // Another instance may have been first: what is stored counts.
  return (await store.read()) ?? { metadata: storeMetadata(initial), resourceVersion: 1 };
}

/** Those of a document that was not checked yet. */
function sourceNamesIn(metadata: unknown): readonly string[] {
  const sources = isObject(metadata) && Array.isArray(metadata.sources) ? metadata.sources : [];
  return sources.flatMap((source) => (isObject(source) && typeof source.name === "string" ? [source.name] : []));
}

/** A start does not wait longer for servers of remote schemas: they are asked again later. */
const longestAtStart = 3000;

async function compileStored(
  parts: ControlPlaneParts,
  { metadata, resourceVersion }: StoredMetadata,
  reloads: Reloads,
  previous?: State,
): Promise<State> {
  const catalog = reading(() => valueOrThrow(readMetadataDocument(metadata, previous?.catalog ?? emptyCatalog)));
  const waiting = previous === undefined ? { mostMilliseconds: longestAtStart } : {};
  const found = await lookAround(catalog, previous ?? nothingKnown, parts, { ...reloads, ...waiting });
  const compiled = reading(() => compileState(catalog, found, parts.compiler, "$", previous));
  return { catalog, ...found, ...compiled, resourceVersion };
}

/** Runs `read`; errors say that the stored metadata is at fault, which may be such as no request can store. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw unreadable("it is nested too deeply", { cause: error });
    if (error instanceof EngineError) throw unreadable(error.message, { path: error.path, cause: error });
    throw error;
  }
}
