/** One-off events say for themselves how they are delivered (`docs/schedules.md`). */
import type { Delivery } from "../automation/deliver.ts";
import { openWebhook } from "../automation/webhook.ts";
import { type ConfiguredWebhook, scheduledRetry, webhookOf } from "../definitions/events/configured-webhook.ts";
import { stringifyJson } from "../values/json-number.ts";
import { parseAsWritten } from "../values/parse-json.ts";
import { withoutSession } from "./cron-lanes.ts";
import { payloadText } from "./payload.ts";
import type { ScheduledCall } from "./queue.ts";

export interface OneOffEvent extends Delivery {
  readonly toleranceSeconds: number;
}

/** A row of the table: its members were checked when it was made. */
interface StoredEvent {
  readonly webhook: string;
  readonly headers: ConfiguredWebhook["headers"] | null;
  readonly retry_conf: Readonly<Record<string, unknown>> | null;
  readonly comment: string | null;
  readonly request_transform: object | null;
  readonly response_transform: object | null;
  readonly signing_secret: ConfiguredWebhook["signing_secret"] | null;
  readonly payload: unknown;
}

export function oneOffEvent({ id, scheduledTime, createdAt, definition }: ScheduledCall): OneOffEvent {
  const {
    webhook: url,
    headers,
    retry_conf,
    comment,
    request_transform,
    response_transform,
    signing_secret,
    payload,
  } = parseAsWritten(definition ?? "{}") as StoredEvent;
  const { toleranceSeconds, ...retry } = scheduledRetry(retry_conf ?? {});
  const webhook = webhookOf(
    {
      headers: headers ?? [],
      ...(request_transform && { request_transform }),
      ...(response_transform && { response_transform }),
      ...(signing_secret && { signing_secret }),
    },
    { template: url },
    retry,
  );
  const text = payloadText({
    id,
    scheduledTime,
    createdAt,
    payload: stringifyJson(payload ?? null),
    ...(comment !== null && { comment }),
    ...(request_transform && { requestTransform: request_transform }),
    ...(response_transform && { responseTransform: response_transform }),
  });
  const timeoutMessage = "Scheduled event timed out while processing.";
  return { webhook: openWebhook(webhook), toleranceSeconds, attempt: { id, text, ...withoutSession, timeoutMessage } };
}
