/** Deliveries in progress for a source whose connection changes: their results are stored, and none is repeated. */
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let server: TestServer;
let webhook: WebhookReceiver;
const held: ServerResponse[] = [];

beforeAll(async () => {
  webhook = await startWebhookReceiver((response) => void held.push(response));
  server = await startTestServer({
    sealed: false,
    environment: { HOOK: webhook.url, ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: "3" },
  });
  await query(server.databaseUrl, "create table item (id serial primary key)");
  await server.metadata("pg_track_table", { table: "item" });
  const timeout = { num_retries: 0, interval_sec: 1, timeout_sec: 60 };
  const trigger = { name: "made", table: "item", webhook: "{{HOOK}}", insert: { columns: "*" }, retry_conf: timeout };
  await server.metadata("pg_create_event_trigger", trigger);
}, 60_000);

afterAll(async () => {
  await server?.close();
  await webhook?.close();
});

afterEach(async () => {
  for (const response of held.splice(0)) response.end();
  await vi.waitFor(async () => expect(await events()).toEqual([]), patience);
});

const patience = { timeout: 15_000, interval: 20 };
const events = () => query(server.databaseUrl, "select 1 from engine_catalog.event_log where not delivered");
const deliveriesOf = (id: number) => webhook.received.filter(({ body }) => JSON.parse(body).event.data.new.id === id);

async function add(): Promise<number> {
  const [row] = await query(server.databaseUrl, "insert into item default values returning id");
  const id = Number(row?.id);
  await vi.waitFor(() => expect(deliveriesOf(id)).toHaveLength(1), patience);
  return id;
}

let retries = 1;
const changeConnection = () => {
  const database_url = { from_env: "ENGINE_GRAPHQL_DATABASE_URL" };
  const connection_info = { database_url, pool_settings: { retries: ++retries } };
  return server.metadata("pg_update_source", { name: "default", configuration: { connection_info } });
};

const invocations = (id: number) =>
  query(
    server.databaseUrl,
    `select i.status from engine_catalog.event_invocation_logs i join engine_catalog.event_log e on e.id = i.event_id
     where e.payload #> '{data,new,id}' = to_jsonb($1::int)`,
    [id],
  );

it("The results of deliveries in progress are stored before the old connection is closed", async () => {
  const first = await add();
  await changeConnection();
  // The new connection delivers at once.
  const second = await add();
  await changeConnection();
  for (const response of held.splice(0)) response.end();
  await vi.waitFor(async () => expect(await events()).toEqual([]), patience);
  for (const id of [first, second]) {
    expect(await invocations(id)).toEqual([{ status: 200 }]);
    expect(deliveriesOf(id)).toHaveLength(1);
  }
});

it("A changed source waits at most the shutdown timeout and then delivers again", async () => {
  const id = await add();
  await changeConnection();
  await vi.waitFor(() => expect(deliveriesOf(id)).toHaveLength(2), patience);
  const [first, second] = deliveriesOf(id);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(2900);
});
