/** Client of the operations on events, invocations, remote schemas and transforms. */
import { prefixOf } from "./metadata-api.ts";
import type { Json, JsonObject } from "./metadata-types.ts";
import { send } from "./send.ts";

/**
 * Runs a metadata operation. Numbers in the response keep their digits.
 * @throws ApiError
 */
const callMetadata = <T>(type: string, args: object): Promise<T> =>
  send("/v1/metadata", { body: { type, args }, raw: true });

/** Range of times in ISO 8601; `from` is inclusive, `to` exclusive. */
export interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

export interface LogPage {
  readonly limit: number;
  readonly offset: number;
}

/** One call of a webhook. */
export interface Invocation {
  readonly id: string;
  readonly event_id: string;
  /** HTTP status of an event trigger's invocation; scheduled events have `status`. `null` without a response. */
  readonly http_status?: number | null;
  readonly status?: number | null;
  readonly request: Json;
  readonly response: Json;
  readonly created_at: string;
}

export interface TriggerEvent {
  readonly id: string;
  readonly payload: Json;
  readonly delivered: boolean;
  readonly error: boolean;
  readonly tries: number;
  readonly created_at: string;
  /** Start of the running delivery. */
  readonly locked: string | null;
  readonly next_retry_at: string | null;
  readonly archived: boolean;
}

export interface TriggerLocation {
  readonly source: string;
  /** Kind of the source, such as `postgres`. */
  readonly kind: string;
  readonly name: string;
}

/** Selected events; `null` for all. */
export type EventSelection = { readonly status: "pending" } | { readonly outcome: "delivered" | "error" } | null;

/** Returns events, newest first. @throws ApiError */
export const triggerEvents = (
  { source, kind, name }: TriggerLocation,
  selection: EventSelection,
  page: LogPage & TimeRange,
): Promise<readonly TriggerEvent[]> =>
  callMetadata(`${prefixOf(kind)}_get_event_logs`, { source, name, ...page, ...selection });

/** Returns invocations, newest first. @throws ApiError */
export const triggerInvocations = (
  { source, kind, name }: TriggerLocation,
  page: LogPage,
): Promise<readonly Invocation[]> =>
  callMetadata(`${prefixOf(kind)}_get_event_invocation_logs`, { source, name, ...page });

/** Returns an event with its last `calls` invocations. @throws ApiError */
export const triggerEvent = (
  { source, kind }: TriggerLocation,
  id: string,
  calls: number,
): Promise<{ readonly event: TriggerEvent; readonly invocations: readonly Invocation[] }> =>
  callMetadata(`${prefixOf(kind)}_get_event_by_id`, { source, event_id: id, invocation_log_limit: calls });

/** Resets an event so that it is delivered again. @throws ApiError with code `busy` during a delivery */
export const redeliverEvent = ({ source, kind }: TriggerLocation, id: string): Promise<unknown> =>
  callMetadata(`${prefixOf(kind)}_redeliver_event`, { source, event_id: id });

/** Redelivers the failed events of a trigger that were created in a range of times. @throws ApiError */
export const redeliverFailed = (
  { source, kind, name }: TriggerLocation,
  range: TimeRange,
): Promise<{ readonly redelivered_events: number }> =>
  callMetadata(`${prefixOf(kind)}_redeliver_events`, { source, name, status: "error", ...range });

/** Creates an event manually. @throws ApiError */
export const invokeTrigger = (
  { source, kind, name }: TriggerLocation,
  payload: Json,
): Promise<{ readonly event_id: string }> =>
  callMetadata(`${prefixOf(kind)}_invoke_event_trigger`, { source, name, payload });

export type ScheduledStatus = "scheduled" | "locked" | "delivered" | "error" | "dead";

/** One-off events or the events of one cron trigger. */
export type ScheduleOfEvents = { readonly type: "one_off" } | { readonly type: "cron"; readonly trigger_name: string };

export interface ScheduledEvent {
  readonly id: string;
  readonly scheduled_time: string;
  readonly status: ScheduledStatus;
  readonly tries: number;
  readonly created_at: string;
  readonly next_retry_at: string | null;
  /** Only one-off events have the members below. */
  readonly payload?: Json;
  readonly webhook_conf?: Json;
  readonly comment?: string | null;
}

export const scheduledEvents = async (
  schedule: ScheduleOfEvents,
  status: readonly ScheduledStatus[],
  order: "asc" | "desc",
  page: LogPage & TimeRange,
): Promise<readonly ScheduledEvent[]> => {
  const order_by = [{ column: "scheduled_time", type: order }];
  const args = { ...schedule, status, order_by, ...page };
  return (await callMetadata<{ readonly events: readonly ScheduledEvent[] }>("get_scheduled_events", args)).events;
};

