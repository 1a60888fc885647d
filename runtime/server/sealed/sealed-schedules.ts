/** The schedules of an artifact, in a metadata database of its own; without one they do not run. */
import type { AutomationDatabase } from "../../jobs/delivery/database.ts";
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import { openScheduling, type Scheduling, type SchedulingSettings } from "../parts/scheduling.ts";
import type { Started } from "../parts/start.ts";

export interface SealedSchedules extends Omit<SchedulingSettings, "database" | "names"> {
  readonly triggers: readonly CronTriggerDefinition[];
  readonly database: AutomationDatabase | undefined;
}

export async function openSealedSchedules(
  started: Started,
  { triggers, database, ...settings }: SealedSchedules,
): Promise<Pick<Scheduling, "stop">> {
  const names = triggers.map(({ name }) => name);
  if (database === undefined) {
    const { log } = settings;
    if (names.length > 0)
      log.warn("startup", { kind: "scheduled_triggers", info: { message: notServed, triggers: names } });
    return { stop: async () => undefined };
  }
  const scheduling = openScheduling({ ...settings, database, names: () => names });
  started.add(() => scheduling.stop(0));
  await scheduling.refresh();
  return scheduling;
}

const notServed = "Cron triggers do not run: --metadata-database-url names the database that their events are kept in";
