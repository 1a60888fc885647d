/** A database with the product's tables and events, as an installation and SQL triggers create them. */
import { postgresCatalogMigrations } from "../../runtime/jobs/events/postgres/catalog-migrations.ts";
import { createDatabase, query, type TestDatabase } from "./database.ts";

export async function createEventDatabase(name: string): Promise<TestDatabase> {
  const database = await createDatabase(name);
  await query(database.url, `create schema engine_catalog; ${postgresCatalogMigrations.join(";")}`);
  return database;
}

/** Returns an INSERT of one event per row of a table. @param key expression of the ordering key; absent: unordered */
export function eventsFrom(rows: string, trigger: string, key?: string): string {
  const order = key === undefined ? ["null", "null"] : [key, "nextval('engine_catalog.event_ordering')"];
  return `insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordering_key, ordering_number)
    select 'public', 'item', '${trigger}', jsonb_build_object('op', 'INSERT', 'data',
      jsonb_build_object('old', null, 'new', to_jsonb(r)), 'session_variables', null, 'trace_context', null),
      ${order.join(", ")}
    from (${rows}) r`;
}
