/**
 * Keeps the recorders of event triggers in the databases in step with the metadata (`docs/how-to/event-triggers.md`). New
 * recorders are installed before the metadata is stored, so that every acknowledged trigger records; removed recorders
 * are dropped afterwards. After a failure in between, recorders are reconciled with the stored metadata.
 */

import { randomUUID } from "node:crypto";
import type { Source } from "../../compiler/catalog/model.ts";
import type { Effect, Warning } from "../../compiler/metadata/operation.ts";
import type { SourceTransaction } from "../databases/sources/source.ts";
import {
  archiveEvents,
  catalogIdOf,
  compareRecorders,
  type Installation,
  install,
  installWithin,
  type RecordedSource,
  removeTables,
  type TableSteps,
} from "../jobs/events/install.ts";
import type { Difference, InstalledRecorder } from "../jobs/events/installed-recorder.ts";
import type { Claim } from "../jobs/events/source-catalog.ts";
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import { messageOf } from "../values/message-of.ts";
import { within } from "../values/timer.ts";
import { addedRecorders, isOwned, isSameDatabase, type RecordedMetadata } from "./recorded-source.ts";
import type { Introspections, SourceRegistry } from "./source-registry.ts";
import { versionConflict } from "./store.ts";

export interface EventRecordersSettings {
  readonly sources: Pick<SourceRegistry, "database">;
  /** Returns the ID of the metadata database, shared by all its instances. */
  readonly installation: () => Promise<string>;
  readonly log: Log;
  /** If false, sources must not be written to. */
  readonly enabled: boolean;
}

/** Recorders that one version of the metadata needs. */
export interface Recorded {
  readonly version: number;
  readonly sources: readonly RecordedMetadata[];
  readonly introspections: Introspections;
}

export interface RecordedChange {
  readonly before: Recorded;
  readonly after: Recorded;
  readonly effects: readonly Effect[];
}

/** Recorders that a change has added to a database. */
interface InstalledByChange {
  readonly source: Source;
  /** Names of recorders that did not exist before, in any version. */
  readonly added: ReadonlySet<string>;
  readonly claim: Claim;
}

/** Maximum time in milliseconds that a metadata change spends on cleaning up databases. */
const cleanupTimeout = 5_000;

export class EventRecorders {
  readonly #settings: EventRecordersSettings;
  readonly #instance = randomUUID();
  #installation: Promise<string> | undefined;
  /** Sources to reconcile after the change in progress, even if it fails. */
  #touched = new Set<string>();
  /** Recorders installed by changes that are not committed yet. */
  #installed: InstalledByChange[] = [];
  /** Sources to reconcile later. */
  readonly #pending = new Set<string>();
  /** The last reported error of each source. */
  readonly #reported = new Map<string, string>();
  /**
   * Sources already searched for events of removed triggers. An instance that ended early may have left such events.
   */
  readonly #archived = new Set<string>();

  constructor(settings: EventRecordersSettings) {
    this.#settings = settings;
  }

  /** Schedules the reconciliation of a source after the change in progress. */
  touch(source: string): void {
    this.#touched.add(source);
  }

  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Schedules a later retry. */
  postpone(sources: Iterable<string>): void {
    for (const source of sources) this.#pending.add(source);
  }

