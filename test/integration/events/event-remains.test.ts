/**
 * Clean-up after event triggers: scheduled deletion of completed events, and removal of all objects that the engine
 * created in a database.
 */
import { describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { addEvent, unansweredTrigger as trigger } from "../../support/event-tables.ts";
import { startTestServer } from "../../support/server.ts";

describe("Clean-ups of a server", () => {
  const undelivered = { ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING: "true" };

  it("A server runs scheduled clean-ups, which can be paused and resumed", async () => {
    const server = await startTestServer({ environment: undelivered });
    try {
      await query(server.databaseUrl, "create table item (id serial primary key)");
      await server.metadata("pg_track_table", { table: "item" });
      const cleanup_config = { schedule: "0 0 1 1 *", clear_older_than: 24, paused: true };
      await server.metadata("pg_create_event_trigger", trigger("changed", { cleanup_config }));
      const all = { event_triggers: { sources: "*" } };
      expect(await server.metadata("resume_event_trigger_cleanups", all)).toEqual({ message: "success" });
      await addEvent(server.databaseUrl, { set: "delivered = true, created_at = '2020-01-01'" });
      await query(
        server.databaseUrl,
        `insert into engine_catalog.engine_event_log_cleanups (trigger_name, scheduled_at, status)
         values ('changed', '2020-01-01', 'scheduled')`,
      );
      // The first clean-up runs at start-up.
      const other = await startTestServer({ environment: undelivered, on: server });
      try {
        const runs = `select status, count(*)::int, sum(deleted_event_logs)::int as deleted
          from engine_catalog.engine_event_log_cleanups group by status order by status`;
        await expect
          .poll(() => query(server.databaseUrl, runs), { timeout: 10_000 })
          .toEqual([
            { status: "completed", count: 1, deleted: 1 },
            { status: "scheduled", count: 50, deleted: null },
          ]);
      } finally {
        await other.stop();
      }
      expect(await query(server.databaseUrl, "select 1 from engine_catalog.event_log")).toEqual([]);
    } finally {
      await server.close();
    }
  }, 60_000);
});

describe("Remains of event triggers in a database", () => {
  const schemas = "select nspname from pg_namespace where nspname = 'engine_catalog'";

  it("Clearing the metadata or dropping the source removes the event catalog unless another installation uses it", async () => {
    const server = await startTestServer();
    try {
      const create = async (source: string): Promise<void> => {
        const table = `item_of_${source}`;
        await query(server.databaseUrl, `create table if not exists ${table} (id serial primary key)`);
        await server.metadata("pg_track_table", { table, source });
        await server.metadata("pg_create_event_trigger", trigger(`of_${source}`, { source, table }));
        await addEvent(server.databaseUrl, { trigger: `of_${source}`, set: "delivered = true" });
      };
      await create("default");
      await server.metadata("clear_metadata", {});
      expect(await query(server.databaseUrl, schemas)).toEqual([]);

      const configuration = { connection_info: { database_url: server.databaseUrl } };
      await server.metadata("pg_add_source", { name: "same", configuration });
      await create("default");
      await create("same");
      await server.metadata("pg_drop_source", { name: "same" });
      expect(await query(server.databaseUrl, "select trigger_name from engine_catalog.event_log order by 1")).toEqual([
        { trigger_name: "of_default" },
        { trigger_name: "of_same" },
      ]);
      await server.metadata("clear_metadata", {});
      expect(await query(server.databaseUrl, schemas)).toEqual([]);

      // A table of another owner in the schema is kept, and so is the schema.
      await create("default");
      await query(server.databaseUrl, "create table engine_catalog.mine (id integer)");
      await server.metadata("clear_metadata", {});
      expect(
        await query(
          server.databaseUrl,
          "select relname from pg_class where relnamespace = 'engine_catalog'::regnamespace",
        ),
      ).toEqual([{ relname: "mine" }]);
    } finally {
      await server.close();
    }
  }, 60_000);
});
