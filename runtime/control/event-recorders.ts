/**
 * Keeps the recorders of event triggers in the databases in step with the metadata (`docs/event-triggers.md`). What is
 * new is
 * installed before the metadata is stored, so that no trigger is acknowledged that does not record; what is gone is
 * dropped afterwards. Where something fails in between, what is stored counts.
 */
import { randomUUID } from "node:crypto";
import type { Source } from "../../compiler/catalog/model.ts";
import type { Effect, Warning } from "../../compiler/metadata/operation.ts";
import type { SourceTransaction } from "../databases/sources/source.ts";
import {
  archiveEvents,
  catalogIdOf,
  type Installation,
  install,
  installWithin,
  lookAtRecorders,
  type RecordedSource,
  removeTables,
  type TableSteps,
} from "../jobs/events/install.ts";
import type { Difference, InstalledRecorder } from "../jobs/events/installed-recorder.ts";
import type { Claim } from "../jobs/events/source-catalog.ts";
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import { within } from "../values/within.ts";
import { addedRecorders, isOwned, isSameDatabase, type RecordedMetadata } from "./recorded-source.ts";
import type { Introspections, SourceRegistry } from "./source-registry.ts";
import { versionConflict } from "./store.ts";

export interface EventRecordersSettings {
  readonly sources: Pick<SourceRegistry, "database">;
  /** Of the metadata database: instances that share it. */
  readonly installation: () => Promise<string>;
  readonly log: Log;
  /** `false`: nothing may be written to sources now. */
  readonly enabled: boolean;
}

/** What there is to record, of one version of the metadata. */
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

/** What a change has added to a database. */
interface InstalledByChange {
  readonly source: Source;
  /** Names of recorders that were not there before, in no form. */
  readonly added: ReadonlySet<string>;
  readonly claim: Claim;
}

/** In milliseconds: how long a change of the metadata waits for databases that it only cleans up. */
const cleanupPatience = 5_000;

export class EventRecorders {
  readonly #settings: EventRecordersSettings;
  readonly #instance = randomUUID();
  #installation: Promise<string> | undefined;
  /** Sources that a change has touched and that have to be looked at when it is over, however it ended. */
  #touched = new Set<string>();
  /** By changes of which it is not known yet whether they are stored. */
  #installed: InstalledByChange[] = [];
  /** Sources that could not be put right. */
  readonly #pending = new Set<string>();
  readonly #reported = new Map<string, string>();
  /** Sources that have been searched for events of triggers that are gone: an instance may have ended in between. */
  readonly #archived = new Set<string>();

  constructor(settings: EventRecordersSettings) {
    this.#settings = settings;
  }

