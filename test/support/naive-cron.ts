/** The reference implementation of schedules, which checks every minute. */

interface Schedule {
  readonly cron: string;
  readonly timezone: string;
}

const minute = 60_000;

/** Offsets by zone and half hour; clocks change at full and half hours. */
const offsets = new Map<string, Map<number, number>>();

/** Returns a function from an instant to the local time in a zone, as minutes since 1970 without clock changes. */
function clockOf(timezone: string): (instant: number) => number {
  const known = offsets.get(timezone) ?? new Map<number, number>();
  offsets.set(timezone, known);
  const look = exactClockOf(timezone);
  return (instant) => {
    const halfHour = Math.floor(instant / (30 * minute));
    let offset = known.get(halfHour);
    if (offset === undefined) {
      offset = look(halfHour * 30 * minute) - halfHour * 30;
      known.set(halfHour, offset);
    }
    return instant / minute + offset;
  };
}

function exactClockOf(timezone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? Number.NaN;
    return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute")) / minute;
  };
}

function fieldSet(text: string, least: number, greatest: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", step = "1"] = item.split("/");
    const [from = "", to = from] = range === "*" ? [String(least), String(greatest)] : range.split("-");
    for (let value = Number(from); value <= Number(to); value += Number(step)) found.add(value);
  }
  return found;
}

/** Returns the times after `from`, up to and including `to`. */
export function naiveTimes({ cron, timezone }: Schedule, from: Date, to: Date): readonly Date[] {
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = cron.split(" ");
  const sets = {
    minute: fieldSet(minutes, 0, 59),
    hour: fieldSet(hours, 0, 23),
    day: fieldSet(days, 1, 31),
    month: fieldSet(months, 1, 12),
    weekday: fieldSet(weekdays, 0, 6),
  };
  const matches = (clock: number): boolean => {
    const date = new Date(clock * minute);
    const day = sets.day.has(date.getUTCDate());
    const weekday = sets.weekday.has(date.getUTCDay());
    const isDay = days === "*" || weekdays === "*" ? day && weekday : day || weekday;
    const isTime = sets.minute.has(date.getUTCMinutes()) && sets.hour.has(date.getUTCHours());
    return isTime && isDay && sets.month.has(date.getUTCMonth() + 1);
  };
  const isFixed = [minutes, hours].every((field) => /^\d+$/.test(field));
  const clock = clockOf(timezone);
  const times: Date[] = [];
  const first = Math.floor(from.getTime() / minute) + 1;
  // A clock change more than a day ago has no effect.
  const seen = new Set<number>();
  for (let instant = first - 1440; instant <= to.getTime() / minute; instant++) {
    const shown = clock(instant * minute);
    const before = clock((instant - 1) * minute);
    // Times skipped by a clock change.
    const skipped = isFixed ? range(before + 1, shown).some(matches) : false;
    const isDue = skipped || (matches(shown) && !(isFixed && seen.has(shown)));
    seen.add(shown);
    if (isDue && instant >= first) times.push(new Date(instant * minute));
  }
  return times;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