export const scheduledInvocations = async (
  { type }: ScheduleOfEvents,
  id: string,
  calls: number,
): Promise<readonly Invocation[]> => {
  const args = { type, event_id: id, limit: calls, offset: 0 };
  return (await callMetadata<{ readonly invocations: readonly Invocation[] }>("get_scheduled_event_invocations", args))
    .invocations;
};

export const deleteScheduledEvent = ({ type }: ScheduleOfEvents, id: string): Promise<unknown> =>
  callMetadata("delete_scheduled_event", { type, event_id: id });

/** Resets an ended event so that it is delivered again. @throws ApiError with code `busy` during a delivery */
export const redeliverScheduledEvent = ({ type }: ScheduleOfEvents, id: string): Promise<unknown> =>
  callMetadata("redeliver_scheduled_event", { type, event_id: id });

/** Redelivers the failed and missed events that were scheduled in a range of times. @throws ApiError */
export const redeliverFailedScheduled = (
  schedule: ScheduleOfEvents,
  range: TimeRange,
): Promise<{ readonly redelivered_events: number }> =>
  callMetadata("redeliver_scheduled_events", { ...schedule, status: ["error", "dead"], ...range });

/** Returns all cron triggers, including those excluded from exported metadata. @throws ApiError */
export const cronTriggers = async (): Promise<readonly JsonObject[]> =>
  (await callMetadata<{ readonly cron_triggers: readonly JsonObject[] }>("get_cron_triggers", {})).cron_triggers;

export type CallStatus = "created" | "processing" | "completed" | "error";

/** A call of an asynchronous action. */
export interface ActionCall {
  readonly id: string;
  readonly status: CallStatus;
  readonly created_at: string;
  /** `null` until the call ends. */
  readonly response_received_at: string | null;
  readonly role: string | null;
  readonly input: Json;
  readonly output: Json;
  readonly errors: Json;
}

const actionLogs = async (args: object): Promise<readonly ActionCall[]> =>
  (await callMetadata<{ readonly calls: readonly ActionCall[] }>("get_action_logs", args)).calls;

/** Returns the calls of an action, newest first. @throws ApiError */
export const actionCalls = (
  action: string,
  status: readonly CallStatus[],
  page: LogPage & TimeRange,
): Promise<readonly ActionCall[]> => actionLogs({ action_name: action, status, ...page });

/** Returns a call; `undefined` if it has been deleted. @throws ApiError */
export const actionCall = async (id: string): Promise<ActionCall | undefined> =>
  (await actionLogs({ call_id: id, limit: 1 }))[0];

export type DeadLetterKind = "event" | "cron" | "one_off" | "action";

/** An event or call that failed and is not retried. */
export interface DeadLetter {
  readonly kind: DeadLetterKind;
  readonly source: string | null;
  readonly name: string | null;
  readonly id: string;
  readonly status: "error" | "dead";
  readonly created_at: string;
  readonly failed_at: string | null;
  readonly tries: number;
  readonly reason: { readonly status: number | null; readonly message: string | null };
  readonly payload: Json;
}

/** Returns dead letters, newest first. @param kind `null` for all @throws ApiError */
export const deadLetters = async (
  kind: DeadLetterKind | null,
  page: LogPage & TimeRange,
): Promise<readonly DeadLetter[]> => {
  const args = { ...page, ...(kind !== null && { kind }) };
  return (await callMetadata<{ readonly dead_letters: readonly DeadLetter[] }>("get_dead_letters", args)).dead_letters;
};

/** Delivers a letter again. @throws ApiError */
export const replayLetter = ({ kind, id, source }: DeadLetter): Promise<{ readonly replayed: number }> =>
  callMetadata("replay_dead_letters", { letters: [{ kind, id, ...(source !== null && { source }) }] });

/** Delivers all letters of a kind and time span again. @param kind `null` for all @throws ApiError */
export const replayFailed = (kind: DeadLetterKind | null, range: TimeRange): Promise<{ readonly replayed: number }> =>
  callMetadata("replay_dead_letters", { kind: kind ?? ["event", "cron", "one_off", "action"], ...range });

/** Result of a request transform. */
export interface TransformedRequest {
  readonly webhook_url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Json;
}

/** @param args arguments of `test_webhook_transform` */
export const testTransform = (args: JsonObject): Promise<TransformedRequest> =>
  callMetadata("test_webhook_transform", args);

/** Returns the introspection result of a remote schema. @throws ApiError */
export const introspectRemoteSchema = (name: string): Promise<unknown> =>
  callMetadata("introspect_remote_schema", { name });
