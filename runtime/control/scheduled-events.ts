/** Operations on one-off events and events of cron triggers, which are stored in the metadata database. */
import type { Json } from "../../compiler/catalog/model.ts";
import { type EventKind, eventColumns, eventStatuses } from "../../compiler/metadata/operations/scheduled-events.ts";
import { transformsOf } from "../../compiler/metadata/transforms.ts";
import { redeliverScheduledEvent, redeliverScheduledEvents } from "../jobs/schedules/redelivery.ts";
import { scheduledRetry } from "../model/definitions/events/configured-webhook.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { checkTransforms } from "./check-transforms.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";
import { Page } from "./page-of-rows.ts";
import type { Draft } from "./state.ts";
import type { MetadataStore } from "./store.ts";

type ScheduledEventOperation =
  | "create_scheduled_event"
  | "delete_scheduled_event"
  | "redeliver_scheduled_event"
  | "redeliver_scheduled_events"
  | "get_scheduled_events"
  | "get_scheduled_event_invocations";

export const scheduledEventHandlers: IoHandlers<ScheduledEventOperation> = {
  create_scheduled_event: (call, { store, onScheduledEvent }) =>
    createScheduledEvent(call, store).finally(onScheduledEvent),
  delete_scheduled_event: (call, { store }) => deleteScheduledEvent(call, store),
  redeliver_scheduled_event: (call, { store, onScheduledEvent }) => redeliver(call, store).finally(onScheduledEvent),
  redeliver_scheduled_events: (call, { draft, store, onScheduledEvent }) =>
    redeliverAll(call, draft, store).finally(onScheduledEvent),
  get_scheduled_events: (call, { draft, store }) => getScheduledEvents(call, draft, store),
  get_scheduled_event_invocations: (call, { draft, store }) => getScheduledEventInvocations(call, draft, store),
};

const events: Readonly<Record<EventKind, string>> = {
  one_off: "engine_catalog.engine_scheduled_events",
  cron: "engine_catalog.engine_cron_events",
};
const invocations: Readonly<Record<EventKind, string>> = {
  one_off: "engine_catalog.engine_scheduled_event_invocation_logs",
  cron: "engine_catalog.engine_cron_event_invocation_logs",
};

async function createScheduledEvent(call: IoCallOf<"create_scheduled_event">, store: MetadataStore): Promise<Json> {
  const { input, path } = call;
  for (const transforms of transformsOf(call, input).transforms ?? []) checkTransforms(transforms, path);
  const json = (value: unknown) => (value === undefined ? null : stringifyJson(value));
  const [event] = await store.query(
    `insert into ${events.one_off} (webhook_conf, scheduled_time, retry_conf, payload, header_conf, comment,
       request_transform, response_transform, signing_secret)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     returning id, extract(epoch from now() - scheduled_time)::float8 as late_seconds`,
    [
      json(input.webhook),
      input.schedule_at,
      json(input.retry_conf),
      json(input.payload),
      json(input.headers),
      input.comment ?? null,
      json(input.request_transform),
      json(input.response_transform),
      json(input.signing_secret),
    ],
  );
  const warnings = warningsOf(input, Number(event?.late_seconds));
  return { message: "success", event_id: String(event?.id), ...(warnings.length > 0 && { warnings }) };
}

/** Returns a warning for an event so far in the past that it will not be delivered. */
function warningsOf(
  { schedule_at, retry_conf }: IoCallOf<"create_scheduled_event">["input"],
  lateSeconds: number,
): Json[] {
  const { toleranceSeconds } = scheduledRetry({ ...retry_conf });
  if (lateSeconds <= toleranceSeconds) return [];
  const message =
    `schedule_at ${schedule_at} is ${Math.round(lateSeconds)} s ago, which is more than tolerance_seconds ` +
    `(${toleranceSeconds}); the event will be marked as dead`;
  return [{ code: "schedule-in-the-past", message }];
}

/** Deletes an event. A foreign key deletes its invocations. */
async function deleteScheduledEvent(
  { input: { type, event_id }, path }: IoCallOf<"delete_scheduled_event">,
  store: MetadataStore,
): Promise<Json> {
  const deleted = await store.query(`delete from ${events[type]} where id = $1 returning id`, [event_id]);
  if (deleted.length === 0) throw new EngineError("not-exists", path, `event id ${event_id} does not exist`);
  return { message: "success" };
}