  takePending(): ReadonlySet<string> {
    const pending = new Set(this.#pending);
    this.#pending.clear();
    return pending;
  }

  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Installs the recorders that a change adds, before it is stored.
   * @throws EngineError if the change must be refused
   */
  async prepare({ before, after, effects }: RecordedChange): Promise<void> {
    if (!this.#settings.enabled) return;
    const recreated = new Set(effects.flatMap((each) => (each.kind === "reload" ? each.recreateEventTriggers : [])));
    const introspected = new Set([
      ...recreated,
      ...effects.flatMap((each) => (each.kind === "introspect" || each.kind === "reload" ? each.sources : [])),
    ]);
    for (const each of after.sources) {
      const { name } = each.source;
      const known = counterpart(each.source, before.sources, effects);
      const everything = recreated.has(name) && each.wanted.length > 0;
      const wanted = everything ? each.wanted : addedRecorders(known, each);
      const needsTables = each.triggers.length > 0;
      const isFirst = needsTables && (known?.triggers.length ?? 0) === 0;
      if (wanted.length === 0 && !isFirst) continue;
      this.touch(name);
      // Operations that add or reload sources accept unreachable databases, whose recorders are installed later.
      if (isUnreachable(after, name) && introspected.has(name)) continue;
      const claim = await this.#claim(after);
      const isGone = () => false;
      const installation = { wanted, isGone, everything, needsTables, claim, claims: true };
      const installed = await install(this.#target(each.source), installation).catch((error: unknown) => {
        throw error instanceof EngineError ? error.at("$.args") : error;
      });
      if (installed.kind === "superseded") throw versionConflict(before.version);
      const added = new Set(installed.added);
      if (added.size > 0) this.#installed.push({ source: each.source, added, claim });
      this.#logTableSteps(name, installed.tables);
    }
  }

  /**
   * Removes the recorders that a stored change no longer needs. Returns warnings for failed removals, and for reloaded
   * sources whose SQL triggers differ from the metadata and will not be recreated.
   */
  async finish({ before, after, effects }: RecordedChange): Promise<readonly Warning[]> {
    if (!this.#settings.enabled) return [];
    const reloads = effects.flatMap((effect) => (effect.kind === "reload" ? [effect] : []));
    for (const name of reloads.flatMap((reload) => reload.recreateEventTriggers)) this.touch(name);
    // Touched sources are reconciled later, which repairs them.
    const onlyCompared = new Set(reloads.flatMap(({ sources }) => sources).filter((name) => !this.#touched.has(name)));
    const warnings = await Promise.all(
      before.sources.map((each) =>
        this.#removeGone(
          each,
          isCleared(each.source, effects) ? undefined : counterpart(each.source, after.sources, effects, true),
          after,
        ),
      ),
    );
    const differences = await Promise.all(
      after.sources
        .filter(({ source }) => onlyCompared.has(source.name))
        .map((each) => this.#reportDifference(after, each)),
    );
    return [...warnings.flat(), ...differences.flat()];
  }

  /** Returns a warning if the SQL triggers of a source differ from its metadata. */
  async #reportDifference(recorded: Recorded, each: RecordedMetadata): Promise<readonly Warning[]> {
    const { name } = each.source;
    if (this.#touched.has(name)) return []; // the removal of a trigger has already scheduled the reconciliation
    if (isUnreachable(recorded, name)) {
      this.touch(name); // reconciled when it is reachable
      return [];
    }
    const compare = async () => {
      const installation = await this.#completeInstallation(recorded, each);
      return differenceWarning(name, await compareRecorders(this.#target(each.source), installation));
    };
    const unknown = [unreadWarning(name, "the database does not respond")];
    const compared = compare().catch((error: unknown) => [unreadWarning(name, messageOf(error))]);
    const warnings = await within(compared, cleanupTimeout, unknown);
    for (const { message } of warnings) this.#settings.log.warn("event-trigger", { source: name, message });
    return warnings;
  }

  /**
   * Removes recorders installed by changes that were not stored, in databases that no source of the metadata uses.
   * Older recorders and the tables stay; the tables may contain events of other installations.
   */
  async withdraw(stored: Recorded): Promise<void> {
    const leftovers = this.#installed.filter(
      ({ source }) => !stored.sources.some((other) => isSameDatabase(other.source, source)),
    );
    this.#installed = [];
    await Promise.all(
      leftovers.map(({ source, added, claim }) =>
        this.#cleanUp(source.name, async () => {
          const target = this.#target(source);
          const shared = await this.#ownedByOthers(target, stored.sources, added);
          const isGone = ({ name }: InstalledRecorder) => added.has(name) && !shared.has(name);
          await install(target, { wanted: [], isGone, needsTables: false, claim });
        }),
      ),
    );
  }

  async #removeGone(
    before: RecordedMetadata,
    remaining: RecordedMetadata | undefined,
    after: Recorded,
  ): Promise<readonly Warning[]> {
    if (remaining === undefined) return await this.#removeSource(before, after);
    const triggers = before.triggers.filter((name) => !remaining.triggers.includes(name));
    const names = new Set([...before.owned.keys()].filter((name) => !remaining.owned.has(name)));
    if (triggers.length === 0 && names.size === 0) return [];
    const { name } = before.source;
    this.touch(remaining.source.name);
    return await this.#cleanUp(name, async () => {
      const target = this.#target(before.source);
      const others = after.sources.filter((each) => each !== remaining);
      const shared = await this.#ownedByOthers(target, others, names);
      const isGone = (found: InstalledRecorder) => names.has(found.name) && !shared.has(found.name);
      const claim = await this.#claim(after);
      const done = await install(target, { wanted: [], isGone, needsTables: false, claim });
      if (done.kind === "superseded") return;
      const archived = triggers.filter((trigger) => shared.size === 0 || !isTriggerOf(trigger, others));
      if (archived.length > 0) await archiveEvents(target, { of: archived }, claim);
    });
  }

