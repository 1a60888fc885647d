/** Converts cron triggers of the metadata to delivery lanes (`docs/how-to/schedules.md`). */

import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { Delivery, Lane } from "../delivery/deliver.ts";
import { openWebhook, type Webhook } from "../delivery/webhook.ts";
import { payloadText } from "./payload.ts";
import type { ScheduledCall } from "./queue.ts";

export interface CronLane extends Lane {
  readonly trigger: CronTriggerDefinition;
  readonly webhook: Webhook;
}

export function cronLane(trigger: CronTriggerDefinition): CronLane {
  return { name: trigger.name, isOrdered: false, trigger, webhook: openWebhook(trigger.webhook) };
}

export function cronDelivery(event: ScheduledCall, { trigger, webhook }: CronLane): Delivery {
  const { name } = trigger;
  const timeoutMessage = `Cron Trigger "${name}" timed out while processing.`;
  return { webhook, attempt: { id: event.id, text: cronPayload(event, trigger), ...withoutSession, timeoutMessage } };
}

/** Returns the payload as JSON text. */
export function cronPayload({ id, scheduledTime }: ScheduledCall, trigger: CronTriggerDefinition): string {
  const { name, payload, comment, webhook } = trigger;
  const { requestTransform, responseTransform } = webhook;
  return payloadText({
    id,
    scheduledTime,
    payload,
    name,
    ...(comment !== undefined && { comment }),
    ...(requestTransform && { requestTransform }),
    ...(responseTransform && { responseTransform }),
  });
}

/** Scheduled events have no session and no trace. */
export const withoutSession = { sessionVariables: () => null, trace: {} };
