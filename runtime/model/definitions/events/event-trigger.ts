/** Event triggers in generated modules: the SQL that records events, and their delivery. */
import type { WebhookHeader } from "../input-validation.ts";

export type EventOperation = "INSERT" | "UPDATE" | "DELETE";

/** Recorder of one operation: a trigger on the table, with its function. */
export interface EventRecorder {
  readonly operation: EventOperation;
  /** Name of the trigger, and of its function, if the database uses functions for triggers. */
  readonly name: string;
  /**
   * Statements that create or replace the recorder. The text contains the hash of the definition in a comment
   * `definition <hash>`, so that the database shows which definition is installed.
   */
  readonly statements: readonly string[];
  /** Hash of all statements without the comment: 16 hexadecimal digits. */
  readonly hash: string;
}

/** Retries of failed deliveries (`docs/how-to/event-triggers.md`). */
export interface RetryPolicy {
  /** Attempts after the first one. */
  readonly retries: number;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /**
   * The n-th interval is `intervalSeconds * factor^(n-1)`, at most `maxIntervalSeconds`. Absent: all intervals are
   * equal.
   */
  readonly backoff?: {
    readonly factor: number;
    readonly maxIntervalSeconds: number;
    /** Random share of the interval, 0 to 1. */
    readonly jitter: number;
  };
  /** Statuses that are retried; absent: all error statuses. A missing response is always retried. */
  readonly retryOn?: readonly number[];
}

/** A URL as a template that may contain environment variables, or the environment variable that contains it. */
export type ConfiguredUrl = { readonly template: string } | { readonly fromEnv: string };

/** A call of a webhook by an event trigger or a schedule. */
export interface WebhookDefinition {
  readonly url: ConfiguredUrl;
  readonly headers: readonly WebhookHeader[];
  readonly retry: RetryPolicy;
  /** In the form of the metadata. */
  readonly requestTransform?: object;
  readonly responseTransform?: object;
  /** Environment variables with secrets of Standard Webhooks. Each call has one signature per secret, in this order. */
  readonly signingSecrets?: readonly string[];
}

/** Deletes old events (`docs/how-to/event-triggers.md`). */
export interface EventCleanup {
  /** Five cron fields, in UTC. */
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
  /** Delivers events of one key one after another; absent: in any order. */
  readonly ordering?: { readonly onError: "continue" | "hold" };
  readonly cleanup?: EventCleanup;
  /** In the order INSERT, UPDATE, DELETE. */
  readonly recorders: readonly EventRecorder[];
}

export function eventTrigger(definition: EventTriggerDefinition): EventTriggerDefinition {
  return definition;
}
