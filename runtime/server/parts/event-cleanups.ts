/** Cleans up the events of the Generation that is served. Wiring only. */

import type { Generation } from "../../execute/generation.ts";
import { type CleanedSource, type CleanupLoop, startCleanups } from "../../jobs/events/cleanup-loop.ts";
import { eventSource } from "../../jobs/events/event-source.ts";
import type { Log } from "../../observe/logs/log.ts";
import { bugReporter } from "../../observe/logs/report-bug.ts";

export interface EventCleanupSettings {
  readonly generation: () => Pick<Generation, "eventTriggers" | "sources">;
  /** Of the source with this name. */
  readonly kindOf: (source: string) => string | undefined;
  readonly log: Log;
}

export function startEventCleanups({ generation, kindOf, log }: EventCleanupSettings): CleanupLoop {
  const report = bugReporter(log);
  return startCleanups({
    sources: () => cleanedSources(generation(), kindOf),
    log,
    reportBug: (bug) => report(bug, ""),
  });
}

function cleanedSources(
  generation: ReturnType<EventCleanupSettings["generation"]>,
  kindOf: EventCleanupSettings["kindOf"],
): readonly CleanedSource[] {
  const cleaned = generation.eventTriggers().filter(({ cleanup }) => cleanup !== undefined);
  return [...new Set(cleaned.map(({ source }) => source))].flatMap((name) => {
    const database = generation.sources.get(name);
    const kind = kindOf(name);
    if (database === undefined || kind === undefined) return [];
    const triggers = cleaned.filter(({ source }) => source === name);
    return [{ name, events: eventSource(kind, database), triggers }];
  });
}
