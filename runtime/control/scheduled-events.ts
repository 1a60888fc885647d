/** Operations on one-off events and events of cron triggers, which are stored in the metadata database. */
import type { Json } from "../../compiler/catalog/model.ts";
import { type EventKind, eventColumns } from "../../compiler/metadata/operations/scheduled-events.ts";
import { transformsOf } from "../../compiler/metadata/transforms.ts";
import { scheduledRetry } from "../model/definitions/events/configured-webhook.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { checkTransforms } from "./check-transforms.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";
import type { Draft } from "./state.ts";
import type { MetadataStore } from "./store.ts";

type ScheduledEventOperation =
  | "create_scheduled_event"
  | "delete_scheduled_event"
  | "get_scheduled_events"
  | "get_scheduled_event_invocations";

export const scheduledEventHandlers: IoHandlers<ScheduledEventOperation> = {
  create_scheduled_event: (call, { store, onScheduledEvent }) =>
    createScheduledEvent(call, store).finally(onScheduledEvent),
  delete_scheduled_event: (call, { store }) => deleteScheduledEvent(call, store),
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
  checkTransforms(transformsOf(call, input).transforms ?? {}, path);
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

async function getScheduledEvents(
  { input, path }: IoCallOf<"get_scheduled_events">,
  draft: Draft,
  store: MetadataStore,
): Promise<Json> {
  const { type, trigger_name, status } = input;
  const query = new Page();
  if (type === "cron" && trigger_name !== undefined) {
    checkTrigger(draft, trigger_name, path);
    query.where((parameter) => `trigger_name = ${parameter}`, trigger_name);
  }
  if (status.length > 0) query.where((parameter) => `status = any(${parameter})`, [...status]);
  const { rows, count } = await query.read(store, {
    columns: eventColumns[type],
    table: events[type],
    order: orderOf(input),
    page: input,
  });
  return { events: rows, ...count };
}

/** Returns the ORDER BY list. The decoder has checked the columns. */
function orderOf({ order_by }: IoCallOf<"get_scheduled_events">["input"]): string {
  const items = order_by.map(
    ({ column, type = "asc", nulls }) => `"${column}" ${type}${nulls === undefined ? "" : ` nulls ${nulls}`}`,
  );
  return [...items, ...(items.length === 0 ? ["scheduled_time"] : []), "id"].join(", ");
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

interface PageQuery {
  readonly columns: readonly string[];
  readonly table: string;
  readonly order: string;
  readonly page: { readonly limit?: number; readonly offset?: number; readonly get_rows_count: boolean };
}

/** Reads a page of the rows of a table that meet some conditions. */
class Page {
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];

  where(condition: (parameter: string) => string, value: unknown): void {
    this.#values.push(value);
    this.#conditions.push(condition(`$${this.#values.length}`));
  }

  async read(
    store: MetadataStore,
    { columns, table, order, page }: PageQuery,
  ): Promise<{ readonly rows: Json; readonly count: { readonly count?: number } }> {
    const where = this.#conditions.length === 0 ? "" : ` where ${this.#conditions.join(" and ")}`;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const next = this.#values.length + 1;
    const rows = await store.query(
      `select ${names} from ${table}${where} order by ${order} limit $${next} offset $${next + 1}`,
      [...this.#values, page.limit ?? null, page.offset ?? 0],
    );
    const [total] = page.get_rows_count
      ? await store.query(`select count(*)::int as count from ${table}${where}`, this.#values)
      : [];
    // Times are `Date` objects, which JSON writes as ISO 8601 in UTC.
    return { rows: rows as unknown as Json, count: total === undefined ? {} : { count: Number(total.count) } };
  }
}
