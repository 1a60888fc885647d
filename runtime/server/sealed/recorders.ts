/** What the event triggers of an artifact need in its databases, and what these have instead. */

import type { DatabaseSource } from "../../databases/sources/source.ts";
import {
  hasCurrentTables,
  type Installation,
  lookAtRecorders,
  type RecordedSource,
} from "../../jobs/events/install.ts";
import type { Artifact } from "./artifact.ts";
import type { Drift } from "./drift.ts";

export interface RecordedBySource {
  readonly target: RecordedSource;
  readonly installation: Installation;
  /** Names of event triggers. */
  readonly triggers: readonly string[];
}

/** Recorders that another source of the artifact owns stay: it may be the same database. */
export function recordedSources(
  { eventTriggers, settings }: Pick<Artifact, "eventTriggers" | "settings">,
  sources: ReadonlyMap<string, DatabaseSource>,
): readonly RecordedBySource[] {
  const owned = new Set(eventTriggers.flatMap(({ recorders }) => recorders.map(({ name }) => name)));
  return settings.sources.flatMap(({ name, kind }) => {
    const database = sources.get(name);
    if (database === undefined) return [];
    const own = eventTriggers.filter(({ source }) => source === name);
    const wanted = own.flatMap(({ table, recorders }) => recorders.map((recorder) => ({ table, recorder })));
    const installation = {
      wanted,
      isGone: (found: { readonly name: string }) => !owned.has(found.name),
      needsTables: own.length > 0,
    };
    return [{ target: { name, kind, database }, installation, triggers: own.map((trigger) => trigger.name) }];
  });
}

/**
 * Harmful is what keeps events from being recorded and delivered. What is left of other event triggers is not: they may
 * be those of a version that is about to take over.
 */
export async function recorderDrift({ target, installation }: RecordedBySource): Promise<Drift> {
  const { made, dropped } = await lookAtRecorders(target, installation);
  const isReady = !installation.needsTables || (await hasCurrentTables(target));
  return {
    harmful: [
      ...(isReady ? [] : ["the tables of event triggers are missing or of another version"]),
      ...made.map(({ recorder, table: { schema, name } }) => {
        return `trigger ${recorder.name} on ${schema}.${name} is missing, switched off or another one`;
      }),
    ],
    harmless: dropped.map(({ name, table }) => {
      const place = table === undefined ? "" : ` on ${table.schema}.${table.name}`;
      return `trigger ${name}${place} is of no event trigger of the artifact`;
    }),
  };
}