  /** Looks at a source again when the change in progress is over. */
  touch(source: string): void {
    this.#touched.add(source);
  }

  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** To be tried again later. */
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
   * Installs what a change adds, before it is stored.
   * @throws EngineError that refuses the change
   */
  async prepare({ before, after, effects }: RecordedChange): Promise<void> {
    if (!this.#settings.enabled) return;
    const recreated = new Set(effects.flatMap((each) => (each.kind === "reload" ? each.recreateEventTriggers : [])));
    const looked = new Set([
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
      // Metadata as a whole, or a source, is accepted without its database, which gets its recorders once it is back.
      if (isUnreachable(after, name) && looked.has(name)) continue;
      const claim = await this.#claim(after);
      const isGone = () => false;
      const installation = { wanted, isGone, everything, needsTables, claim, claims: true };
      const installed = await install(this.#target(each.source), installation).catch((error: unknown) => {
        throw error instanceof EngineError ? error.at("$.args") : error;
      });
      if (installed.kind === "superseded") throw versionConflict(before.version);
      const added = new Set(installed.added);
      if (added.size > 0) this.#installed.push({ source: each.source, added, claim });
      this.#tellTables(name, installed.tables);
    }
  }

  /**
   * Removes what a change took away, once it is stored. Returns warnings for what cannot be removed, and for reloaded
   * sources whose SQL triggers differ from the metadata while no one asks to recreate them.
   */
  async finish({ before, after, effects }: RecordedChange): Promise<readonly Warning[]> {
    if (!this.#settings.enabled) return [];
    const reloads = effects.flatMap((effect) => (effect.kind === "reload" ? [effect] : []));
    for (const name of reloads.flatMap((reload) => reload.recreateEventTriggers)) this.touch(name);
    // The settling of a touched source mends it.
    const unasked = new Set(reloads.flatMap(({ sources }) => sources).filter((name) => !this.#touched.has(name)));
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
      after.sources.filter(({ source }) => unasked.has(source.name)).map((each) => this.#reportDifference(after, each)),
    );
    return [...warnings.flat(), ...differences.flat()];
  }

  /** Returns a warning where the SQL triggers of a source are not those of its metadata; changes nothing. */
  async #reportDifference(recorded: Recorded, each: RecordedMetadata): Promise<readonly Warning[]> {
    const { name } = each.source;
    if (this.#touched.has(name)) return []; // the removal of a trigger has touched it since
    if (isUnreachable(recorded, name)) {
      this.touch(name); // looked at again when it is back
      return [];
    }
    const look = async () =>
      differenceWarning(name, await lookAtRecorders(this.#target(each.source), await this.#whole(recorded, each)));
    const unknown = [unreadWarning(name, "the database does not respond")];
    const read = look().catch((error: unknown) => [unreadWarning(name, messageOf(error))]);
    const warnings = await within(read, cleanupPatience, unknown);
    for (const { message } of warnings) this.#settings.log.warn("event-trigger", { source: name, message });
    return warnings;
  }

  /**
   * Removes what changes have installed that were not stored, where there is no source any more that would be looked at.
   * What was there before stays, and so do the tables: they may hold events of others.
   */
  async withdraw(stored: Recorded): Promise<void> {
    const left = this.#installed.filter(
      ({ source }) => !stored.sources.some((other) => isSameDatabase(other.source, source)),
    );
    this.#installed = [];
    await Promise.all(
      left.map(({ source, added, claim }) =>
        this.#cleanUp(source.name, async () => {
          const target = this.#target(source);
          const elsewhere = await this.#ownedElsewhere(target, stored.sources, added);
          const isGone = ({ name }: InstalledRecorder) => added.has(name) && !elsewhere.has(name);
          await install(target, { wanted: [], isGone, needsTables: false, claim });
        }),
      ),
    );
  }

  async #removeGone(
    before: RecordedMetadata,
    kept: RecordedMetadata | undefined,
    after: Recorded,
  ): Promise<readonly Warning[]> {
    if (kept === undefined) return await this.#removeSource(before, after);
    const triggers = before.triggers.filter((name) => !kept.triggers.includes(name));
    const names = new Set([...before.owned.keys()].filter((name) => !kept.owned.has(name)));
    if (triggers.length === 0 && names.size === 0) return [];
    const { name } = before.source;
    this.touch(kept.source.name);
    return await this.#cleanUp(name, async () => {
      const target = this.#target(before.source);
      const others = after.sources.filter((each) => each !== kept);
      const elsewhere = await this.#ownedElsewhere(target, others, names);
      const isGone = (found: InstalledRecorder) => names.has(found.name) && !elsewhere.has(found.name);
      const claim = await this.#claim(after);
      const done = await install(target, { wanted: [], isGone, needsTables: false, claim });
      if (done.kind === "superseded") return;
      const archived = triggers.filter((trigger) => elsewhere.size === 0 || !isOfAny(trigger, others));
      if (archived.length > 0) await archiveEvents(target, { of: archived }, claim);
    });
  }

  /** Nothing of ours stays in the database of a source that is gone, unless another source is the same database. */
  async #removeSource(before: RecordedMetadata, after: Recorded): Promise<readonly Warning[]> {
    if (before.triggers.length === 0) return [];
    return await this.#cleanUp(before.source.name, async () => {
      const target = this.#target(before.source);
      const elsewhere = await this.#ownedElsewhere(target, after.sources, new Set(before.owned.keys()));
      const isGone = ({ name }: InstalledRecorder) => before.owned.has(name) && !elsewhere.has(name);
      await install(target, { wanted: [], isGone, needsTables: false });
      const id = await catalogIdOf(target);
      const others = after.sources.filter(({ source, triggers }) => source.kind === target.kind && triggers.length > 0);
      const ids = await Promise.all(others.map(({ source }) => catalogIdOf(this.#target(source)).catch(() => id)));
      if (!ids.includes(id)) await removeTables(target);
    });
  }