async function redeliver({ input, path }: IoCallOf<"redeliver_scheduled_event">, store: MetadataStore): Promise<Json> {
  const { type, event_id } = input;
  switch (await redeliverScheduledEvent(store, type, event_id)) {
    case "done":
      return { message: "success" };
    case "not found":
      throw new EngineError("not-exists", path, `event id ${event_id} does not exist`);
    case "busy":
      throw new EngineError("busy", path, "event is already being processed");
    case "scheduled": {
      const message = "event is scheduled and will be delivered: only ended events can be redelivered";
      throw new EngineError("not-supported", path, message);
    }
    case "superseded": {
      const message = "a later event of the trigger has the same scheduled time: redeliver that event instead";
      throw new EngineError("not-supported", path, message);
    }
  }
}

async function redeliverAll(
  { input, path }: IoCallOf<"redeliver_scheduled_events">,
  draft: Draft,
  store: MetadataStore,
): Promise<Json> {
  const { type: kind, trigger_name, status: statuses, from, to } = input;
  if (kind === "one_off") {
    return { redelivered_events: await redeliverScheduledEvents(store, { kind, statuses, from, to }) };
  }
  if (trigger_name !== undefined) checkTrigger(draft, trigger_name, path);
  const names = trigger_name === undefined ? draft.catalog.cron_triggers.map(({ name }) => name) : [trigger_name];
  let redelivered_events = 0;
  for (const trigger of names) {
    redelivered_events += await redeliverScheduledEvents(store, { kind, trigger, statuses, from, to });
  }
  return { redelivered_events };
}

async function getScheduledEvents(
  { input, path }: IoCallOf<"get_scheduled_events">,
  draft: Draft,
  store: MetadataStore,
): Promise<Json> {
  const { type, trigger_name, status, from, to } = input;
  const query = new Page();
  if (type === "cron" && trigger_name !== undefined) {
    checkTrigger(draft, trigger_name, path);
    query.where((parameter) => `trigger_name = ${parameter}`, trigger_name);
  }
  if (from !== undefined) query.where((parameter) => `scheduled_time >= ${parameter}::timestamptz`, from);
  if (to !== undefined) query.where((parameter) => `scheduled_time < ${parameter}::timestamptz`, to);
  const { rows, count } = await query.read(store, {
    columns: eventColumns[type],
    table: events[type],
    order: orderOf(input),
    statuses: status.length === 0 ? eventStatuses : [...new Set(status)],
    page: input,
  });
  return { events: rows, ...count };
}

/**
 * Returns the ORDER BY list. The decoder has checked the columns. Ids have the direction of the last column, so that an
 * index serves both directions.
 */
function orderOf({ order_by }: IoCallOf<"get_scheduled_events">["input"]): string {
  const items = order_by.map(
    ({ column, type = "asc", nulls }) => `"${column}" ${type}${nulls === undefined ? "" : ` nulls ${nulls}`}`,
  );
  const time = items.length === 0 ? ["scheduled_time"] : [];
  return [...items, ...time, `id ${order_by.at(-1)?.type ?? "asc"}`].join(", ");
}

const invocationColumns = ["id", "event_id", "status", "request", "response", "created_at"];

/** Returns invocations, newest first. */
async function getScheduledEventInvocations(
  { input, path }: IoCallOf<"get_scheduled_event_invocations">,
  draft: Draft,
  store: MetadataStore,
): Promise<Json> {
  const { type, event_id, trigger_name } = input;
  const query = new Page();
  if (event_id !== undefined) query.where((parameter) => `event_id = ${parameter}`, event_id);
  else if (type === "cron" && trigger_name !== undefined) {
    checkTrigger(draft, trigger_name, path);
    query.where(
      (parameter) => `event_id in (select id from ${events.cron} where trigger_name = ${parameter})`,
      trigger_name,
    );
  }
  const { rows, count } = await query.read(store, {
    columns: invocationColumns,
    table: invocations[type],
    order: "created_at desc, id",
    page: input,
  });
  return { invocations: rows, ...count };
}

function checkTrigger({ catalog }: Draft, name: string, path: string): void {
  if (catalog.cron_triggers.some((trigger) => trigger.name === name)) return;
  const names = catalog.cron_triggers.map((trigger) => trigger.name);
  throw new EngineError("not-exists", path, `cron trigger with name: ${name} does not exist`, {
    hint: () => didYouMean(name, names),
  });
}
