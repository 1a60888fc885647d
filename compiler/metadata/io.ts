/**
 * Requests that the pure part can only decode: what they do needs a database, the network or another part of the
 * runtime, and stands in `runtime/control`. One member of `IoCall` per operation, so that its handlers are checked for completeness.
 */

import type { Header, Json, JsonObject, QualifiedName, SecretFromEnv, SourceKind } from "../catalog/model.ts";
import type { Transforms } from "./transforms.ts";

/** Arguments of `run_sql` (`metadata-api.md` 4.1). */
export interface RunSql {
  readonly sql: string;
  readonly source: string;
  readonly cascade: boolean;
  /** Absent: decided by the words in the text. */
  readonly check_metadata_consistency?: boolean;
  readonly read_only: boolean;
  readonly no_transaction: boolean;
}

/** Arguments of `test_webhook_transform` (`metadata-api.md` 2.18). */
export interface TestWebhookTransform {
  /** May hold `{{NAME}}`. */
  readonly webhook_url: string | { readonly from_env: string };
  readonly body: Json;
  readonly request_transform: JsonObject;
  readonly response_transform?: JsonObject;
  /** The only variables that are used. */
  readonly env?: Readonly<Record<string, string>>;
  readonly request_headers?: readonly (readonly [name: string, value: string])[];
  readonly session_variables?: Readonly<Record<string, string>>;
}

/** Arguments of `get_table_info` (`metadata-api.md` 2.1). */
export interface GetTableInfo {
  readonly source: string;
  readonly table: QualifiedName;
}

/** Arguments of `set_catalog_state`: what a tool wants to find again (`metadata-api.md` 2.16). */
interface SetCatalogState {
  readonly type: "cli" | "console";
  readonly state: Json;
}

/** Arguments of `lock_catalog_state`: nobody else works with the state of that tool for some seconds. */
interface LockCatalogState {
  readonly type: SetCatalogState["type"];
  /** A UUID of whoever asks: renews and releases by it. */
  readonly holder: string;
  /** For people who wait. */
  readonly label: string;
  /** How long the lock stands without being renewed; 0 releases it. */
  readonly seconds: number;
}

/** Events that are made one by one, or those of cron triggers (`automation.md` B). */
export type EventKind = "one_off" | "cron";

export const eventStatuses = ["scheduled", "locked", "delivered", "error", "dead"] as const;

/** What `get_scheduled_events` tells of each event, in order. */
export const eventColumns = {
  one_off: [
    "id",
    "webhook_conf",
    "scheduled_time",
    "retry_conf",
    "payload",
    "header_conf",
    "status",
    "tries",
    "created_at",
    "next_retry_at",
    "comment",
    "request_transform",
    "response_transform",
  ],
  cron: ["id", "trigger_name", "scheduled_time", "status", "tries", "created_at", "next_retry_at"],
} as const;

/** Arguments of `create_scheduled_event`. */
export interface CreateScheduledEvent {
  /** May hold `{{NAME}}`, which is looked up when the event is delivered. */
  readonly webhook: string;
  /** ISO 8601, in UTC. */
  readonly schedule_at: string;
  readonly payload: Json;
  readonly headers: readonly Header[];
  readonly retry_conf: object;
  readonly signing_secret?: SecretFromEnv | readonly SecretFromEnv[];
  readonly comment?: string;
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
}

interface Page {
  readonly limit?: number;
  readonly offset?: number;
  readonly get_rows_count: boolean;
}

/** Arguments of `get_scheduled_events`. */
export interface GetScheduledEvents extends Page {
  readonly type: EventKind;
  /** Of cron events. */
  readonly trigger_name?: string;
  /** None: all. */
  readonly status: readonly (typeof eventStatuses)[number][];
  readonly order_by: readonly {
    readonly column: (typeof eventColumns)[EventKind][number];
    readonly type?: "asc" | "desc";
    readonly nulls?: "first" | "last";
  }[];
}

/** Arguments of `get_scheduled_event_invocations`. */
interface GetScheduledEventInvocations extends Page {
  readonly type: EventKind;
  readonly trigger_name?: string;
  readonly event_id?: string;
}

export interface CreateScheduledEventCall {
  readonly effect: "io";
  readonly operation: "create_scheduled_event";
  readonly input: CreateScheduledEvent;
  /** Templates that have to be readable. */
  readonly transforms: Transforms;
  readonly path: string;
}

export interface DeleteScheduledEventCall {
  readonly effect: "io";
  readonly operation: "delete_scheduled_event";
  readonly input: { readonly type: EventKind; readonly event_id: string };
  readonly path: string;
}

export interface GetScheduledEventsCall {
  readonly effect: "io";
  readonly operation: "get_scheduled_events";
  readonly input: GetScheduledEvents;
  readonly path: string;
}

export interface GetScheduledEventInvocationsCall {
  readonly effect: "io";
  readonly operation: "get_scheduled_event_invocations";
  readonly input: GetScheduledEventInvocations;
  readonly path: string;
}

/** What an event of an event trigger can have come to (`automation.md` A.5). */
export const finishedStates = ["error", "delivered"] as const;
export const eventLogStatuses = ["processed", "pending"] as const;

interface OfSource {
  readonly source: string;
}

