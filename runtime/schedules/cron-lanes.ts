/** Cron triggers as the metadata defines them → how their events are delivered (`automation.md` B.4, B.5). */
import type { WebhookAttempt } from "../automation/call-webhook.ts";
import type { Lane } from "../automation/deliver.ts";
import { openWebhook, type Webhook } from "../automation/webhook.ts";
import type { CronTriggerDefinition } from "../definitions/schedules/cron-trigger.ts";
import { payloadText } from "./payload.ts";
import type { ScheduledCall } from "./queue.ts";

export interface CronLane extends Lane {
  readonly trigger: CronTriggerDefinition;
  readonly webhook: Webhook;
}

export function cronLane(trigger: CronTriggerDefinition): CronLane {
  return { name: trigger.name, isOrdered: false, trigger, webhook: openWebhook(trigger.webhook) };
}

export function cronAttempt(
  { id, scheduledTime }: ScheduledCall,
  { name, payload, comment, webhook }: CronTriggerDefinition,
): WebhookAttempt {
  const { requestTransform, responseTransform } = webhook;
  const text = payloadText({
    id,
    scheduledTime,
    payload,
    name,
    ...(comment !== undefined && { comment }),
    ...(requestTransform && { requestTransform }),
    ...(responseTransform && { responseTransform }),
  });
  return { id, text, ...withoutSession, timeoutMessage: `Cron Trigger "${name}" timed out while processing.` };
}

/** Nobody asked for it. */
export const withoutSession = { sessionVariables: () => null, trace: {} };
