/** One-off events say for themselves how they are delivered (`automation.md` B.2, B.5). */
import { z } from "zod";
import type { Delivery } from "../automation/deliver.ts";
import { openWebhook } from "../automation/webhook.ts";
import { scheduledRetry, webhookOf } from "../definitions/events/configured-webhook.ts";
import { stringifyJson } from "../values/json-number.ts";
import { parseJson } from "../values/parse-json.ts";
import { withoutSession } from "./cron-lanes.ts";
import { payloadText } from "./payload.ts";
import type { ScheduledCall } from "./queue.ts";

export interface OneOffEvent extends Delivery {
  readonly toleranceSeconds: number;
}

const secret = z.object({ value_from_env: z.string() });
const transform = z.record(z.string(), z.unknown());

/** A row as this or an earlier version of the product wrote it. */
const stored = z.object({
  webhook: z.string(),
  headers: z
    .array(
      z.union([
        z.object({ name: z.string(), value: z.string() }),
        z.object({ name: z.string(), value_from_env: z.string() }),
      ]),
    )
    .nullable(),
  retry_conf: z.record(z.string(), z.unknown()).nullable(),
  comment: z.string().nullable(),
  request_transform: transform.nullable(),
  response_transform: transform.nullable(),
  signing_secret: z.union([secret, z.array(secret)]).nullable(),
  payload: z.unknown(),
});

/** @throws Error when the row does not say how */
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
  } = stored.parse(parseJson(definition ?? "null"));
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
