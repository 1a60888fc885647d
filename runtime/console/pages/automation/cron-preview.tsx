/** A cron schedule in words, with its next times in its time zone and in UTC. */
import { timesAfter } from "../../../values/cron.ts";
import { cronInWords } from "./cron-words.ts";

const shownTimes = 10;

interface CronPreviewProps {
  readonly schedule: string;
  /** Name in the IANA time zone database. */
  readonly timezone: string;
}

export function CronPreview({ schedule, timezone }: CronPreviewProps) {
  const words = cronInWords(schedule);
  const times = nextTimes(schedule, timezone);
  const isUtc = timezone === "UTC";
  return (
    <section class="card stack cron-preview" aria-label="Next times" aria-live="polite">
      {typeof times === "string" ? (
        <p class="field-error">{times}</p>
      ) : (
        <>
          <p>{`${words ?? "This expression has no description in words"}, ${isUtc ? "in UTC" : `in the time zone ${timezone}`}.`}</p>
          {times.length === 0 && <p class="field-error">The schedule has no next time.</p>}
          <ol class="cron-times">
            {times.map((time) => (
              <li key={time.getTime()}>
                <time dateTime={time.toISOString()}>{timeIn(time, timezone)}</time>
                {!isUtc && <span class="muted">{` = ${timeIn(time, "UTC")}`}</span>}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** Returns the next times, or the problem of the schedule. */
function nextTimes(cron: string, timezone: string): readonly Date[] | string {
  try {
    return timesAfter({ cron, timezone }, new Date(), shownTimes);
  } catch (error) {
    return `The schedule is invalid: ${error instanceof Error ? error.message : ""}`;
  }
}

function timeIn(time: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(time);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("weekday")} ${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")} ${timeZone}`;
}
