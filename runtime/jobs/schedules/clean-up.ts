/** Deletes events of schedules that have ended, with their invocation logs, in batches that hold up nobody. */

import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import { latestTime } from "../delivery/cron.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { type EventKind, oneOffLane, removeEndedStatement } from "./statements.ts";

/** In rows, of one statement. */
const mostRows = 10_000;

export interface CleanUp {
  readonly kind: EventKind;
  readonly lane: string;
  readonly olderThanHours: number;
  readonly batchSize: number;
}

/** @returns how many events were deleted */
export async function cleanUp(
  database: AutomationDatabase,
  { kind, lane, olderThanHours, batchSize }: CleanUp,
): Promise<number> {
  const size = Math.min(Math.max(batchSize, 1), mostRows);
  let total = 0;
  for (;;) {
    const values = [lane, olderThanHours, size, database.time()];
    const deleted = (await database.query(removeEndedStatement(kind), values)).length;
    total += deleted;
    if (deleted < size) return total;
  }
}

/** Those whose time has come since the last look. Several instances may make the same one: it does nothing twice. */
export function dueCleanUps(
  triggers: readonly CronTriggerDefinition[],
  { since, now }: { readonly since: Date; readonly now: Date },
): readonly CleanUp[] {
  return triggers.flatMap(({ name, cleanup }) => {
    if (cleanup === undefined || cleanup.paused) return [];
    const latest = latestTime({ cron: cleanup.schedule, timezone: "UTC" }, now);
    if (latest === undefined || latest <= since) return [];
    return [{ kind: "cron", lane: name, olderThanHours: cleanup.clearOlderThanHours, batchSize: cleanup.batchSize }];
  });
}

export function oneOffCleanUp(olderThanHours: number): CleanUp {
  return { kind: "one_off", lane: oneOffLane, olderThanHours, batchSize: mostRows };
}
