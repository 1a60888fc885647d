/** Cron expressions in words. */

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

interface Field {
  readonly min: number;
  readonly max: number;
  /** Names from the first value, for values in words and for their first three letters in the expression. */
  readonly names?: readonly string[];
}

const fields = {
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  day: { min: 1, max: 31 },
  month: { min: 1, max: 12, names: months },
  weekday: { min: 0, max: 7, names: weekdays },
} as const satisfies Readonly<Record<string, Field>>;

/** A part of a field: a single value, a range, or every `step`-th value of a range. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** The parts of a field; `null` for all values. */
type Parts = readonly Part[] | null;

/** Returns the parts, or `undefined` for a text in another form. */
function partsOf(text: string, { min, max, names }: Field): Parts | undefined {
  if (text === "*") return null;
  const numberOf = (value: string): number => {
    const named = names?.findIndex((name) => name.slice(0, 3).toLowerCase() === value.toLowerCase()) ?? -1;
    return named >= 0 ? named + min : /^\d+$/.test(value) ? Number(value) : Number.NaN;
  };
  const parts = text.split(",").map((item): Part => {
    const [range = "", step] = item.split("/");
    const [from = "", to] = range.split("-");
    const [first, last] = from === "*" ? [min, max] : [numberOf(from), to === undefined ? undefined : numberOf(to)];
    return { from: first, to: last ?? (step === undefined ? first : max), step: step === undefined ? 1 : Number(step) };
  });
  const isValid = ({ from, to, step }: Part): boolean => from >= min && to <= max && from <= to && step >= 1;
  return parts.every(isValid) ? parts : undefined;
}

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

const isSingle = ({ from, to }: Part): boolean => from === to;

/** Returns the step of a field whose range has all values. */
const stepOf = (parts: Parts, { min, max }: Field): number | undefined =>
  parts?.length === 1 && parts[0]?.from === min && parts[0].to === max ? parts[0].step : undefined;

function inWords(parts: readonly Part[], nameOf: (value: number) => string): string {
  return listed(
    parts.map(({ from, to, step }) => {
      const range = from === to ? nameOf(from) : `${nameOf(from)} to ${nameOf(to)}`;
      return step === 1 ? range : `every ${ordinal(step)} from ${range}`;
    }),
  );
}

function ordinal(value: number): string {
  const ending = value % 100 >= 11 && value % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${ending}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Maximum number of times of a day that are listed one by one. */
const maxTimes = 6;

function timesInWords(minute: Parts, hour: Parts): string {
  const minutes = minute?.every(isSingle) ? minute.map(({ from }) => from) : undefined;
  const hours = hour?.every(isSingle) ? hour.map(({ from }) => from) : undefined;
  if (minutes && hours && minutes.length * hours.length <= maxTimes) {
    return `At ${listed(hours.flatMap((each) => minutes.map((own) => `${two(each)}:${two(own)}`)))}`;
  }
  const every = stepOf(minute, fields.minute) ?? (minute === null ? 1 : undefined);
  const first =
    every === undefined
      ? `At minute ${inWords(minute ?? [], String)}`
      : every === 1
        ? "Every minute"
        : `Every ${every} minutes`;
  const eachHour = stepOf(hour, fields.hour);
  if (hour === null) return every === undefined ? `${first} of every hour` : first;
  if (eachHour !== undefined) return `${first} of every ${eachHour === 1 ? "hour" : `${ordinal(eachHour)} hour`}`;
  return `${first} of hour ${inWords(hour, two)}`;
}

function daysInWords(day: Parts, weekday: Parts): string {
  const weekdayName = (value: number): string => weekdays[value % 7] ?? "";
  const onWeekdays = weekday && `on ${inWords(weekday, weekdayName)}`;
  const onDays = day && `on day ${inWords(day, String)} of the month`;
  if (onDays && onWeekdays) return `${onDays} or ${onWeekdays}`;
  return onDays ?? onWeekdays ?? "every day";
}

/** Returns an expression of five fields in words; `null` for an invalid or unusual one. */
export function cronInWords(expression: string): string | null {
  const [minute, hour, day, month, weekday, ...rest] = expression.trim().split(/\s+/);
  if (weekday === undefined || rest.length > 0) return null;
  const parts = {
    minute: partsOf(minute ?? "", fields.minute),
    hour: partsOf(hour ?? "", fields.hour),
    day: partsOf(day ?? "", fields.day),
    month: partsOf(month ?? "", fields.month),
    weekday: partsOf(weekday, fields.weekday),
  };
  if (Object.values(parts).includes(undefined)) return null;
  const inMonths = parts.month ? ` in ${inWords(parts.month, (value) => months[value - 1] ?? "")}` : "";
  return `${timesInWords(parts.minute ?? null, parts.hour ?? null)}, ${daysInWords(parts.day ?? null, parts.weekday ?? null)}${inMonths}`;
}
