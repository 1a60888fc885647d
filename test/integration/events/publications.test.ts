/** Databases whose tables are all published for logical replication, which refuses updates without a replica identity. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const patience = { timeout: 15_000, interval: 20 };

let webhook: WebhookReceiver;
let server: TestServer;

beforeAll(async () => {
  webhook = await startWebhookReceiver();
  server = await startTestServer({ sealed: false, environment: { HOOK: webhook.url } });
  for (const url of new Set([server.databaseUrl, server.metadataUrl])) {
    await query(url, "create publication everything for all tables");
  }
}, 60_000);

afterAll(async () => {
  await server?.close();
  await webhook?.close();
});

const unidentified = `
  select c.relname from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'engine_catalog'::regnamespace and c.relreplident <> 'f'
    and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`;

it("Event triggers are created, deliver and are dropped if every table of the database is published", async () => {
  await query(server.databaseUrl, "create table item (id serial primary key)");
  await server.metadata("pg_track_table", { table: "item" });
  const trigger = { name: "made", table: "item", webhook: "{{HOOK}}", insert: { columns: "*" } };
  await server.metadata("pg_create_event_trigger", trigger);
  await server.graphql("mutation { insert_item_one(object: {}) { id } }");
  await vi.waitFor(() => expect(webhook.received).toHaveLength(1), patience);
  await vi.waitFor(
    async () =>
      expect(await query(server.databaseUrl, "select delivered from engine_catalog.event_log")).toEqual([
        { delivered: true },
      ]),
    patience,
  );
  await server.metadata("pg_delete_event_trigger", { name: "made" });
});

it("One-off events are delivered and deleted if every table of the metadata database is published", async () => {
  const event = { webhook: "{{HOOK}}", schedule_at: new Date().toISOString(), payload: { once: true } };
  await server.metadata("create_scheduled_event", event);
  await vi.waitFor(() => expect(webhook.received.some(({ body }) => body.includes("once"))).toBe(true), patience);
});

it("A second server starts on published databases", async () => {
  const second = await startTestServer({ sealed: false, on: server, environment: { HOOK: webhook.url } });
  expect(await second.metadata("get_inconsistent_metadata", {})).toEqual([]);
  await second.stop();
});

it("Every table of the engine has a replica identity", async () => {
  for (const url of [server.databaseUrl, server.metadataUrl]) expect(await query(url, unidentified)).toEqual([]);
});