interface EventTriggerCallOf<O extends string, I extends OfSource> {
  readonly effect: "io";
  readonly operation: O;
  /** The kind of source that the operation's name stands for; absent: any. */
  readonly kind?: SourceKind;
  readonly input: I;
  readonly path: string;
}

/** Arguments of the operations on the events of event triggers (`metadata-api.md` 2.9). */
interface InvokeEventTrigger extends OfSource {
  readonly name: string;
  readonly payload: Json;
}

interface RedeliverEvent extends OfSource {
  readonly event_id: string;
}

export interface RedeliverEvents extends OfSource {
  /** Absent: the events of all triggers of the source. */
  readonly name?: string;
  readonly status: readonly (typeof finishedStates)[number][];
  /** When events were made: ISO 8601, in UTC; from the first on, and before the other. */
  readonly from?: string;
  readonly to?: string;
}

interface GetEventLogs extends OfSource {
  readonly name: string;
  readonly limit: number;
  readonly offset: number;
  readonly status?: (typeof eventLogStatuses)[number];
}

interface GetEventInvocationLogs extends OfSource {
  readonly name: string;
  readonly limit: number;
  readonly offset: number;
}

interface GetEventById extends OfSource {
  readonly event_id: string;
  readonly invocation_log_limit: number;
  readonly invocation_log_offset: number;
}

interface CleanUpEventLogs extends OfSource {
  readonly event_trigger_name: string;
  /** Hours. */
  readonly clear_older_than: number;
  readonly batch_size: number;
  /** Of each statement, in seconds. */
  readonly timeout: number;
  readonly clean_invocation_logs: boolean;
}

export type InvokeEventTriggerCall = EventTriggerCallOf<"invoke_event_trigger", InvokeEventTrigger>;
export type RedeliverEventCall = EventTriggerCallOf<"redeliver_event", RedeliverEvent>;
export type RedeliverEventsCall = EventTriggerCallOf<"redeliver_events", RedeliverEvents>;
export type GetEventLogsCall = EventTriggerCallOf<"get_event_logs", GetEventLogs>;
export type GetEventInvocationLogsCall = EventTriggerCallOf<"get_event_invocation_logs", GetEventInvocationLogs>;
export type GetEventByIdCall = EventTriggerCallOf<"get_event_by_id", GetEventById>;
export type CleanUpEventLogsCall = EventTriggerCallOf<"cleanup_event_trigger_logs", CleanUpEventLogs>;

export type EventTriggerCall =
  | InvokeEventTriggerCall
  | RedeliverEventCall
  | RedeliverEventsCall
  | GetEventLogsCall
  | GetEventInvocationLogsCall
  | GetEventByIdCall
  | CleanUpEventLogsCall;

export interface RunSqlCall {
  readonly effect: "io";
  readonly operation: "run_sql";
  /** The kind of source that the operation's name stands for. */
  readonly kind: SourceKind;
  readonly input: RunSql;
  /** Path of errors that happen while it runs. */
  readonly path: string;
}

export interface TestWebhookTransformCall {
  readonly effect: "io";
  readonly operation: "test_webhook_transform";
  readonly input: TestWebhookTransform;
  readonly path: string;
}

export interface GetSourceTablesCall {
  readonly effect: "io";
  /** `describe_source`: with the kinds of tables, and functions. */
  readonly operation: "get_source_tables" | "describe_source";
  readonly kind: SourceKind;
  readonly input: { readonly source: string };
  readonly path: string;
}

export interface GetTableInfoCall {
  readonly effect: "io";
  /** `describe_table`: with indexes, constraints and the query of a view, for every kind of database. */
  readonly operation: "get_table_info" | "describe_table";
  readonly kind: SourceKind;
  readonly input: GetTableInfo;
  readonly path: string;
}

export interface ExportGeneratedCodeCall {
  readonly effect: "io";
  readonly operation: "export_generated_code";
  /** Without `paths`, which files there are is all that is asked: those of a saved operation, or all. */
  readonly input: {
    readonly paths?: readonly string[];
    readonly saved_operation?: { readonly collection_name: string; readonly query_name: string };
  };
  readonly path: string;
}

interface GetActivityCall {
  readonly effect: "io";
  readonly operation: "get_slow_operations" | "get_live_queries";
  readonly path: string;
}

interface GetCatalogStateCall {
  readonly effect: "io";
  readonly operation: "get_catalog_state";
  readonly path: string;
}

export interface SetCatalogStateCall {
  readonly effect: "io";
  readonly operation: "set_catalog_state";
  readonly input: SetCatalogState;
  readonly path: string;
}

export interface LockCatalogStateCall {
  readonly effect: "io";
  readonly operation: "lock_catalog_state";
  readonly input: LockCatalogState;
  readonly path: string;
}

export type IoCall =
  | RunSqlCall
  | TestWebhookTransformCall
  | GetSourceTablesCall
  | GetTableInfoCall
  | ExportGeneratedCodeCall
  | GetActivityCall
  | GetCatalogStateCall
  | SetCatalogStateCall
  | LockCatalogStateCall
  | CreateScheduledEventCall
  | DeleteScheduledEventCall
  | GetScheduledEventsCall
  | GetScheduledEventInvocationsCall
  | EventTriggerCall;
