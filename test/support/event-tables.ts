/** The product's tables in a source, with events for tests. */
import { randomUUID } from "node:crypto";
import { postgresCatalogMigrations } from "../../runtime/jobs/events/postgres/catalog-migrations.ts";
import { query, type Row } from "./database.ts";

/** Creates the tables unless they exist. */
export async function makeEventTables(url: string): Promise<void> {
  const [found] = await query(url, "select to_regclass('engine_catalog.event_log') is not null as found");
  if (found?.found === true) return;
  await query(url, ["create schema if not exists engine_catalog", ...postgresCatalogMigrations].join(";\n"));
}

export interface EventRow {
  readonly trigger?: string;
  /** SQL for columns that differ from those of a new event. */
  readonly set?: string;
}

/** Adds an event, and returns its id. */
export async function addEvent(url: string, { trigger = "changed", set }: EventRow = {}): Promise<string> {
  const id = randomUUID();
  const insert = `insert into engine_catalog.event_log (id, schema_name, table_name, trigger_name, payload)
    values ('${id}', 'public', 'item', '${trigger}', '{"op": "INSERT"}')`;
  const update = set === undefined ? "" : `update engine_catalog.event_log set ${set} where id = '${id}';`;
  // In one transaction, so that no instance leases the event before it is complete.
  await query(url, `begin; ${insert}; ${update} commit`);
  return id;
}

/** Returns SQL that writes a pack of events with a range of numbers as `n`. */
export function packFrom(first: number, last: number, trigger: string): string {
  return `insert into engine_catalog.packed_events (schema_name, table_name, trigger_name, op, events, column_names, column_values)
    select 'public', 'item', '${trigger}', 'INSERT', count(*), array['n'], array[json_agg(n)] from generate_series(${first}, ${last}) n`;
}

export async function eventOf(url: string, id: string): Promise<Row | undefined> {
  return (await query(url, "select * from engine_catalog.event_log where id = $1", [id]))[0];
}

/**
 * Returns a trigger of the table `item`. Its webhook is unreachable: deliveries fail, and retries are far in the
 * future.
 */
export const unansweredTrigger = (name: string, more: object = {}) => ({
  name,
  table: "item",
  webhook: "http://127.0.0.1:9/",
  retry_conf: { num_retries: 1, interval_sec: 3600 },
  enable_manual: true,
  ...more,
});
