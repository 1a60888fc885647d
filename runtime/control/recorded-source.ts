/** What the metadata of a source says of recorders: which there have to be, and which may be there. */
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Source } from "../../compiler/catalog/model.ts";
import type { EventTriggerDefinition } from "../definitions/events/event-trigger.ts";
import type { PlacedRecorder } from "../events/installed-recorder.ts";

export interface RecordedMetadata {
  readonly source: Source;
  /** Of the event triggers that are consistent. */
  readonly wanted: readonly PlacedRecorder[];
  /** Names, with those of event triggers that are not: what they have recorded so far goes on being recorded. */
  readonly owned: ReadonlySet<string>;
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
  const triggers = source.tables.flatMap((table) => table.event_triggers);
  const wanted = definitions.flatMap(({ table, recorders }) => recorders.map((recorder) => ({ table, recorder })));
  const defined = new Set(definitions.map(({ name }) => name));
  const undefinedOnes = triggers.filter(({ name }) => !defined.has(name));
  const owned = new Set(wanted.map(({ recorder }) => recorder.name));
  for (const { name, definition } of undefinedOnes) {
    for (const [member, operation] of Object.entries(operations)) {
      if (definition[member] !== undefined) owned.add(`notify_engine_${name}_${operation}`);
    }
  }
  return { source, wanted, owned, triggers: triggers.map(({ name }) => name) };
}

/** Whether two sources are configured to be the same database. */
export function isSameDatabase(a: Source, b: Source): boolean {
  const connection = ({ kind, configuration }: Source) => JSON.stringify([kind, configuration.connection_info]);
  return connection(a) === connection(b);
}

/** The recorders of `after` that `before` does not have like that. */
export function addedRecorders(
  before: RecordedMetadata | undefined,
  after: RecordedMetadata,
): readonly PlacedRecorder[] {
  const key = ({ table: { schema, name }, recorder }: PlacedRecorder) =>
    JSON.stringify([schema, name, recorder.name, recorder.hash]);
  const known = new Set(before?.wanted.map(key));
  return after.wanted.filter((each) => !known.has(key(each)));
}

/** Names of the sources that record something else. */
export function changedSources(
  before: { readonly sources: readonly RecordedMetadata[] },
  after: { readonly sources: readonly RecordedMetadata[] },
): readonly string[] {
  const key = ({ source, triggers, owned, wanted }: RecordedMetadata) =>
    JSON.stringify([source.name, triggers, [...owned], wanted.map(({ table, recorder }) => [table, recorder.hash])]);
  const known = new Set(before.sources.map(key));
  return after.sources.filter((each) => !known.has(key(each))).map(({ source }) => source.name);
}