  /** Removes recorders and tables from the database of a removed source, unless another source uses the same database. */
  async #removeSource(before: RecordedMetadata, after: Recorded): Promise<readonly Warning[]> {
    if (before.triggers.length === 0) return [];
    return await this.#cleanUp(before.source.name, async () => {
      const target = this.#target(before.source);
      const shared = await this.#ownedByOthers(target, after.sources, new Set(before.owned.keys()));
      const isGone = ({ name }: InstalledRecorder) => before.owned.has(name) && !shared.has(name);
      await install(target, { wanted: [], isGone, needsTables: false });
      const id = await catalogIdOf(target);
      const others = after.sources.filter(({ source, triggers }) => source.kind === target.kind && triggers.length > 0);
      const ids = await Promise.all(others.map(({ source }) => catalogIdOf(this.#target(source)).catch(() => id)));
      if (!ids.includes(id)) await removeTables(target);
    });
  }

  /** Runs `work` with a time limit. Returns failures as warnings, since the change is already stored. */
  async #cleanUp(source: string, work: () => Promise<void>): Promise<readonly Warning[]> {
    const done = work().then(() => undefined, messageOf);
    const failure = await within(done, cleanupTimeout, "the database does not respond");
    if (failure === undefined) return [];
    this.#settings.log.warn("event-trigger", { source, message: failure });
    return [cleanupWarning(source, failure)];
  }

  /** Returns true if the recorders of a source match its metadata. @throws EngineError */
  async isInstalled(recorded: Recorded, each: RecordedMetadata): Promise<boolean> {
    const installation = await this.#completeInstallation(recorded, each);
    const { made, dropped } = await compareRecorders(this.#target(each.source), installation);
    return made.length === 0 && dropped.length === 0;
  }

  /**
   * Installs and drops recorders until those of a source match its metadata, and archives events of removed triggers.
   * @returns false if another instance is installing newer metadata
   * @throws EngineError
   */
  async reconcile(recorded: Recorded, each: RecordedMetadata, isPatient: boolean): Promise<boolean> {
    const target = this.#target(each.source);
    const installation = await this.#completeInstallation(recorded, each);
    const times = isPatient ? undefined : { retryMilliseconds: 0, pause: 0 };
    const installed = await install(target, installation, times);
    if (installed.kind === "superseded") return false;
    const { made, dropped, tables } = installed;
    const { name } = each.source;
    this.#logTableSteps(name, tables);
    if (made.length + dropped.length > 0) {
      this.#settings.log.info("event-trigger", { source: name, kind: "installed", made, dropped });
    }
    if (dropped.length > 0 || !this.#archived.has(name)) {
      const known = recorded.sources.flatMap(({ triggers }) => triggers);
      await archiveEvents(target, { notOf: known }, installation.claim, times);
      this.#archived.add(name);
    }
    this.#reported.delete(each.source.name);
    return true;
  }

  /**
   * Installs recorders inside a transaction that has changed the database. Keeps the recorders of all sources in the
   * metadata.
   */
  async installWithin(transaction: SourceTransaction, recorded: Recorded, each: RecordedMetadata): Promise<void> {
    this.touch(each.source.name);
    const owned = new Set(recorded.sources.flatMap((other) => [...other.owned.keys()]));
    const installed = await installWithin(transaction, each.source.kind, {
      wanted: each.wanted,
      isGone: ({ name }) => !owned.has(name),
      needsTables: each.triggers.length > 0,
      claim: await this.#claim(recorded),
    });
    if (installed.kind === "superseded") throw versionConflict(recorded.version - 1);
    this.#logTableSteps(each.source.name, installed.tables);
  }

  /** Drops the recorders of a source inside a transaction that will install them again. */
  async removeWithin(transaction: SourceTransaction, { source, owned }: RecordedMetadata): Promise<void> {
    this.touch(source.name);
    const isGone = ({ name }: InstalledRecorder) => owned.has(name);
    await installWithin(transaction, source.kind, { wanted: [], isGone, needsTables: false });
  }

  get isEnabled(): boolean {
    return this.#settings.enabled;
  }

  /** Logs an error of a source, unless it repeats the last logged error of that source. */
  report(source: string, error: EngineError): void {
    const message = messageOf(error);
    if (this.#reported.get(source) === message) return;
    this.#reported.set(source, message);
    this.#settings.log.warn("event-trigger", { source, message });
  }

  #logTableSteps(source: string, tables: TableSteps | undefined): void {
    if (tables === undefined) return;
    const message =
      tables.from === 0 ? "Created the tables of event triggers" : "Migrated the tables of event triggers";
    this.#settings.log.info("source-catalog-migration", { source, message, ...tables });
  }

  /** Returns an installation of all recorders of a source. It keeps recorders that other sources own. */
  async #completeInstallation(
    recorded: Recorded,
    each: RecordedMetadata,
  ): Promise<Installation & { readonly claim: Claim }> {
    const { wanted, triggers, source } = each;
    const claim = await this.#claim(recorded);
    const needsTables = triggers.length > 0;
    const alone = { wanted, isGone: (found: InstalledRecorder) => !isOwned(each, found), needsTables, claim };
    const others = recorded.sources.filter((other) => other !== each && other.owned.size > 0);
    if (others.length === 0) return alone;
    const { dropped } = await compareRecorders(this.#target(source), alone);
    const names = new Set(dropped.map(({ name }) => name));
    const shared = await this.#ownedByOthers(this.#target(source), others, names);
    return { ...alone, isGone: (found) => !isOwned(each, found) && !shared.has(found.name) };
  }

  /** Returns the recorders owned by other sources that use, or may use, the same database. */
  async #ownedByOthers(
    target: RecordedSource,
    others: readonly RecordedMetadata[],
    names: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const owners = others.filter(
      ({ source, owned }) => source.kind === target.kind && [...owned.keys()].some((name) => names.has(name)),
    );
    if (owners.length === 0) return new Set();
    const id = await catalogIdOf(target);
    const same = await Promise.all(
      owners.map(async ({ source, owned }) => {
        const other = await catalogIdOf(this.#target(source)).catch(() => id); // unreachable: assume the same database
        return other === id ? [...owned.keys()] : [];
      }),
    );
    return new Set(same.flat());
  }

  #target(source: Source): RecordedSource {
    return { name: source.name, kind: source.kind, database: this.#settings.sources.database(source) };
  }

  async #claim({ version }: Recorded): Promise<Claim> {
    this.#installation ??= this.#settings.installation();
    this.#installation.catch(() => {
      this.#installation = undefined; // retried by the next claim
    });
    return { installation: await this.#installation, instance: this.#instance, version };
  }
}

