/** Options of schedules, and the handling of schedules during shutdown. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let first: TestServer;
let receiver: WebhookReceiver;
const servers: TestServer[] = [];

beforeAll(async () => {
  first = await startTestServer({ sealed: false, environment: { ENGINE_GRAPHQL_DISABLE_EVENTING: "true" } });
});
afterAll(() => first?.close());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await receiver?.close();
});

async function another(environment: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startTestServer({ sealed: false, on: first, environment });
  servers.push(server);
  return server;
}

const once = (server: TestServer, more: object = {}) =>
  server.metadata("create_scheduled_event", {
    webhook: receiver.url,
    schedule_at: new Date().toISOString(),
    payload: { card: "4111" },
    ...more,
  });

const statuses = async () =>
  (await query(first.metadataUrl, "select status from engine_catalog.engine_scheduled_events order by created_at")).map(
    ({ status }) => status,
  );

async function eventually(look: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + 15_000;
  while (performance.now() < end) {
    if (await look()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

it("Options leave scheduled events to other instances or undelivered", async () => {
  receiver = await startWebhookReceiver();
  await first.metadata("create_cron_trigger", {
    name: "hourly",
    webhook: receiver.url,
    schedule: "0 * * * *",
    include_in_metadata: true,
  });
  await once(first);
  const events = () => query(first.metadataUrl, "select count(*)::int as count from engine_catalog.engine_cron_events");
  expect(await events()).toEqual([{ count: 0 }]);
  await another({ ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING: "true" });
  expect(await events()).toEqual([{ count: 100 }]);
  expect(await statuses()).toEqual(["scheduled"]);
  await another({});
  expect(await eventually(async () => (await statuses())[0] === "delivered")).toBe(true);
  expect(receiver.received).toHaveLength(1);
});

it("The log omits payloads if they are redacted, and transforms change the request", async () => {
  receiver = await startWebhookReceiver((response) => response.end("answer 4222"));
  const server = await another({ ENGINE_GRAPHQL_REDACT_SCHEDULED_TRIGGER_LOGS: "true" });
  await once(server, {
    request_transform: { version: 2, body: { action: "transform", template: '{"number": {{$body.payload.card}}}' } },
  });
  expect(await eventually(async () => receiver.received.length === 1)).toBe(true);
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual({ number: "4111" });
  expect(await eventually(async () => server.log.some((line) => line.includes('"scheduled-trigger"')))).toBe(true);
  expect(server.log.join("")).not.toMatch(/4111|4222/);
});

it("A stopping server waits for scheduled deliveries and returns the rest", async () => {
  let answer = (): void => undefined;
  receiver = await startWebhookReceiver((response) => {
    answer = () => response.end();
  });
  const server = await another({ ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: "10" });
  await once(server);
  expect(await eventually(async () => receiver.received.length === 1)).toBe(true);
  const stopped = server.stop();
  servers.splice(0);
  setTimeout(() => answer(), 500);
  await stopped;
  expect((await statuses()).at(-1)).toBe("delivered");
  expect(await query(first.metadataUrl, "select from engine_catalog.engine_server_instances")).toEqual([]);
});
