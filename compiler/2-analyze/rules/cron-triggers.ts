/**
 * Rules of cron triggers: their environment variables exist, and their saved operation is a single query or mutation.
 */
import type { CronTrigger, QueryCollection } from "../../catalog/outside-sources.ts";
import type { SavedQuery } from "../analysis.ts";
import { cronTriggerObject } from "../metadata-objects.ts";
import { queriesByName } from "../queries-by-name.ts";
import type { Findings } from "../rejection.ts";
import { checkHeaders, checkSecrets, checkUrl, type Environment } from "./environment.ts";
import { checkSingleOperation } from "./single-operation.ts";

export interface CronTriggerScope {
  readonly environment: Environment;
  readonly collections: readonly QueryCollection[];
  readonly savedOperations: ReadonlyMap<string, SavedQuery>;
}

/** Returns the consistent cron triggers by name, sorted. */
export function analyzeCronTriggers(
  triggers: readonly CronTrigger[],
  scope: CronTriggerScope,
  findings: Findings,
): ReadonlyMap<string, CronTrigger> {
  const { environment, savedOperations } = scope;
  const operations = { collections: queriesByName(scope.collections), savedOperations };
  const consistent: CronTrigger[] = [];
  for (const trigger of findings.withoutDuplicates(triggers, ({ name }) => name, cronTriggerObject)) {
    const found = findings.attempt(
      () => cronTriggerObject(trigger),
      `in cron trigger ${trigger.name}: `,
      () => {
        checkUrl(trigger.webhook ?? "", environment);
        checkHeaders(trigger.headers, environment);
        checkSecrets(trigger, environment);
        if (trigger.operation !== undefined) checkSingleOperation(trigger.operation, operations);
        return trigger;
      },
    );
    if (found !== undefined) consistent.push(found);
  }
  consistent.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(consistent.map((trigger) => [trigger.name, trigger]));
}
