/** Event triggers as the metadata defines them → how their events are delivered (`docs/event-triggers.md`). */

import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { SessionVariables } from "../../model/templates/scope.ts";
import { isObject } from "../../values/is-object.ts";
import { type Delivery, type Lane, traceOf } from "../delivery/deliver.ts";
import { openWebhook, type Webhook } from "../delivery/webhook.ts";
import type { QueuedEvent } from "./queue.ts";

export interface EventLane extends Lane {
  readonly trigger: EventTriggerDefinition;
  readonly webhook: Webhook;
}

export function laneOf(trigger: EventTriggerDefinition): EventLane {
  const { name, webhook, ordering } = trigger;
  return { name, isOrdered: ordering !== undefined, trigger, webhook: openWebhook(webhook) };
}

export function deliveryOf(event: QueuedEvent, { trigger, webhook }: EventLane): Delivery {
  const { id, traceContext } = event;
  const attempt = {
    id,
    text: payloadText(event, trigger.webhook.retry.retries),
    sessionVariables,
    trace: traceOf(traceContext === null ? null : JSON.parse(traceContext)),
    timeoutMessage: `Event Trigger "${trigger.name}" timed out while processing.`,
  };
  return { webhook, attempt };
}

/** What the database wrote is not written anew: long numbers keep their digits. */
function payloadText({ id, lane, table, createdAt, payload, tries }: QueuedEvent, retries: number): string {
  const about = { id, created_at: createdAt, trigger: { name: lane }, table };
  const delivery = { current_retry: tries, max_retries: retries };
  return `${JSON.stringify(about).slice(0, -1)},"event":${payload},"delivery_info":${JSON.stringify(delivery)}}`;
}

function sessionVariables(payload: JsonValue): SessionVariables {
  const event = isObject<JsonValue>(payload) ? payload.event : undefined;
  const variables = isObject<JsonValue>(event) ? event.session_variables : undefined;
  if (!isObject(variables)) return null;
  const texts = Object.entries(variables).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts);
}
