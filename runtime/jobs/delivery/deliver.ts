/** One call that was taken: the attempt, and what follows from it (`docs/event-triggers.md`). */
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
import { nextAttempt } from "./next-attempt.ts";
import type { CallResult, QueuedCall } from "./queue.ts";
import type { Webhook } from "./webhook.ts";

/** What calls of one name have in common. */
export interface Lane {
  readonly name: string;
  /** One call at a time may be taken of each key: after a result there may be another. */
  readonly isOrdered: boolean;
}

/** A call as the metadata says now. */
export interface Delivery {
  readonly webhook: Webhook;
  /** What the webhook is told. */
  readonly attempt: WebhookAttempt;
}

export interface DeliverSettings extends CallWebhookSettings {
  /** From 0 up to 1, for the jitter of retries. */
  random(): number;
  /** Absent: nothing is traced. */
  readonly tracer?: Tracer;
  /** What traces call a call of the lane. */
  spanName(lane: string): string;
  /** Told of every attempt, and how long it took. */
  report(lane: string, delivery: Delivery, outcome: AttemptOutcome, seconds: number): void;
}

/** Makes the call. Rejects only with bugs. */
export async function deliver(call: QueuedCall, delivery: Delivery, settings: DeliverSettings): Promise<CallResult> {
  const { webhook, attempt } = delivery;
  const start = performance.now();
  const span = settings.tracer?.begin(settings.spanName(call.lane), "consumer", attempt.trace) ?? noSpan;
  const outcome = await callWebhook(webhook, { ...attempt, span }, settings);
  if (span.isRecording) {
    span.set({ event_id: call.id, tries: call.tries });
    // The status of an answer says more.
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

/** @param random from 0 up to 1, for the jitter of retries */
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

/** The headers that carry a trace on, from what was stored with an event. */
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
