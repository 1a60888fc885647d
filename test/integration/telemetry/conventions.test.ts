/** Attributes of spans by OpenTelemetry's stable conventions for HTTP and databases, as a collector decodes them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { type RemoteStreamServer, startRemoteStreams } from "../../support/remote-streams.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const parent = "00f067aa0ba902b7";
const secretPath = "path-hunter2";
const waiting = { timeout: 30_000, interval: 100 };

let collector: OtlpReceiver;
let handler: ActionHandlerServer;
let remote: RemoteStreamServer;
let server: TestServer;

/** The action `fail` returns an error, every other a success. */
const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
  "/fail": [503, '{"message": "not now"}'],
  "/say": [200, '{"text": "said"}'],
};

async function* ticks() {
  for (let tick = 1; tick <= 2; tick++) yield { ticks: tick };
  // The subscription stays open until the client ends it.
  await new Promise(() => undefined);
}

beforeAll(async () => {
  collector = await startOtlpReceiver();
  handler = await startActionHandler(({ path }, response) => {
    const [status, body] = answers[path.replace(/\?.*/, "")] ?? [200, "{}"];
    response.writeHead(status).end(body);
  });
  remote = await startRemoteStreams("type Query { hello: String } type Subscription { ticks: Int }", {
    root: { ticks, hello: () => "hello" },
  });
  const url = `http://127.0.0.1:${handler.port}`;
  const streaming = { url: `http://127.0.0.1:${remote.port}`, subscriptions: true };
  server = await startTestServer({ environment: { HOOK: `${url}/hook?key=${secretPath}` } });
  const sql = "create table book (id serial primary key, title text not null check (title <> 'bad'))";
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  await server.metadata("pg_track_table", { source: "default", table: "book" });
  const validate_input = { type: "http", definition: { url: "{{HOOK}}" } };
  const permission = { columns: "*", check: {}, validate_input };
  await server.metadata("pg_create_insert_permission", { table: "book", role: "user", permission });
  const webhook = "{{HOOK}}";
  await server.metadata("pg_create_event_trigger", {
    name: "on_book",
    table: "book",
    webhook,
    insert: { columns: "*" },
  });
  await server.metadata("set_custom_types", {
    objects: [{ name: "Said", fields: [{ name: "text", type: "String" }] }],
  });
  for (const name of ["say", "fail"]) {
    const definition = { handler: `${url}/${name}?key=${secretPath}`, type: "query", output_type: "Said" };
    await server.metadata("create_action", { name, definition });
  }
  await server.metadata("add_remote_schema", { name: "remote", definition: streaming });
  const query = "query One($id: Int!) { book_by_pk(id: $id) { id } }";
  const definition = { queries: [{ name: "one", query }] };
  await server.metadata("create_query_collection", { name: "saved", definition });
  const saved = { query: { collection_name: "saved", query_name: "one" } };
  await server.metadata("create_rest_endpoint", { name: "one", url: "book/:id", methods: ["GET"], definition: saved });
  await server.metadata("set_opentelemetry_config", {
    status: "enabled",
    data_types: ["traces", "metrics"],
    exporter_otlp: {
      otlp_traces_endpoint: `${collector.url}/v1/traces`,
      otlp_metrics_endpoint: `${collector.url}/v1/metrics`,
      traces_propagators: ["b3", "tracecontext"],
    },
    batch_span_processor: { max_export_batch_size: 1 },
  });
});

afterAll(async () => {
  await server?.close();
  await remote?.close();
  await handler?.close();
  await collector?.close();
});

const idOf = (digit: string): string => digit.repeat(32);
const inTrace = (digit: string) => ({ traceparent: `00-${idOf(digit)}-${parent}-01` });

/** Waits for the span of a trace with this name. */
async function spanOf(digit: string, name: string): Promise<ReceivedSpan> {
  const find = () => collector.spans.find((span) => span.traceId === idOf(digit) && span.name === name);
  await expect.poll(find, waiting).toBeDefined();
  const span = find();
  if (span === undefined) throw new Error("invariant: it was found");
  return span;
}

const calledPort = () => ({ "server.address": "127.0.0.1", "server.port": handler.port });

it("The span of a request has the standard attributes", async () => {
  await server.graphql("{ book { id } }", { ...inTrace("1"), "user-agent": "tester/1" });
  const { attributes, kind, status } = await spanOf("1", "/v1/graphql");
  expect([kind, status]).toEqual([2, 0]);
  const { port } = new URL(server.url);
  expect(attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/v1/graphql",
    "http.response.status_code": 200,
    "url.path": "/v1/graphql",
    "url.scheme": "http",
    "server.address": expect.stringMatching(/^(localhost|127\.0\.0\.1)$/),
    "server.port": Number(port),
    "client.address": expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    "network.protocol.version": "1.1",
    "user_agent.original": "tester/1",
  });
  expect(attributes).not.toHaveProperty("url.query");
});

