/** One-off events and the events of cron triggers in the metadata database: made, looked at, deleted (`automation.md` B.7). */
import type { Json } from "../../compiler/catalog/model.ts";
import {
  type CreateScheduledEvent,
  type CreateScheduledEventCall,
  type DeleteScheduledEventCall,
  type EventKind,
  eventColumns,
  type GetScheduledEventInvocationsCall,
  type GetScheduledEvents,
  type GetScheduledEventsCall,
} from "../../compiler/metadata/io.ts";
import { scheduledRetry } from "../model/definitions/events/configured-webhook.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { checkTransforms } from "./check-transforms.ts";
import type { Draft } from "./state.ts";
import type { MetadataStore } from "./store.ts";

const events: Readonly<Record<EventKind, string>> = {
  one_off: "engine_catalog.engine_scheduled_events",
  cron: "engine_catalog.engine_cron_events",
};
const invocations: Readonly<Record<EventKind, string>> = {
  one_off: "engine_catalog.engine_scheduled_event_invocation_logs",
  cron: "engine_catalog.engine_cron_event_invocation_logs",
};

export async function createScheduledEvent(
  { input, transforms, path }: CreateScheduledEventCall,
  store: MetadataStore,
): Promise<Json> {
  checkTransforms(transforms, path);
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

/** An event in the past is accepted (`automation.md` B.4), and may be too late to be delivered. */
function warningsOf({ schedule_at, retry_conf }: CreateScheduledEvent, lateSeconds: number): Json[] {
  const { toleranceSeconds } = scheduledRetry({ ...retry_conf });
  if (lateSeconds <= toleranceSeconds) return [];
  const message =
    `schedule_at ${schedule_at} is ${Math.round(lateSeconds)} s ago, which is more than tolerance_seconds ` +
    `(${toleranceSeconds}): the event ends as dead`;
  return [{ code: "schedule-in-the-past", message }];
}

/** Its invocations go along. */
export async function deleteScheduledEvent(
  { input: { type, event_id }, path }: DeleteScheduledEventCall,
  store: MetadataStore,
): Promise<Json> {
  const deleted = await store.query(`delete from ${events[type]} where id = $1 returning id`, [event_id]);
  if (deleted.length === 0) throw new EngineError("not-exists", path, `event id ${event_id} does not exist`);
  return { message: "success" };
}

export async function getScheduledEvents(
  { input, path }: GetScheduledEventsCall,
  draft: Draft,
  store: MetadataStore,
): Promise<Json> {
  const { type, trigger_name, status } = input;
  const query = new Page();
  if (type === "cron" && trigger_name !== undefined) {
    checkTrigger(draft, trigger_name, path);
    query.where((place) => `trigger_name = ${place}`, trigger_name);
  }
  if (status.length > 0) query.where((place) => `status = any(${place})`, [...status]);
  const { rows, count } = await query.read(store, {
    columns: eventColumns[type],
    table: events[type],
    order: orderOf(input),
    page: input,
  });
  return { events: rows, ...count };
}

/** Checked against the columns of the table when the arguments were read. */
function orderOf({ order_by }: GetScheduledEvents): string {
  const items = order_by.map(
    ({ column, type = "asc", nulls }) => `"${column}" ${type}${nulls === undefined ? "" : ` nulls ${nulls}`}`,
  );
  return [...items, ...(items.length === 0 ? ["scheduled_time"] : []), "id"].join(", ");
}

const invocationColumns = ["id", "event_id", "status", "request", "response", "created_at"];

/** The newest first. */
export async function getScheduledEventInvocations(
  { input, path }: GetScheduledEventInvocationsCall,
  draft: Draft,
  store: MetadataStore,
): Promise<Json> {
  const { type, event_id, trigger_name } = input;
  const query = new Page();
  if (event_id !== undefined) query.where((place) => `event_id = ${place}`, event_id);
  else if (type === "cron" && trigger_name !== undefined) {
    checkTrigger(draft, trigger_name, path);
    query.where((place) => `event_id in (select id from ${events.cron} where trigger_name = ${place})`, trigger_name);
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

interface Read {
  readonly columns: readonly string[];
  readonly table: string;
  readonly order: string;
  readonly page: { readonly limit?: number; readonly offset?: number; readonly get_rows_count: boolean };
}

/** A part of the rows of a table that meet some conditions. */
class Page {
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];

  where(condition: (place: string) => string, value: unknown): void {
    this.#values.push(value);
    this.#conditions.push(condition(`$${this.#values.length}`));
  }

  async read(
    store: MetadataStore,
    { columns, table, order, page }: Read,
  ): Promise<{ readonly rows: Json; readonly count: { readonly count?: number } }> {
    const where = this.#conditions.length === 0 ? "" : ` where ${this.#conditions.join(" and ")}`;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const places = [this.#values.length + 1, this.#values.length + 2];
    const rows = await store.query(
      `select ${names} from ${table}${where} order by ${order} limit $${places[0]} offset $${places[1]}`,
      [...this.#values, page.limit ?? null, page.offset ?? 0],
    );
    const [total] = page.get_rows_count
      ? await store.query(`select count(*)::int as count from ${table}${where}`, this.#values)
      : [];
    // Times are dates here, ISO 8601 in UTC when they are written as JSON.
    return { rows: rows as unknown as Json, count: total === undefined ? {} : { count: Number(total.count) } };
  }
}
