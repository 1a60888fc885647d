/** The product's tables in a source, and events in them as a test needs them. */
import { postgresCatalogMigrations } from "../../runtime/events/postgres/catalog-migrations.ts";
import { query, type Row } from "./database.ts";

/** Makes the tables where they are not there yet. */
export async function makeEventTables(url: string): Promise<void> {
  const [found] = await query(url, "select to_regclass('engine_catalog.event_log') is not null as found");
  if (found?.found === true) return;
  await query(url, ["create schema if not exists engine_catalog", ...postgresCatalogMigrations].join(";\n"));
}

export interface EventRow {
  readonly id?: string;
  readonly trigger?: string;
  /** SQL of the members that differ from those of a new event. */
  readonly set?: string;
}

/** Adds an event, and answers its id. */
export async function addEvent(url: string, { id, trigger = "changed", set }: EventRow = {}): Promise<string> {
  const insert = `insert into engine_catalog.event_log (id, schema_name, table_name, trigger_name, payload)
    values (coalesce($1, gen_random_uuid()::text), 'public', 'item', $2, '{"op": "INSERT"}') returning id`;
  const [row] = await query(url, insert, [id ?? null, trigger]);
  if (set !== undefined) await query(url, `update engine_catalog.event_log set ${set} where id = $1`, [row?.id]);
  return String(row?.id);
}

export async function eventOf(url: string, id: string): Promise<Row | undefined> {
  return (await query(url, "select * from engine_catalog.event_log where id = $1", [id]))[0];
}
