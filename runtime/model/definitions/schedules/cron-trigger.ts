/** Cron triggers in generated modules. */
import type { EventCleanup, WebhookDefinition } from "../events/event-trigger.ts";
import type { SavedOperation } from "../saved/operation.ts";

/** A saved operation that runs instead of a call, with the payload as its variables. */
export interface ScheduledOperation {
  readonly operation: SavedOperation;
  readonly role: string;
  /** By name, in lower case. */
  readonly sessionVariables: Readonly<Record<string, string>>;
}

/**
 * Handling of occurrences that were missed while no instance was running: `tolerance` runs those within the tolerance,
 * `run_latest` only the latest, `run_all` all, and `skip` none.
 */
type MissedTimes = "tolerance" | "run_latest" | "run_all" | "skip";

export interface CronTriggerDefinition {
  readonly name: string;
  /** Five fields: minute, hour, day of the month, month, weekday. */
  readonly schedule: string;
  /** Name in the IANA time zone database. */
  readonly timezone: string;
  /** JSON text. */
  readonly payload: string;
  readonly comment?: string;
  /** With `operation`, only the retry policy of the webhook is used. */
  readonly webhook: WebhookDefinition;
  readonly operation?: ScheduledOperation;
  readonly toleranceSeconds: number;
  readonly missed: MissedTimes;
  /** `skip`: leaves out an occurrence while the previous delivery has not ended. */
  readonly overlap: "allow" | "skip";
  readonly cleanup?: EventCleanup;
}

export function cronTrigger(definition: CronTriggerDefinition): CronTriggerDefinition {
  return definition;
}
