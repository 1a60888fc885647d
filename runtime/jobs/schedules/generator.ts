/** Makes the events of cron triggers some time ahead (`docs/schedules.md`). */

import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import { latestTime, timesAfter } from "../delivery/cron.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { forgetTriggersStatement, generateStatement, scheduleStatement, upcomingStatement } from "./statements.ts";

/** So many wait, at least; and so many are made at once. */
const waiting = 100;

export interface Upcoming {
  readonly name: string;
  readonly upcoming_events_count: number;
  readonly max_scheduled_time: Date | null;
}

/**
 * Brings the events in line with changed metadata: forgets those of triggers that are gone and of schedules that are not
 * any more, and makes those of new ones.
 * @param names of all triggers of the metadata, also of those that cannot run now
 */
export async function reconcile(
  database: AutomationDatabase,
  names: readonly string[],
  triggers: readonly CronTriggerDefinition[],
): Promise<void> {
  await database.query(forgetTriggersStatement, [names]);
  await database.query(scheduleStatement, [...columnsOf(triggers), database.time()]);
  await generate(database, triggers);
}

/** Makes what is missing; several instances may do so at the same time. @returns what waits now */
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
    if (trigger === undefined || now === undefined || latest === undefined || count >= waiting) {
      return { name, upcoming_events_count: count, max_scheduled_time: latest ?? null };
    }
    const times = timesAfter(
      { cron: trigger.schedule, timezone: trigger.timezone },
      beginning(trigger, latest, now),
      waiting,
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
 * After which instant events are missing. Where nobody made any for so long that the last one has passed, the times
 * between are made as far as they may still run.
 */
function beginning(trigger: CronTriggerDefinition, latest: Date, now: Date): Date {
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
