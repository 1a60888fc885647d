/** When a five-field cron schedule is due, in UTC (`automation.md` B.1). */
import { Cron } from "croner";

/** Minute, hour, day of the month, month, day of the week: a greater step has the effect of this one. */
const greatestSteps = [60, 24, 31, 12, 7];

/**
 * The next times, ascending; fewer than asked for where there are no more (30 February).
 * @param after the first is later than this
 */
export function nextTimes(schedule: string, after: Date, count: number): readonly Date[] {
  const pattern = schedule
    .trim()
    .split(/\s+/)
    .map((field, i) =>
      field.replace(/\/(\d+)/g, (_, step: string) => `/${Math.min(Number(step), greatestSteps[i] ?? 1)}`),
    )
    .join(" ");
  // Sloppy ranges: `5/15` is from 5 on, as our own check of schedules reads it.
  return new Cron(pattern, { timezone: "UTC", paused: true, sloppyRanges: true }).nextRuns(count, after);
}