it("The span of a REST request has its route without values", async () => {
  await fetch(`${server.url}/api/rest/book/77001`, { headers: inTrace("2") });
  const { attributes } = await spanOf("2", "/api/rest/book/77001");
  expect(attributes["http.route"]).toBe("/api/rest/book/:id");
});

it("The span of a request with an unknown method has the method _OTHER", async () => {
  await fetch(`${server.url}/v1/version`, { method: "PROPFIND", headers: inTrace("3") });
  const { attributes } = await spanOf("3", "/v1/version");
  expect(attributes).toMatchObject({ "http.request.method": "_OTHER", "http.request.method_original": "PROPFIND" });
});

it("The span of a statement has the standard attributes and the database's error code", async () => {
  await server.graphql('mutation { insert_book_one(object: {title: "bad"}) { id } }', inTrace("4"));
  const { attributes, kind, status } = await spanOf("4", "Database query");
  expect([kind, status]).toEqual([3, 2]);
  const { hostname, port, pathname } = new URL(server.databaseUrl);
  expect(attributes).toEqual({
    "db.system.name": "postgresql",
    "db.namespace": pathname.slice(1),
    "db.response.status_code": "23514",
    "error.type": "permission-error",
    "server.address": hostname,
    "server.port": Number(port),
    source_name: "default",
  });
});

it("The span of an action call has the standard attributes", async () => {
  await server.graphql("{ say { text } }", inTrace("5"));
  const { attributes, kind, status } = await spanOf("5", "Action: say");
  expect([kind, status]).toEqual([3, 0]);
  expect(attributes).toEqual({ "http.request.method": "POST", "http.response.status_code": 200, ...calledPort() });
});

it("The span of a failed action call has the error type", async () => {
  await server.graphql("{ fail { text } }", inTrace("6"));
  const { attributes, status } = await spanOf("6", "Action: fail");
  expect(status).toBe(2);
  expect(attributes).toMatchObject({ "http.response.status_code": 503, "error.type": expect.any(String) });
});

it("The span of a remote request has the standard attributes", async () => {
  await server.graphql("{ hello }", inTrace("7"));
  const { attributes, kind } = await spanOf("7", 'Remote schema query for root field "hello"');
  expect(kind).toBe(3);
  const place = { "server.address": "127.0.0.1", "server.port": remote.port };
  expect(attributes).toEqual({ "http.request.method": "POST", "http.response.status_code": 200, ...place });
});

it("The spans of input validation and event delivery have the standard attributes", async () => {
  const asUser = { ...inTrace("8"), "x-engine-role": "user" };
  await server.graphql('mutation { insert_book(objects: [{title: "good"}]) { affected_rows } }', asUser);
  const attributes = { "http.request.method": "POST", "http.response.status_code": 200, ...calledPort() };
  expect(await spanOf("8", "Input validation")).toMatchObject({ kind: 3, attributes });
  expect(await spanOf("8", "Event trigger: on_book")).toMatchObject({
    kind: 5,
    attributes: { ...attributes, event_id: expect.any(String), tries: 0 },
  });
});

it("The span of a remote subscription has the standard attributes and continues at the server", async () => {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { headers: inTrace("9") } });
  client.send({ type: "subscribe", id: "1", payload: { query: "subscription Ticks { ticks }" } });
  const root = await spanOf("9", "websocket");
  expect(root).toMatchObject({ kind: 2, parentSpanId: parent, attributes: { "graphql.operation.name": "Ticks" } });
  const asking = await spanOf("9", 'Remote schema query for root field "ticks"');
  expect(asking).toMatchObject({ kind: 3, parentSpanId: root.spanId });
  expect(remote.handshakes.at(-1)).toMatchObject({ traceparent: `00-${idOf("9")}-${asking.spanId}-01` });
  client.send({ type: "subscribe", id: "2", payload: { query: "subscription { nothing }" } });
  const failed = () => collector.spans.find(({ name, status }) => name === "websocket" && status === 2);
  await expect.poll(failed, waiting).toMatchObject({ attributes: { "error.type": "validation-failed" } });
  client.ws.close();
  await client.closed;
});

it("No span contains a secret address", () => {
  const texts = collector.spans.map(({ name, attributes }) => JSON.stringify([name, attributes]));
  expect(texts.filter((text) => text.includes(secretPath))).toEqual([]);
});
