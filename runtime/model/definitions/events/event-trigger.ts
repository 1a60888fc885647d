/** Event triggers as their generated modules declare them: the SQL that records events, and how they are delivered. */
import type { WebhookHeader } from "../input-validation.ts";

export type EventOperation = "INSERT" | "UPDATE" | "DELETE";

/** What records the events of one operation: a trigger on the table, with the function that it runs. */
export interface EventRecorder {
  readonly operation: EventOperation;
  /** Of the trigger, and of its function where the database has functions for triggers. */
  readonly name: string;
  /**
   * What makes or replaces it, statement by statement. The hash of the definition stands in the text, in a comment
   * `definition <hash>`, so that the database tells which definition is installed.
   */
  readonly statements: readonly string[];
  /** Of all statements, without the comment: 16 hexadecimal digits. */
  readonly hash: string;
}

/** When a failed delivery is tried again (`docs/event-triggers.md`). */
export interface RetryPolicy {
  /** Attempts after the first one. */
  readonly retries: number;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /** Absent: every interval is the same. The n-th is `intervalSeconds * factor^(n-1)`, at most `maxIntervalSeconds`. */
  readonly backoff?: {
    readonly factor: number;
    readonly maxIntervalSeconds: number;
    /** Share of the interval that is left to chance, 0 to 1. */
    readonly jitter: number;
  };
  /** Statuses that are worth another attempt; absent: all but those of success. No answer at all always is. */
  readonly retryOn?: readonly number[];
}

/** The value stands here, where it may name environment variables, or in the environment. */
export type ConfiguredUrl = { readonly template: string } | { readonly fromEnv: string };

/** A call that a trigger makes; the same for event triggers, schedules and actions. */
export interface WebhookDefinition {
  readonly url: ConfiguredUrl;
  readonly headers: readonly WebhookHeader[];
  readonly retry: RetryPolicy;
  /** As the metadata has them. */
  readonly requestTransform?: object;
  readonly responseTransform?: object;
  /** Environment variables with the secrets of Standard Webhooks; the first signs, all may have signed. */
  readonly signingSecrets?: readonly string[];
}

/** Deletes old events (`docs/event-triggers.md`). */
export interface EventCleanup {
  /** Five fields, UTC. */
  readonly schedule: string;
  readonly clearOlderThanHours: number;
  readonly batchSize: number;
  readonly timeoutSeconds: number;
  readonly cleanInvocationLogs: boolean;
  readonly paused: boolean;
}

export interface EventTriggerDefinition {
  readonly source: string;
  readonly name: string;
  readonly table: { readonly schema: string; readonly name: string };
  readonly manual: boolean;
  readonly webhook: WebhookDefinition;
  /** Events of one key are delivered one after the other; absent: in any order. */
  readonly ordering?: { readonly onError: "continue" | "hold" };
  readonly cleanup?: EventCleanup;
  /** In the order INSERT, UPDATE, DELETE. */
  readonly recorders: readonly EventRecorder[];
}

export function eventTrigger(definition: EventTriggerDefinition): EventTriggerDefinition {
  return definition;
}
