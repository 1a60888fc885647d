/** Cron triggers as their generated modules declare them. */
import type { EventCleanup, WebhookDefinition } from "../events/event-trigger.ts";
import type { SavedOperation } from "../saved/operation.ts";

/** A saved operation that runs in place of a call, with the payload as its variables. */
export interface ScheduledOperation {
  readonly operation: SavedOperation;
  readonly role: string;
  /** By name, in lower case. */
  readonly sessionVariables: Readonly<Record<string, string>>;
}

/**
 * What becomes of times that came while nobody was there to run them: within the tolerance they run, older ones do not;
 * only the latest runs; all run; none runs.
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
  /** With an operation only its policy for retries counts. */
  readonly webhook: WebhookDefinition;
  readonly operation?: ScheduledOperation;
  readonly toleranceSeconds: number;
  readonly missed: MissedTimes;
  /** `skip`: a time is left out while the delivery for the one before has not ended. */
  readonly overlap: "allow" | "skip";
  readonly cleanup?: EventCleanup;
}

export function cronTrigger(definition: CronTriggerDefinition): CronTriggerDefinition {
  return definition;
}