/** Returns true if a change has removed all objects of a source but kept its configuration. */
function isCleared({ name }: Source, effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.kind === "clear_source" && effect.source === name);
}

/** Returns the metadata of the same database in `others`, preferably of the same source. */
function counterpart(
  source: Source,
  others: readonly RecordedMetadata[],
  effects: readonly Effect[],
  isBefore = false,
): RecordedMetadata | undefined {
  const renames = effects.flatMap((effect) => (effect.kind === "rename_source" ? [effect] : []));
  const renamed = isBefore
    ? renames.reduce((name, { from, to }) => (name === from ? to : name), source.name)
    : renames.reduceRight((name, { from, to }) => (name === to ? from : name), source.name);
  const same = others.filter((other) => isSameDatabase(other.source, source));
  return same.find((other) => other.source.name === renamed) ?? same[0];
}

export function isUnreachable({ introspections }: Pick<Recorded, "introspections">, source: string): boolean {
  const known = introspections.get(source);
  return known !== undefined && "error" in known.introspection;
}

function isTriggerOf(trigger: string, sources: readonly RecordedMetadata[]): boolean {
  return sources.some(({ triggers }) => triggers.includes(trigger));
}

function cleanupWarning(source: string, failure: string): Warning {
  return {
    message: `failed to remove event trigger objects from the database of source "${source}": ${failure}`,
    type: "source",
    name: `source ${source}`,
    code: "source-cleanup-failed",
  };
}

function differenceWarning(source: string, { made, dropped }: Difference): readonly Warning[] {
  const wanted = made.map(({ recorder }) => recorder.name);
  const extra = dropped.map(({ name }) => name).filter((name) => !wanted.includes(name));
  if (wanted.length + extra.length === 0) return [];
  const faults = [
    ...(wanted.length > 0 ? [`missing, disabled or outdated: ${wanted.join(", ")}`] : []),
    ...(extra.length > 0 ? [`left over: ${extra.join(", ")}`] : []),
  ];
  return [
    mismatchWarning(
      source,
      `the SQL triggers in the database of source "${source}" differ from its event triggers (${faults.join("; ")}); ` +
        `run reload_metadata with "recreate_event_triggers": ${JSON.stringify([source])} to recreate them`,
    ),
  ];
}

function unreadWarning(source: string, failure: string): Warning {
  return mismatchWarning(source, `the SQL triggers of source "${source}" cannot be read: ${failure}`);
}

function mismatchWarning(source: string, message: string): Warning {
  return { message, type: "source", name: `source ${source}`, code: "event-trigger-mismatch" };
}
