/** When a failed delivery is tried again (`docs/event-triggers.md`, `docs/schedules.md`). */
import type { RetryPolicy } from "../../model/definitions/events/event-trigger.ts";

export interface FailedAttempt {
  /** Attempts made before this one. */
  readonly tries: number;
  /** `undefined`: there was no answer. */
  readonly status: number | undefined;
  /** Header of the answer, as it came. */
  readonly retryAfter: string | undefined;
}

/**
 * Seconds until the next attempt; `undefined`: there is none. A usable `Retry-After` permits attempts beyond the number
 * of retries.
 * @param random from 0 up to 1, for the jitter
 */
export function nextAttempt(
  { tries, status, retryAfter }: FailedAttempt,
  { retries, intervalSeconds, backoff, retryOn }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (status !== undefined && retryOn !== undefined && !retryOn.includes(status)) return undefined;
  const asked = retryAfterSeconds(retryAfter);
  if (asked !== undefined) return asked;
  if (tries >= retries) return undefined;
  if (backoff === undefined) return Math.min(intervalSeconds, longestInterval);
  const { factor, maxIntervalSeconds, jitter } = backoff;
  const interval = Math.min(maxIntervalSeconds, intervalSeconds * factor ** tries, longestInterval);
  return interval * (1 - jitter * random());
}

/** In seconds, about 32 years: databases cannot add much more to a time. */
const longestInterval = 999_999_999;

/** A positive whole number; dates are not used. */
function retryAfterSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*[0-9]{1,9}\s*$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds > 0 ? seconds : undefined;
}
