/** Cron triggers: what they take from the environment is there (`metadata-api.md` 2.10, 6.3). */
import type { CronTrigger } from "../../catalog/outside-sources.ts";
import { cronTriggerObject } from "../metadata-objects.ts";
import type { Findings } from "../rejection.ts";
import { checkHeaders, checkUrl, type Environment } from "./environment.ts";

/** The consistent cron triggers by name, in order. */
export function analyzeCronTriggers(
  triggers: readonly CronTrigger[],
  environment: Environment,
  findings: Findings,
): ReadonlyMap<string, CronTrigger> {
  const consistent: CronTrigger[] = [];
  for (const trigger of findings.withoutDuplicates(triggers, ({ name }) => name, cronTriggerObject)) {
    const found = findings.attempt(
      () => cronTriggerObject(trigger),
      `in cron trigger ${trigger.name}: `,
      () => {
        checkUrl(trigger.webhook, environment);
        checkHeaders(trigger.headers, environment);
        return trigger;
      },
    );
    if (found !== undefined) consistent.push(found);
  }
  consistent.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(consistent.map((trigger) => [trigger.name, trigger]));
}
