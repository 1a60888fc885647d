/** Parses the rows of one-off events, each with its webhook, payload and retry policy (`docs/how-to/schedules.md`). */

import {
  type ConfiguredHeader,
  type ConfiguredWebhook,
  scheduledRetry,
  webhookOf,
} from "../../model/definitions/events/configured-webhook.ts";
import type { WebhookDefinition } from "../../model/definitions/events/event-trigger.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseWithNumberTexts } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { messageOf } from "../../values/message-of.ts";
import type { Delivery } from "../delivery/deliver.ts";
import { openWebhook, type Webhook } from "../delivery/webhook.ts";
import { withoutSession } from "./cron-lanes.ts";
import { payloadText } from "./payload.ts";
import type { ScheduledCall } from "./queue.ts";

export interface OneOffEvent extends Delivery {
  readonly toleranceSeconds: number;
}

/** A row written by `create_scheduled_event`. */
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

/**
 * Parses a stored one-off event.
 * @throws EngineError `unexpected` for an invalid row
 */
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
  } = storedEvent(definition ?? "{}");
  const retryConf = scheduledRetry(retry_conf ?? {});
  check(isUsableRetry(retryConf), "retry_conf");
  const { toleranceSeconds, ...retry } = retryConf;
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
  return { webhook: opened(webhook), toleranceSeconds, attempt: { id, text, ...withoutSession, timeoutMessage } };
}

function storedEvent(text: string): StoredEvent {
  const { webhook, headers, retry_conf, comment, request_transform, response_transform, signing_secret, payload } =
    parseWithNumberTexts(text) as Readonly<Record<keyof StoredEvent, unknown>>;
  check(isText(webhook), "webhook_conf");
  check(headers === null || isListOf(headers, isHeader), "header_conf");
  check(retry_conf === null || isObject(retry_conf), "retry_conf");
  check(comment === null || isText(comment), "comment");
  check(request_transform === null || isObject(request_transform), "request_transform");
  check(response_transform === null || isObject(response_transform), "response_transform");
  const secrets = signing_secret === null ? null : [signing_secret].flat();
  check(secrets === null || isListOf(secrets, isReference), "signing_secret");
  return {
    webhook,
    headers,
    retry_conf,
    comment,
    request_transform,
    response_transform,
    signing_secret: secrets,
    payload,
  };
}

/**
 * Compiles the webhook.
 * @throws EngineError for a transform that the metadata would reject; the message names the part
 */
function opened(definition: WebhookDefinition): Webhook {
  try {
    return openWebhook(definition);
  } catch (error) {
    throw new EngineError("unexpected", "$", `a transform of the event cannot be read: ${messageOf(error)}`);
  }
}

function check(isUsable: boolean, column: string): asserts isUsable {
  if (!isUsable) throw new EngineError("unexpected", "$", `the column ${column} of the event cannot be read`);
}

const isText = (value: unknown): value is string => typeof value === "string";

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

const isReference = (value: unknown): value is { readonly value_from_env: string } =>
  isObject(value) && isText(value.value_from_env);

const isHeader = (value: unknown): value is ConfiguredHeader =>
  isObject(value) && isText(value.name) && ("value" in value ? isText(value.value) : isReference(value));

function isUsableRetry({ backoff, ...retry }: ReturnType<typeof scheduledRetry>): boolean {
  const numbers = [retry.toleranceSeconds, retry.retries, retry.intervalSeconds, retry.timeoutSeconds];
  const { factor = 1, maxIntervalSeconds = 1, jitter = 0 } = backoff ?? {};
  return [...numbers, factor, maxIntervalSeconds, jitter].every((number) => number >= 0) && jitter <= 1;
}
