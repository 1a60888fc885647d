/** Events and asynchronous actions with every database behind PgBouncer in transaction mode. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type Pooler, startPooler } from "../../support/pooler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let source: TestDatabase;
let metadata: TestDatabase;
let pooler: Pooler | undefined;
let webhook: WebhookReceiver;
let server: TestServer;

beforeAll(async () => {
  source = await createDatabase("pooled");
  metadata = await createDatabase("pooled_metadata");
  pooler = await startPooler(source.url);
  if (pooler === undefined) return;
  webhook = await startWebhookReceiver((response) => response.end('{"id": 1}'));
  server = await startTestServer({
    sealed: false,
    on: { databaseUrl: pooler.before(source.url), metadataUrl: pooler.before(metadata.url) },
    environment: { ENGINE_GRAPHQL_USE_PREPARED_STATEMENTS: "false", HOOK: webhook.url },
  });
  await query(source.url, "create table item (id serial primary key, name text)");
  await server.metadata("pg_track_table", { table: "item" });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await webhook?.close();
  await pooler?.stop();
  await Promise.all([source?.drop(), metadata?.drop()]);
});

const receivedAt = (path: string) => webhook.received.filter((each) => each.path === path);

describe("Event delivery behind a connection pooler", () => {
  beforeEach(({ skip }) => skip(pooler === undefined, "pgbouncer is not installed"));

  it("Behind a pooler, events are recorded and delivered once, including those of large statements", async () => {
    const trigger = { name: "made", table: "item", webhook: "{{HOOK}}/made", insert: { columns: "*" } };
    await server.metadata("pg_create_event_trigger", trigger);
    await server.graphql('mutation { insert_item_one(object: {name: "one"}) { id } }');
    await query(source.url, "insert into item (name) select 'many' from generate_series(1, 150)");
    const delivered = "select count(*)::int as count from engine_catalog.event_log where delivered";
    await vi.waitFor(async () => expect(await query(source.url, delivered)).toEqual([{ count: 151 }]), 15_000);
    expect(new Set(receivedAt("/made").map(({ body }) => JSON.parse(body).id)).size).toBe(151);
    expect(receivedAt("/made")).toHaveLength(151);
  });

  it("Behind a pooler, asynchronous actions run and notify subscriptions", async () => {
    const definition = { kind: "asynchronous", handler: "{{HOOK}}/print", output_type: "Printed" };
    const fields = [{ name: "id", type: "Int!" }];
    await server.metadata("set_custom_types", { objects: [{ name: "Printed", fields }] });
    await server.metadata("create_action", { name: "print", definition });
    const { json } = await server.post("/v1/graphql", { query: "mutation { print }" });
    const result = `{ print(id: "${json.data.print}") { errors output { id } } }`;
    await vi.waitFor(async () => {
      expect(await server.graphql(result)).toEqual({ data: { print: { errors: null, output: { id: 1 } } } });
    }, 15_000);
    expect(receivedAt("/print")).toHaveLength(1);
  });
});
