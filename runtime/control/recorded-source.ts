/** Recorders that the metadata of a source requires or allows. */
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Source } from "../../compiler/catalog/model.ts";
import { type InstalledRecorder, isSameTable, type PlacedRecorder } from "../jobs/events/installed-recorder.ts";
import type { EventTriggerDefinition } from "../model/definitions/events/event-trigger.ts";

export interface RecordedMetadata {
  readonly source: Source;
  /** Recorders of consistent event triggers. */
  readonly wanted: readonly PlacedRecorder[];
  /** Tables of all recorders by name, including recorders of inconsistent event triggers, which stay installed. */
  readonly owned: ReadonlyMap<string, PlacedRecorder["table"]>;
  /** Names of all event triggers. */
  readonly triggers: readonly string[];
}

export function recordedMetadata(
  { sources }: Catalog,
  definitions: readonly EventTriggerDefinition[],
): readonly RecordedMetadata[] {
  const bySource = new Map<string, EventTriggerDefinition[]>();
  for (const definition of definitions) {
    const list = bySource.get(definition.source) ?? [];
    bySource.set(definition.source, list);
    list.push(definition);
  }
  return sources.map((source) => recordedSource(source, bySource.get(source.name) ?? []));
}

const operations = { insert: "INSERT", update: "UPDATE", delete: "DELETE" } as const;

function recordedSource(source: Source, definitions: readonly EventTriggerDefinition[]): RecordedMetadata {
  const triggers = source.tables.flatMap(({ table, event_triggers }) =>
    event_triggers.map((trigger) => ({ table, ...trigger })),
  );
  const wanted = definitions.flatMap(({ table, recorders }) => recorders.map((recorder) => ({ table, recorder })));
  const defined = new Set(definitions.map(({ name }) => name));
  const inconsistent = triggers.filter(({ name }) => !defined.has(name));
  const owned = new Map(wanted.map(({ recorder, table }) => [recorder.name, table]));
  for (const { name, definition, table } of inconsistent) {
    for (const [member, operation] of Object.entries(operations)) {
      if (definition[member] !== undefined) owned.set(`notify_engine_${name}_${operation}`, table);
    }
  }
  return { source, wanted, owned, triggers: triggers.map(({ name }) => name) };
}

/** Returns true if a recorder belongs to the metadata. A recorder that a rename has moved to another table does not. */
export function isOwned({ owned }: RecordedMetadata, { name, table }: InstalledRecorder): boolean {
  const expected = owned.get(name);
  return expected !== undefined && (table === undefined || isSameTable(table, expected));
}

/** Returns true if two sources have the same connection settings. */
export function isSameDatabase(a: Source, b: Source): boolean {
  const connection = ({ kind, configuration }: Source) => JSON.stringify([kind, configuration.connection_info]);
  return connection(a) === connection(b);
}

/** Returns the recorders of `after` that are new or changed since `before`. */
export function addedRecorders(
  before: RecordedMetadata | undefined,
  after: RecordedMetadata,
): readonly PlacedRecorder[] {
  const key = ({ table: { schema, name }, recorder }: PlacedRecorder) =>
    JSON.stringify([schema, name, recorder.name, recorder.hash]);
  const known = new Set(before?.wanted.map(key));
  return after.wanted.filter((each) => !known.has(key(each)));
}

/** Returns the names of sources whose recorders or event triggers have changed. */
export function changedSources(
  before: { readonly sources: readonly RecordedMetadata[] },
  after: { readonly sources: readonly RecordedMetadata[] },
): readonly string[] {
  const key = ({ source, triggers, owned, wanted }: RecordedMetadata) =>
    JSON.stringify([source.name, triggers, [...owned], wanted.map(({ table, recorder }) => [table, recorder.hash])]);
  const known = new Set(before.sources.map(key));
  return after.sources.filter((each) => !known.has(key(each))).map(({ source }) => source.name);
}
