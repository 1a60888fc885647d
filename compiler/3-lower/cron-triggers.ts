/** Lowers cron triggers to the IR of `schedules/<trigger>.ts`. */
import { cleanupOf, scheduledRetry, webhookOf } from "../../runtime/model/definitions/events/configured-webhook.ts";
import { stringifyJson } from "../../runtime/values/json-number.ts";
import type { CronTrigger } from "../catalog/outside-sources.ts";
import type { CronTriggerIr } from "./ir.ts";

export function lowerCronTrigger(trigger: CronTrigger): CronTriggerIr {
  const { name, schedule, timezone = "UTC", payload = null, comment, operation, cleanup_config } = trigger;
  const { toleranceSeconds, ...retry } = scheduledRetry(trigger.retry_conf ?? {});
  return {
    name,
    schedule,
    timezone,
    payload: stringifyJson(payload),
    ...(comment ? { comment } : {}),
    webhook: webhookOf(trigger, { template: trigger.webhook ?? "" }, retry),
    ...(operation && {
      operation: {
        operation: { collection: operation.collection, name: operation.query },
        role: operation.role,
        sessionVariables: lowerCaseKeys(operation.session_variables ?? {}),
      },
    }),
    toleranceSeconds,
    missed: trigger.missed ?? "tolerance",
    overlap: trigger.overlap ?? "allow",
    ...(cleanup_config && { cleanup: cleanupOf(cleanup_config) }),
  };
}

function lowerCaseKeys(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]));
}
