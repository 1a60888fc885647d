/**
 * A cron schedule → its times. Where a zone changes its clocks: a schedule with one minute and one hour runs once a day,
 * at the first occurrence of a time that comes twice and right after the gap for one that does not come; any other runs
 * at both occurrences and skips what does not come (the rules of `croner`, which follow Vixie cron).
 */
import { Cron } from "croner";

export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, weekday. */
  readonly cron: string;
  /** Name in the IANA time zone database. */
  readonly timezone: string;
}

/** The first times after an instant, ascending; fewer than `count` where there are no more (30 February). */
export function timesAfter(schedule: Schedule, after: Date, count: number): readonly Date[] {
  return evaluator(schedule).nextRuns(count, after);
}

/** The last time before an instant, or at it; `undefined`: there was none. */
export function latestTime(schedule: Schedule, until: Date): Date | undefined {
  // Excludes the instant that it is given.
  const [latest] = evaluator(schedule).previousRuns(1, new Date(until.getTime() + 1000));
  return latest;
}

/** Minute, hour, day of the month, month, weekday: a greater step has the effect of this one. */
const greatestSteps = [60, 24, 31, 12, 7];

function evaluator({ cron, timezone }: Schedule): Cron {
  const fields = cron.trim().split(/\s+/);
  const pattern = fields.map((field, index) => {
    const greatest = greatestSteps[index] ?? 1;
    return field.replace(/\/(\d+)/g, (_, step: string) => `/${Math.min(Number(step), greatest)}`);
  });
  // A value with a step, `5/15`, begins there and goes on to the end of the field, as in other crons.
  return new Cron(pattern.join(" "), { mode: "5-part", timezone, sloppyRanges: true, paused: true });
}
