/** Creates the events of cron triggers ahead of time (`docs/how-to/schedules.md`). */

import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import { latestTime, timesAfter } from "../../values/cron.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { deleteOtherTriggersStatement, generateStatement, scheduleStatement, upcomingStatement } from "./statements.ts";

/** Minimum number of waiting events per trigger, and the number created in one batch. */
const minWaiting = 100;

export interface Upcoming {
  readonly name: string;
  readonly upcoming_events_count: number;
  readonly max_scheduled_time: Date | null;
}

/**
 * Reconciles the events with changed metadata: deletes events of removed triggers and changed schedules, and creates
 * events of new triggers and schedules.
 * @param names of all triggers in the metadata, including inconsistent ones
 */
export async function reconcile(
  database: AutomationDatabase,
  names: readonly string[],
  triggers: readonly CronTriggerDefinition[],
): Promise<void> {
  await database.query(deleteOtherTriggersStatement, [names]);
  await database.query(scheduleStatement, [...columnsOf(triggers), database.time()]);
  await generate(database, triggers);
}

/** Creates missing events. Several instances may do so at the same time. Returns the waiting events. */
export async function generate(
  database: AutomationDatabase,
  triggers: readonly CronTriggerDefinition[],
): Promise<readonly Upcoming[]> {
  const rows = await database.query(upcomingStatement, [...columnsOf(triggers), database.time()]);
  const byName = new Map(triggers.map((trigger) => [trigger.name, trigger]));
  const missing: { readonly name: string; readonly time: Date }[] = [];
  const upcoming = rows.map((row): Upcoming => {
    const [name, latest, count, now] = [String(row.name), dateOf(row.latest), Number(row.count), dateOf(row.now)];
    const trigger = byName.get(name);
    if (trigger === undefined || now === undefined || latest === undefined || count >= minWaiting) {
      return { name, upcoming_events_count: count, max_scheduled_time: latest ?? null };
    }
    const times = timesAfter(
      { cron: trigger.schedule, timezone: trigger.timezone },
      generationStart(trigger, latest, now),
      minWaiting,
    );
    missing.push(...times.map((time) => ({ name, time })));
    return { name, upcoming_events_count: count + times.length, max_scheduled_time: times.at(-1) ?? latest };
  });
  if (missing.length > 0) {
    await database.query(generateStatement, [
      missing.map(({ name }) => name),
      missing.map(({ time }) => time.toISOString()),
    ]);
  }
  return upcoming;
}

/**
 * Returns the time after which events are missing. If the last event has already passed, the times in between are
 * created as far as they may still run.
 */
function generationStart(trigger: CronTriggerDefinition, latest: Date, now: Date): Date {
  if (latest > now || trigger.missed === "run_all") return latest;
  const oldest = oldestToRun(trigger, now);
  return latest > oldest ? latest : oldest;
}

function oldestToRun({ schedule, timezone, missed, toleranceSeconds }: CronTriggerDefinition, now: Date): Date {
  switch (missed) {
    case "run_all":
    case "tolerance":
      return new Date(now.getTime() - toleranceSeconds * 1000);
    case "skip":
      return now;
    case "run_latest": {
      const last = latestTime({ cron: schedule, timezone }, now);
      return last === undefined ? now : new Date(last.getTime() - 1000);
    }
  }
}

function columnsOf(triggers: readonly CronTriggerDefinition[]): readonly (readonly string[])[] {
  return [
    triggers.map(({ name }) => name),
    triggers.map(({ schedule }) => schedule),
    triggers.map(({ timezone }) => timezone),
  ];
}

function dateOf(value: unknown): Date | undefined {
  return value instanceof Date ? value : undefined;
}
