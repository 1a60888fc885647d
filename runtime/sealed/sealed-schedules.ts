/** The schedules of an artifact, in a metadata database of its own; without one they do not run. */
import type { CronTriggerDefinition } from "../definitions/schedules/cron-trigger.ts";
import { openScheduling, type Scheduling, type SchedulingSettings } from "../serving/scheduling.ts";
import type { Started } from "../serving/start.ts";

export interface SealedSchedules extends Omit<SchedulingSettings, "database" | "names"> {
  readonly triggers: readonly CronTriggerDefinition[];
}

/** @throws EngineError when the metadata database cannot be used */
export async function openSealedSchedules(
  started: Started,
  { triggers, ...settings }: SealedSchedules,
): Promise<Pick<Scheduling, "stop">> {
  const { options, log } = settings;
  const names = triggers.map(({ name }) => name);
  if (options.metadataDatabaseUrl === null) {
    if (names.length > 0) log.warn("startup", { kind: "schedules", info: { message: notServed, triggers: names } });
    return { stop: async () => undefined };
  }
  // Most artifacts have none: they start without what it needs.
  const { openMetadataDatabase } = await import("../metadata-database/open.ts");
  const database = await openMetadataDatabase(options.metadataDatabaseUrl.reveal(), { retries: options.retries });
  started.add(() => database.close());
  const scheduling = openScheduling({
    ...settings,
    database: { query: async (text, values) => (await database.query(text, values)).rows, time: () => null },
    names: () => names,
  });
  started.add(() => scheduling.stop(0));
  await scheduling.refresh();
  return scheduling;
}

const notServed = "Cron triggers do not run: --metadata-database-url names the database that their events are kept in";