  /** A database that is away holds up no change for long. */
  async #cleanUp(source: string, work: () => Promise<void>): Promise<readonly Warning[]> {
    const told = work().then(() => undefined, messageOf); // the change is stored: nothing of this refuses it
    const failure = await within(told, cleanupPatience, "the database does not answer");
    if (failure === undefined) return [];
    this.#settings.log.warn("event-trigger", { source, message: failure });
    return [cleanupWarning(source, failure)];
  }

  /** Whether nothing has to be done. @throws EngineError */
  async isRight(recorded: Recorded, each: RecordedMetadata): Promise<boolean> {
    const { made, dropped } = await lookAtRecorders(this.#target(each.source), await this.#whole(recorded, each));
    return made.length === 0 && dropped.length === 0;
  }

  /**
   * Makes the recorders of a source those of its metadata, and archives what nobody will deliver.
   * @returns `false`: another instance installs later metadata
   * @throws EngineError
   */
  async reconcile(recorded: Recorded, each: RecordedMetadata, isPatient: boolean): Promise<boolean> {
    const target = this.#target(each.source);
    const installation = await this.#whole(recorded, each);
    const times = isPatient ? undefined : { patience: 0, pause: 0 };
    const installed = await install(target, installation, times);
    if (installed.kind === "superseded") return false;
    const { made, dropped, tables } = installed;
    const { name } = each.source;
    this.#tellTables(name, tables);
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

  /** Inside a transaction that has changed the database. Sources with one database are not told apart. */
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
    this.#tellTables(each.source.name, installed.tables);
  }

  /** Drops the recorders of a source inside a transaction that will make them again. */
  async removeWithin(transaction: SourceTransaction, { source, owned }: RecordedMetadata): Promise<void> {
    this.touch(source.name);
    const isGone = ({ name }: InstalledRecorder) => owned.has(name);
    await installWithin(transaction, source.kind, { wanted: [], isGone, needsTables: false });
  }

  get isEnabled(): boolean {
    return this.#settings.enabled;
  }

  /** Tells what went wrong with a source, once. */
  report(source: string, error: EngineError): void {
    const message = messageOf(error);
    if (this.#reported.get(source) === message) return;
    this.#reported.set(source, message);
    this.#settings.log.warn("event-trigger", { source, message });
  }

  #tellTables(source: string, tables: TableSteps | undefined): void {
    if (tables === undefined) return;
    const message =
      tables.from === 0
        ? "The tables for event triggers were made"
        : "The tables for event triggers were brought forward";
    this.#settings.log.info("source-catalog-migration", { source, message, ...tables });
  }

  async #whole(recorded: Recorded, each: RecordedMetadata): Promise<Installation & { readonly claim: Claim }> {
    const { wanted, triggers, source } = each;
    const claim = await this.#claim(recorded);
    const needsTables = triggers.length > 0;
    const mayBeGone = { wanted, isGone: (found: InstalledRecorder) => !isOwned(each, found), needsTables, claim };
    const others = recorded.sources.filter((other) => other !== each && other.owned.size > 0);
    if (others.length === 0) return mayBeGone;
    const { dropped } = await lookAtRecorders(this.#target(source), mayBeGone);
    const names = new Set(dropped.map(({ name }) => name));
    const elsewhere = await this.#ownedElsewhere(this.#target(source), others, names);
    return { ...mayBeGone, isGone: (found) => !isOwned(each, found) && !elsewhere.has(found.name) };
  }

  /** Which of these recorders other sources own that are the same database, or cannot be asked whether they are. */
  async #ownedElsewhere(
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
        const other = await catalogIdOf(this.#target(source)).catch(() => id); // unknown: it may be the same
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
      this.#installation = undefined; // asked again
    });
    return { installation: await this.#installation, instance: this.#instance, version };
  }
}

/** Whether nothing of it is left but its configuration. */
function isCleared({ name }: Source, effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.kind === "clear_source" && effect.source === name);
}

/** The metadata of the same database. */
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

function isOfAny(trigger: string, sources: readonly RecordedMetadata[]): boolean {
  return sources.some(({ triggers }) => triggers.includes(trigger));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function cleanupWarning(source: string, failure: string): Warning {
  return {
    message: `what event triggers left in the database of source "${source}" could not be removed: ${failure}`,
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
