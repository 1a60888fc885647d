/** Events of triggers and schedules, and what came of them; remote schemas; transforms that are tried. */
import { type Operation, prefixOf } from "./metadata-api.ts";
import type { Json, JsonObject } from "./metadata-types.ts";
import { send } from "./send.ts";

/** Numbers in what it answers keep their digits. @throws ApiError */
const ask = <T>(type: string, args: object): Promise<T> => send("/v1/metadata", { body: { type, args }, raw: true });

/** A part of a long list. */
export interface LogPage {
  readonly limit: number;
  readonly offset: number;
}

/** A call of a webhook. */
export interface Invocation {
  readonly id: string;
  readonly event_id: string;
  /** Of the answer; `null`: there was none. Those of schedules call it `status`. */
  readonly http_status?: number | null;
  readonly status?: number | null;
  readonly request: Json;
  readonly response: Json;
  readonly created_at: string;
}

/** An event of an event trigger. */
export interface TriggerEvent {
  readonly id: string;
  readonly payload: Json;
  readonly delivered: boolean;
  readonly error: boolean;
  readonly tries: number;
  readonly created_at: string;
  /** Since when it is being delivered. */
  readonly locked: string | null;
  readonly next_retry_at: string | null;
  readonly archived: boolean;
}

export interface TriggerPlace {
  readonly source: string;
  /** Of the source. */
  readonly kind: string;
  readonly name: string;
}

export type TriggerEventStatus = "pending" | "processed";

/** The newest first. */
export const triggerEvents = (
  { source, kind, name }: TriggerPlace,
  status: TriggerEventStatus | null,
  page: LogPage,
): Promise<readonly TriggerEvent[]> =>
  ask(`${prefixOf(kind)}_get_event_logs`, { source, name, ...page, ...(status && { status }) });

/** The newest first. */
export const triggerInvocations = (
  { source, kind, name }: TriggerPlace,
  page: LogPage,
): Promise<readonly Invocation[]> => ask(`${prefixOf(kind)}_get_event_invocation_logs`, { source, name, ...page });

/** With the last calls. */
export const triggerEvent = (
  { source, kind }: TriggerPlace,
  id: string,
  calls: number,
): Promise<{ readonly event: TriggerEvent; readonly invocations: readonly Invocation[] }> =>
  ask(`${prefixOf(kind)}_get_event_by_id`, { source, event_id: id, invocation_log_limit: calls });

/** As if the event were new. @throws ApiError `busy` while it is being delivered */
export const redeliverEvent = ({ source, kind }: TriggerPlace, id: string): Promise<unknown> =>
  ask(`${prefixOf(kind)}_redeliver_event`, { source, event_id: id });

/** All that failed. */
export const redeliverFailed = ({
  source,
  kind,
  name,
}: TriggerPlace): Promise<{ readonly redelivered_events: number }> =>
  ask(`${prefixOf(kind)}_redeliver_events`, { source, name, status: "error" });

/** Makes an event by hand. */
export const invokeTrigger = (
  { source, kind, name }: TriggerPlace,
  payload: Json,
): Promise<{ readonly event_id: string }> => ask(`${prefixOf(kind)}_invoke_event_trigger`, { source, name, payload });

export type ScheduledStatus = "scheduled" | "locked" | "delivered" | "error" | "dead";

/** One-off events, or those of a cron trigger. */
export type ScheduleOfEvents = { readonly type: "one_off" } | { readonly type: "cron"; readonly trigger_name: string };

export interface ScheduledEvent {
  readonly id: string;
  readonly scheduled_time: string;
  readonly status: ScheduledStatus;
  readonly tries: number;
  readonly created_at: string;
  readonly next_retry_at: string | null;
  /** Of one-off events. */
  readonly payload?: Json;
  readonly webhook_conf?: Json;
  readonly comment?: string | null;
}

export const scheduledEvents = async (
  schedule: ScheduleOfEvents,
  status: readonly ScheduledStatus[],
  order: "asc" | "desc",
  page: LogPage,
): Promise<readonly ScheduledEvent[]> => {
  const order_by = [{ column: "scheduled_time", type: order }];
  const args = { ...schedule, status, order_by, ...page };
  return (await ask<{ readonly events: readonly ScheduledEvent[] }>("get_scheduled_events", args)).events;
};

export const scheduledInvocations = async (
  { type }: ScheduleOfEvents,
  id: string,
  calls: number,
): Promise<readonly Invocation[]> => {
  const args = { type, event_id: id, limit: calls, offset: 0 };
  return (await ask<{ readonly invocations: readonly Invocation[] }>("get_scheduled_event_invocations", args))
    .invocations;
};

export const deleteScheduledEvent = ({ type }: ScheduleOfEvents, id: string): Promise<unknown> =>
  ask("delete_scheduled_event", { type, event_id: id });

/** Also those that are not part of exported metadata. */
export const cronTriggers = async (): Promise<readonly JsonObject[]> =>
  (await ask<{ readonly cron_triggers: readonly JsonObject[] }>("get_cron_triggers", {})).cron_triggers;

/** The request that a transform makes. */
export interface TransformedRequest {
  readonly webhook_url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Json;
}

/** @param args of `test_webhook_transform` */
export const testTransform = (args: JsonObject): Promise<TransformedRequest> => ask("test_webhook_transform", args);

/** What the server of a remote schema offers: the answer of introspection. */
export const introspectRemoteSchema = (name: string): Promise<unknown> => ask("introspect_remote_schema", { name });

/** An operation whose arguments keep the digits of their numbers. @throws ApiError */
export const runRaw = ({ type, args }: Operation): Promise<unknown> => ask(type, args as object);
