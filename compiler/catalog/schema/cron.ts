/** Syntax of cron schedules with five fields. */

import * as z from "zod";
import { object } from "./combinators.ts";
import { bool, int } from "./scalars.ts";

interface Field {
  readonly min: number;
  readonly max: number;
  /** Names of the values from `min` upwards. */
  readonly names: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */
const fields: readonly Field[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 7, names: days },
];

export function isCronSchedule(schedule: string): boolean {
  const parts = schedule.trim().split(/\s+/);
  return parts.length === fields.length && fields.every((field, index) => isCronField(parts[index] ?? "", field));
}

/** Parses a list of `*`, values and ranges, each with an optional step. */
function isCronField(part: string, field: Field): boolean {
  return part.split(",").every((item) => {
    const [range = "", step, ...more] = item.split("/");
    if (more.length > 0 || (step !== undefined && !isStep(step))) return false;
    if (range === "*") return true;
    const [from = "", to, ...others] = range.split("-");
    const start = numberIn(from, field);
    if (start === undefined || others.length > 0) return false;
    if (to === undefined) return true;
    const end = numberIn(to, field);
    return end !== undefined && start <= end;
  });
}

function isStep(step: string): boolean {
  return /^\d{1,3}$/.test(step) && Number(step) > 0;
}

function numberIn(text: string, field: Field): number | undefined {
  const named = field.names.indexOf(text.toLowerCase());
  if (named >= 0) return field.min + named;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= field.min && value <= field.max ? value : undefined;
}

export const cronSchedule: z.ZodType<string> = z.string().refine(isCronSchedule, {
  error: (issue) => `invalid cron schedule "${issue.input}": expected five fields (minute, hour, day, month, weekday)`,
});

/** `cleanup_config`: schedule and retention of a trigger's log (`docs/how-to/event-triggers.md`). */
export const cleanupConfig = object({
  about: {
    schedule: "Times of the deletion, as a cron expression in UTC.",
    clear_older_than: "Age in hours at which finished events are deleted.",
    batch_size: "Number of events that one statement deletes. Default: `10000`.",
    timeout: "Seconds until a statement is canceled. Default: `60`.",
    clean_invocation_logs: "Also deletes the logs of attempts. Default: `false`.",
    paused: "Turns the deletion off. Default: `false`.",
  },
  required: { schedule: cronSchedule, clear_older_than: int },
  optional: { batch_size: int, timeout: int, clean_invocation_logs: bool, paused: bool },
});
