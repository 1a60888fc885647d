/** `/v1/metrics` of a real server: access to it, and values that agree with the server's activity. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMetadataStore } from "../../../runtime/control/store.ts";
import { metricTable } from "../../../runtime/ports/metric-table.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const secret = "read-the-metrics";
const environment = {
  ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
  ENGINE_GRAPHQL_METRICS_SECRET: secret,
};

let server: TestServer;
let webhook: WebhookReceiver;

async function read(url = server.url, token: string | null = secret): Promise<Response> {
  return fetch(`${url}/v1/metrics`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
}

/** Returns the sum of a metric over all series with these labels. */
async function sumOf(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const lines = (await (await read()).text())
    .split("\n")
    .filter((line) => line.replace(/[{ ].*/, "") === `engine_${name}`);
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const found = lines.filter((line) => wanted.every((each) => line.includes(each)));
  return found.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

beforeAll(async () => {
  webhook = await startWebhookReceiver();
  server = await startTestServer({ environment });
  await server.post("/v2/query", {
    type: "run_sql",
    args: { sql: "create table book (id serial primary key, title text not null)" },
  });
  await server.metadata("pg_track_table", { source: "default", table: "book" });
});

afterAll(async () => {
  await server?.close();
  await webhook?.close();
});

describe("The metrics endpoint", () => {
  it("The metrics endpoint returns every metric with one description", async () => {
    const response = await read();
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const types = (await response.text()).split("\n").filter((line) => line.startsWith("# TYPE "));
    expect(types).toEqual(Object.values(metricTable).map(({ name, kind }) => `# TYPE engine_${name} ${kind}`));
  });

  it("The metrics endpoint requires its secret", async () => {
    for (const token of [null, "wrong", `${secret}x`, secret.slice(1)]) {
      const refused = await read(server.url, token);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
      expect(await refused.json()).toMatchObject({ code: "access-denied", path: "$" });
    }
    const basic = await fetch(`${server.url}/v1/metrics`, { headers: { authorization: `Basic ${secret}` } });
    expect(basic.status).toBe(401);
  });

  it("The metrics endpoint does not exist unless it is enabled", async () => {
    const other = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_METRICS_SECRET: secret } });
    try {
      expect((await read(other.url)).status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  it("The metrics endpoint is restricted to admins if it has no secret", async () => {
    const other = await startTestServer({
      on: server,
      environment: { ENGINE_GRAPHQL_ENABLED_APIS: "metrics", ENGINE_GRAPHQL_ADMIN_SECRET: "admin" },
    });
    try {
      expect((await read(other.url, null)).status).toBe(401);
      const headers = { "x-engine-admin-secret": "admin" };
      expect((await fetch(`${other.url}/v1/metrics`, { headers })).status).toBe(200);
      const asUser = { ...headers, "x-engine-role": "user" };
      expect((await fetch(`${other.url}/v1/metrics`, { headers: asUser })).status).not.toBe(200);
    } finally {
      await other.stop();
    }
  });

  it("Operations are counted by kind, outcome and name", async () => {
    const before = await sumOf("graphql_execution_time_seconds_count");
    await server.graphql("query Books { book { id } }");
    await server.graphql("query Books { book { id } }");
    await server.graphql('mutation Add { insert_book_one(object: {title: "secret-title"}) { id } }');
    await server.graphql("query Wrong { nothing }");
    const labels = { response_status: "success", operation_name: "Books" };
    expect(await sumOf("graphql_requests_total", { ...labels, operation_type: "query" })).toBe(2);
    expect(await sumOf("graphql_requests_total", { operation_type: "mutation", operation_name: "Add" })).toBe(1);
    expect(await sumOf("graphql_requests_total", { operation_type: "unknown", response_status: "failed" })).toBe(1);
    expect(await sumOf("graphql_execution_time_seconds_count")).toBe(before + 3);
    expect(await sumOf("plan_cache_requests_total", { status: "hit" })).toBeGreaterThan(0);
    const text = await (await read()).text();
    expect(text).not.toContain("secret-title");
    expect(text).not.toContain(secret);
  });

  it("Operations that differ only in values share one hash", async () => {
    await server.graphql("query Limited { book(limit: 1, where: {id: {_in: [1, 2]}}) { id } }");
    await server.graphql("query Limited { book(limit: 2, where: {id: {_in: [3]}}) { id } }");
    const lines = (await (await read()).text()).split("\n").filter((line) => line.includes('operation_name="Limited"'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ 2$/);
  });

  it("Variables and results are counted if the metadata configures it", async () => {
    const query = `query Found($limit: Int, $other: Int = 3) {
      book_by_pk(id: -1) { id }
      book(where: {id: {_lt: 0}}, limit: $limit) { title }
      all: book_aggregate(where: {id: {_eq: $other}}) { aggregate { count } }
    }`;
    const found = { operation_name: "Found", operation_type: "query" };
    const counts = async () => ({
      value: await sumOf("graphql_response_fields_total", { ...found, result: "value" }),
      null: await sumOf("graphql_response_fields_total", { ...found, result: "null" }),
      empty: await sumOf("graphql_response_fields_total", { ...found, result: "empty" }),
      limit: await sumOf("graphql_variables_total", { ...found, variable_name: "limit", state: "value" }),
      withoutLimit: await sumOf("graphql_variables_total", { ...found, variable_name: "limit", state: "absent" }),
      other: await sumOf("graphql_variables_total", { ...found, variable_name: "other", state: "absent" }),
    });
    const ask = (variables?: object) => server.graphql(query, {}, variables);
    const nothing = { value: 0, null: 0, empty: 0, limit: 0, withoutLimit: 0, other: 0 };
    await ask({ limit: 77_001 });
    expect(await counts()).toEqual(nothing);
    await server.metadata("set_metrics_config", { analyze_query_variables: true, analyze_response_body: false });
    await ask({ limit: 77_001 });
    expect(await counts()).toEqual({ ...nothing, limit: 1, other: 1 });
    await server.metadata("set_metrics_config", { analyze_query_variables: true, analyze_response_body: true });
    await ask({ limit: 77_001 });
    await ask();
    const all = { value: 2, null: 2, empty: 2, limit: 2, withoutLimit: 1, other: 3 };
    expect(await counts()).toEqual(all);
    await server.metadata("remove_metrics_config", {});
    await ask();
    expect(await counts()).toEqual(all);
    expect(await (await read()).text()).not.toContain("77001");
  });

  it("The bytes of responses are those that the client receives", async () => {
    const sizeOf = (response: Response) => Number(response.headers.get("content-length"));
    const first = await read();
    const before = Number(/^engine_http_response_bytes_total (\d+)$/m.exec(await first.text())?.[1]);
    // The error has details that only administrators receive.
    const failed = await fetch(`${server.url}/v1/graphql`, {
      method: "POST",
      headers: { "x-engine-role": "nobody" },
      body: '{"query": "{ book { id } }"}',
    });
    expect(await failed.text()).toContain("errors");
    const after = await sumOf("http_response_bytes_total");
    expect(after - before).toBe(sizeOf(first) + sizeOf(failed));
  });

  it("Open subscriptions are counted", async () => {
    const socket = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    socket.send({ type: "connection_init", payload: {} });
    await socket.next();
    socket.send({ type: "subscribe", id: "1", payload: { query: "subscription Watch { book { id } }" } });
    await socket.next();
    const labels = { subscription_kind: "live-query", operation_name: "Watch" };
    expect(await sumOf("active_subscriptions", labels)).toBe(1);
    await server.graphql('mutation { insert_book_one(object: {title: "lag"}) { id } }');
    await expect.poll(() => sumOf("subscription_lag_seconds_count", labels)).toBe(1);
    const bound = await sumOf("subscription_lag_seconds_sum", labels);
    expect(bound).toBeGreaterThan(0);
    expect(bound).toBeLessThan(10);
    expect(await sumOf("active_subscription_pollers", { subscription_kind: "live-query" })).toBe(1);
    expect(await sumOf("websocket_connections")).toBe(1);
    // Bytes are counted when the socket has written them, which may be after the client has read them.
    await expect
      .poll(() => sumOf("websocket_messages_sent_bytes_total", { operation_name: "Watch" }))
      .toBeGreaterThan(0);
    expect(await sumOf("websocket_messages_received_bytes_total")).toBeGreaterThan(0);
    socket.ws.close();
    await expect.poll(() => sumOf("active_subscriptions", labels), { timeout: 5000 }).toBe(0);
    await expect.poll(() => sumOf("websocket_connections"), { timeout: 5000 }).toBe(0);
  });

  it("Metrics describe metadata, process and databases", async () => {
    expect(await sumOf("metadata_resource_version")).toBeGreaterThan(1);
    expect(await sumOf("metadata_inconsistent_objects")).toBe(0);
    expect(await sumOf("metadata_compile_seconds_count")).toBeGreaterThan(0);
    expect(await sumOf("metadata_reload_seconds_count")).toBeGreaterThan(0);
    expect(await sumOf("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(await sumOf("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(await sumOf("postgres_connections", { source_name: "default", role: "primary" })).toBeGreaterThan(0);
    expect(await sumOf("postgres_connection_init_time_count", { source_name: "default" })).toBeGreaterThan(0);
    const text = await (await read()).text();
    const { password } = new URL(server.databaseUrl);
    if (password !== "") expect(text).not.toContain(password);
  });

  it("The lag of metadata stored by another instance is measured", async () => {
    expect(await sumOf("metadata_lag_seconds_count")).toBe(0);
    const store = await openMetadataStore(server.metadataUrl, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", { retries: 0 });
    await store.write({ written: [], removed: [] }, (await store.version()) ?? 0);
    await store.close();
    await expect.poll(() => sumOf("metadata_lag_seconds_count"), { timeout: 10_000 }).toBe(1);
    expect(await sumOf("metadata_lag_seconds_sum")).toBeGreaterThan(0);
    expect(await sumOf("metadata_lag_seconds_sum")).toBeLessThan(10);
  });

  it("Event deliveries and waiting events are counted", async () => {
    await server.metadata("pg_create_event_trigger", {
      source: "default",
      name: "on_book",
      table: "book",
      webhook: webhook.url,
      insert: { columns: "*" },
    });
    const labels = { trigger_name: "on_book", source_name: "default" };
    await server.graphql('mutation { insert_book_one(object: {title: "b"}) { id } }');
    const delivered = () => sumOf("event_processed_total", { ...labels, status: "success" });
    await expect.poll(delivered, { timeout: 10_000 }).toBe(1);
    expect(await sumOf("event_invocations_total", { ...labels, status: "success" })).toBe(1);
    expect(await sumOf("event_webhook_processing_time_seconds_count", labels)).toBe(1);
    expect(await sumOf("event_processing_time_seconds_count", labels)).toBe(1);
    expect(await sumOf("event_lag_seconds_count", labels)).toBe(1);
    // The age is positive and in seconds, whatever the clocks of this machine and of the database.
    const lag = await sumOf("event_lag_seconds_sum", labels);
    expect(lag).toBeGreaterThan(0);
    expect(lag).toBeLessThan(20);
    expect(await sumOf("event_trigger_request_bytes_total")).toBeGreaterThan(0);
    expect(await sumOf("events_fetched_total", { source_name: "default" })).toBe(1);
    const text = async (): Promise<string> => (await read()).text();
    await expect
      .poll(text, { timeout: 20_000, interval: 500 })
      .toContain('engine_event_backlog{trigger_name="on_book"');
  });
});
