/**
 * Rules of cron triggers: their environment variables exist, and their saved operation is a single query or mutation.
 */
import type { CronTrigger, QueryCollection, ScheduledOperation } from "../../catalog/outside-sources.ts";
import type { SavedQuery } from "../analysis.ts";
import { cronTriggerObject } from "../metadata-objects.ts";
import { queriesByName, queryOf } from "../queries-by-name.ts";
import { type Findings, reject } from "../rejection.ts";
import { savedQueryKey } from "../saved-operations.ts";
import { checkHeaders, checkSecrets, checkUrl, type Environment } from "./environment.ts";

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
  const { environment } = scope;
  const consistent: CronTrigger[] = [];
  for (const trigger of findings.withoutDuplicates(triggers, ({ name }) => name, cronTriggerObject)) {
    const found = findings.attempt(
      () => cronTriggerObject(trigger),
      `in cron trigger ${trigger.name}: `,
      () => {
        checkUrl(trigger.webhook ?? "", environment);
        checkHeaders(trigger.headers, environment);
        checkSecrets(trigger, environment);
        if (trigger.operation !== undefined) checkOperation(trigger.operation, scope);
        return trigger;
      },
    );
    if (found !== undefined) consistent.push(found);
  }
  consistent.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(consistent.map((trigger) => [trigger.name, trigger]));
}

/** @throws Rejection */
function checkOperation({ collection, query }: ScheduledOperation, scope: CronTriggerScope): void {
  queryOf(queriesByName(scope.collections), collection, query);
  const saved = scope.savedOperations.get(savedQueryKey({ collection, name: query }));
  if (saved === undefined) reject(`query with name ${query} is not a single operation`);
  if (/^\s*subscription\b/.test(saved.printed)) reject(`query with name ${query} is a subscription`);
}
