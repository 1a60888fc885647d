/**
 * Computes the times of a cron schedule. When clocks change, a schedule with one fixed minute and hour runs once a day:
 * at the first of two equal local times, or right after a gap. Other schedules run at both occurrences and skip local
 * times inside a gap (the rules of `croner`, which follow Vixie cron).
 */
import { Cron } from "croner";

export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, weekday. */
  readonly cron: string;
  /** Name in the IANA time zone database. */
  readonly timezone: string;
}

/**
 * Returns the next `count` times after an instant, ascending. Returns fewer if the schedule has fewer (30 February has
 * none).
 */
export function timesAfter(schedule: Schedule, after: Date, count: number): readonly Date[] {
  return evaluator(schedule).nextRuns(count, after);
}

/** Returns the last time at or before `until`, or `undefined` if there is none. */
export function latestTime(schedule: Schedule, until: Date): Date | undefined {
  // `previousRuns` excludes the given instant.
  const [latest] = evaluator(schedule).previousRuns(1, new Date(until.getTime() + 1000));
  return latest;
}

/**
 * Number of values of each field: minute, hour, day of the month, month, weekday. A larger step has the same effect.
 */
const maxSteps = [60, 24, 31, 12, 7];

function evaluator({ cron, timezone }: Schedule): Cron {
  const fields = cron.trim().split(/\s+/);
  const pattern = fields.map((field, index) => {
    const maxStep = maxSteps[index] ?? 1;
    return field.replace(/\/(\d+)/g, (_, step: string) => `/${Math.min(Number(step), maxStep)}`);
  });
  // `5/15` starts at 5 and continues to the end of the field, as in other cron implementations.
  return new Cron(pattern.join(" "), { mode: "5-part", timezone, sloppyRanges: true, paused: true });
}
