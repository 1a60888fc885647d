/** One call that was taken: the attempt, and what follows from it (`automation.md` A.6, rules 6 to 8). */
import type { RequestHeaders } from "../ports/request.ts";
import { type CallOutcome, type CallWebhookSettings, callWebhook, type WebhookAttempt } from "./call-webhook.ts";
import { nextAttempt } from "./next-attempt.ts";
import type { CallResult, QueuedCall } from "./queue.ts";
import type { Webhook } from "./webhook.ts";

/** How calls of one name are delivered, as the metadata says now. */
export interface Lane<Call extends QueuedCall> {
  readonly name: string;
  readonly webhook: Webhook;
  /** What the webhook is told. */
  attempt(call: Call): WebhookAttempt;
  /** One call at a time may be taken of each key: after a result there may be another. */
  readonly isOrdered: boolean;
}

export interface DeliverSettings<Call extends QueuedCall> extends CallWebhookSettings {
  /** From 0 up to 1, for the jitter of retries. */
  random(): number;
  /** Told of every attempt. */
  report(lane: Lane<Call>, attempt: WebhookAttempt, outcome: CallOutcome): void;
}

/** Rejects only with bugs. */
export async function deliver<Call extends QueuedCall>(
  call: Call,
  lane: Lane<Call>,
  settings: DeliverSettings<Call>,
): Promise<CallResult> {
  const attempt = lane.attempt(call);
  const outcome = await callWebhook(lane.webhook, attempt, settings);
  settings.report(lane, attempt, outcome);
  const { id, lane: name, instance, tries } = call;
  const result = { id, lane: name, instance };
  switch (outcome.kind) {
    case "delivered":
      return { ...result, state: "delivered", log: outcome.log };
    case "refused":
      return { ...result, state: "error" };
    case "failed": {
      const { status, retryAfter, log } = outcome;
      const waitSeconds = nextAttempt({ tries, status, retryAfter }, lane.webhook.definition.retry, settings.random);
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
