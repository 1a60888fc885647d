/** Delivers one call and derives the result to store (`docs/how-to/event-triggers.md`). */
import type { RetryPolicy } from "../../model/definitions/events/event-trigger.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import type { Tracer } from "../../ports/telemetry.ts";
import { noSpan } from "../../values/span.ts";
import {
  type AttemptOutcome,
  type CallOutcome,
  type CallWebhookSettings,
  callWebhook,
  type WebhookAttempt,
} from "./call-webhook.ts";
import type { CallResult, QueuedCall } from "./queue.ts";
import type { Webhook } from "./webhook.ts";

/** The calls of one trigger or action within a queue. */
export interface Lane {
  readonly name: string;
  /** At most one call per key is in flight; its result may release the next one. */
  readonly isOrdered: boolean;
}

/** A call combined with the current webhook definition. */
export interface Delivery {
  readonly webhook: Webhook;
  readonly attempt: WebhookAttempt;
}

export interface DeliverSettings extends CallWebhookSettings {
  /** Returns a number in [0, 1) for the jitter of retries. */
  random(): number;
  /** Absent if tracing is disabled. */
  readonly tracer?: Tracer;
  /** Returns the span name of a call of the lane. */
  spanName(lane: string): string;
  /** Reports every attempt and its duration. */
  report(lane: string, delivery: Delivery, outcome: AttemptOutcome, seconds: number): void;
}

/** Makes the call and returns the result to store. Rejects only on bugs. */
export async function deliver(call: QueuedCall, delivery: Delivery, settings: DeliverSettings): Promise<CallResult> {
  const { webhook, attempt } = delivery;
  const start = performance.now();
  const span = settings.tracer?.begin(settings.spanName(call.lane), "consumer", attempt.trace) ?? noSpan;
  const outcome = await callWebhook(webhook, { ...attempt, span }, settings);
  if (span.isRecording) {
    span.set({ event_id: call.id, tries: call.tries });
    // For a response, the status already describes the failure.
    if (
      outcome.kind === "refused" ||
      outcome.kind === "unmade" ||
      (outcome.kind === "failed" && outcome.status === undefined)
    )
      span.fail(undefined);
  }
  span.end();
  if (outcome.kind !== "unmade") settings.report(call.lane, delivery, outcome, (performance.now() - start) / 1000);
  return resultOf(call, outcome, webhook.definition.retry, settings.random);
}

/**
 * Derives the result to store from the outcome of a call.
 * @param random returns a number in [0, 1) for the jitter of retries
 */
export function resultOf(
  { id, lane, instance, tries }: QueuedCall,
  outcome: CallOutcome,
  retry: RetryPolicy,
  random: () => number,
): CallResult {
  const result = { id, lane, instance };
  switch (outcome.kind) {
    case "delivered":
      return { ...result, state: "delivered", log: outcome.log };
    case "unmade":
      return { ...result, state: "free" };
    case "refused":
      return { ...result, state: "error" };
    case "failed": {
      const { status, retryAfter, log } = outcome;
      const waitSeconds = nextAttempt({ tries, status, retryAfter }, retry, random);
      if (waitSeconds === undefined) return { ...result, state: "error", log };
      return { ...result, state: "retry", waitSeconds, log };
    }
  }
}

/** Returns the B3 headers of a trace context that was stored with an event. */
export function traceOf(context: unknown): RequestHeaders {
  if (typeof context !== "object" || context === null) return {};
  const text = (name: string): string | undefined => {
    const value: unknown = Object.entries(context).find(([key]) => key === name)?.[1];
    return typeof value === "string" ? value : undefined;
  };
  return {
    "x-b3-traceid": text("trace_id"),
    "x-b3-spanid": text("span_id"),
    "x-b3-sampled": text("sampling_state"),
  };
}

// Computes the delay of retries (`docs/how-to/event-triggers.md`, `docs/how-to/schedules.md`).

interface FailedAttempt {
  /** Number of attempts before this one. */
  readonly tries: number;
  /** `undefined` if there was no response. */
  readonly status: number | undefined;
  /** The `Retry-After` header of the response, unparsed. */
  readonly retryAfter: string | undefined;
}

/**
 * Returns the seconds until the next attempt, or `undefined` if there is none. A valid `Retry-After` permits attempts
 * beyond the configured number of retries.
 * @param random returns a number in [0, 1) for the jitter
 */
export function nextAttempt(
  { tries, status, retryAfter }: FailedAttempt,
  { retries, intervalSeconds, backoff, retryOn }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (status !== undefined && retryOn !== undefined && !retryOn.includes(status)) return undefined;
  const requestedSeconds = retryAfterSeconds(retryAfter);
  if (requestedSeconds !== undefined) return requestedSeconds;
  if (tries >= retries) return undefined;
  if (backoff === undefined) return Math.min(intervalSeconds, maxDelaySeconds);
  const { factor, maxIntervalSeconds, jitter } = backoff;
  const interval = Math.min(maxIntervalSeconds, intervalSeconds * factor ** tries, maxDelaySeconds);
  return interval * (1 - jitter * random());
}

/** Maximum delay in seconds, about 32 years: databases cannot add much more to a timestamp. */
const maxDelaySeconds = 999_999_999;

/** Parses a positive number of seconds. HTTP dates are ignored. */
function retryAfterSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*[0-9]{1,9}\s*$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds > 0 ? seconds : undefined;
}
