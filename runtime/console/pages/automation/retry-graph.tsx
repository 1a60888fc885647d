/** Attempts to deliver an event over time, with their statuses and the time of the next attempt. */
import type { Invocation } from "../../http/automation-api.ts";
import { isGood, shownTime, statusText } from "./invocations.tsx";

interface RetryGraphProps {
  /** Time from which the event was due, in ISO 8601; without an offset in UTC. */
  readonly start: string;
  readonly next: string | null;
  /** Newest first. */
  readonly invocations: readonly Invocation[];
}

const size = { width: 640, height: 64, margin: 40, line: 36 };

/** Returns milliseconds since 1970. Times of PostgreSQL have no offset and are in UTC. */
const millisecondsOf = (time: string): number =>
  Date.parse(/(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(time) ? time : `${time}Z`);

export function RetryGraph({ start, next, invocations }: RetryGraphProps) {
  const attempts = invocations.toReversed();
  if (attempts.length + (next === null ? 0 : 1) < 2) return null;
  const times = [start, ...attempts.map(({ created_at }) => created_at), ...(next === null ? [] : [next])].map(
    millisecondsOf,
  );
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (time: string): number =>
    size.margin + ((millisecondsOf(time) - first) / Math.max(1, last - first)) * (size.width - 2 * size.margin);
  const words = attempts.map((each) => `${statusText(each)} at ${shownTime(each.created_at)}`);
  const nextWords = next === null ? "" : `. Next attempt at ${shownTime(next)}`;
  return (
    <figure class="retry-graph">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`Attempts: ${words.join(", ")}${nextWords}`}
      >
        <line x1={size.margin} x2={size.width - size.margin} y1={size.line} y2={size.line} class="retry-line" />
        {attempts.map((each) => (
          <g key={each.id} class={isGood(each) ? "retry-good" : "retry-bad"}>
            <title>{`${statusText(each)}, ${shownTime(each.created_at)}`}</title>
            <circle cx={x(each.created_at)} cy={size.line} r={6} />
            {attempts.length <= maxLabels && (
              <text x={x(each.created_at)} y={size.line - 14} text-anchor="middle">
                {statusText(each)}
              </text>
            )}
          </g>
        ))}
        {next !== null && (
          <g class="retry-next">
            <title>{`Next attempt, ${shownTime(next)}`}</title>
            <circle cx={x(next)} cy={size.line} r={6} />
          </g>
        )}
      </svg>
      <figcaption class="spread muted">
        <span>{shownTime(start)}</span>
        <span>{shownTime(next ?? attempts.at(-1)?.created_at ?? null)}</span>
      </figcaption>
    </figure>
  );
}

/** Statuses of more attempts would overlap. They are in the tooltips. */
const maxLabels = 12;
