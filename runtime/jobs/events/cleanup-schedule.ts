/** When the clean-ups of triggers are due: rows in the source, made ahead by whichever instance comes first. */
import { timesAfter } from "../delivery/cron.ts";
import type { EventSource } from "./event-source.ts";

export interface ScheduledCleanup {
  readonly trigger: string;
  /** Five fields, UTC. */
  readonly schedule: string;
}

/** What is added at once, and what can be left of it before more is: the scheduled runs are among these times. */
const timesAhead = 55;

/**
 * Sees to it that each trigger has runs ahead of it, at the times of its schedule and no others
 * (`docs/event-triggers.md`).
 * Times are those of the database.
 */
export async function scheduleCleanups(
  { database, cleanup }: EventSource,
  cleanups: readonly ScheduledCleanup[],
): Promise<void> {
  if (cleanups.length === 0) return;
  const [[now] = []] = await database.query({ text: cleanup.now, onlyReads: true }, []);
  const after = new Date(String(now));
  for (const { trigger, schedule } of cleanups) {
    const times = timesAfter({ cron: schedule, timezone: "UTC" }, after, timesAhead).map((time) => time.toISOString());
    await database.executeAlone({ isolation: "read-committed", errors: "dml" }, { text: cleanup.schedule }, [
      trigger,
      JSON.stringify(times),
    ]);
  }
}
