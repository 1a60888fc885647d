/**
 * Traces, metrics and logs that a collector receives over OTLP, and trace contexts of incoming and outgoing requests.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startActionHandler } from "../../support/action-handler.ts";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

let collector: OtlpReceiver;
let webhook: WebhookReceiver;
let server: TestServer;

const waiting = { timeout: 20_000, interval: 100 };

async function configure(changes: Readonly<Record<string, unknown>> = {}, exporter: object = {}): Promise<void> {
  await server.metadata("set_opentelemetry_config", {
    status: "enabled",
    data_types: ["traces"],
    exporter_otlp: {
      otlp_traces_endpoint: `${collector.url}/v1/traces`,
      otlp_metrics_endpoint: `${collector.url}/v1/metrics`,
      otlp_logs_endpoint: `${collector.url}/v1/logs`,
      headers: [{ name: "x-collector-key", value_from_env: "COLLECTOR_KEY" }],
      resource_attributes: [{ name: "deployment.environment.name", value: "test" }],
      traces_propagators: ["b3", "tracecontext"],
      ...exporter,
    },
    // Each span is exported separately, so that no span waits for a full batch.
    batch_span_processor: { max_export_batch_size: 1 },
    ...changes,
  });
}

function spansOf(traceId: string): readonly ReceivedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId);
}

/** Waits for a span: each is exported by itself, so a child may arrive after its parent. */
async function received(traceId: string, matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  await expect.poll(() => spansOf(traceId).some(matches), waiting).toBe(true);
  const span = spansOf(traceId).find(matches);
  if (span === undefined) throw new Error("invariant: it was found");
  return span;
}

const rootOf = (traceId: string) => received(traceId, ({ kind }) => kind === 2);

const spanNamed = (traceId: string, wanted: string) => received(traceId, ({ name }) => name === wanted);

beforeAll(async () => {
  collector = await startOtlpReceiver();
  webhook = await startWebhookReceiver();
  server = await startTestServer({ environment: { COLLECTOR_KEY: "key-of-the-collector" } });
  await server.post("/v2/query", {
    type: "run_sql",
    args: { sql: "create table book (id serial primary key, title text not null)" },
  });
  await server.metadata("pg_track_table", { source: "default", table: "book" });
});

afterAll(async () => {
  await server?.close();
  await webhook?.close();
  await collector?.close();
});

afterEach(async () => {
  collector.status = 200;
  await server.metadata("set_opentelemetry_status", "disabled");
});

describe("Traces in requests", () => {
  it("A trace contains a query with its root fields and statements in the caller's trace", async () => {
    await configure();
    await server.graphql("query Books { book { id } more: book { title } }", {
      traceparent: `00-${trace}-${parent}-01`,
    });
    const root = await rootOf(trace);
    expect(root).toMatchObject({
      name: "/v1/graphql",
      parentSpanId: parent,
      resource: { "service.name": "engine", "deployment.environment.name": "test" },
      attributes: {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "user.roles": ["admin"],
        "graphql.operation.name": "Books",
        "graphql.operation.type": "query",
        session_variables: '{"x-engine-role":"admin"}',
      },
    });
    expect(root.attributes.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(root.attributes["http.response.body.size"]).toBeGreaterThan(0);
    const children = () => spansOf(trace).filter(({ parentSpanId }) => parentSpanId === root.spanId);
    await expect
      .poll(
        () =>
          children()
            .map(({ name }) => name)
            .sort(),
        waiting,
      )
      .toEqual(["Encode response", "Parse GraphQL", "book", "more"]);
    const query = await spanNamed(trace, "Database query");
    expect(query).toMatchObject({ kind: 3, attributes: { "db.system.name": "postgresql", source_name: "default" } });
    expect(query.attributes).not.toHaveProperty("db.query.text");
    for (const span of spansOf(trace)) expect(span.end >= span.start && span.start >= root.start).toBe(true);
  });

  it("Traces are sent to the collector with the headers of the metadata", async () => {
    await configure();
    const seen = collector.requests.length;
    await server.graphql("{ book { id } }");
    await expect.poll(() => collector.requests.length, waiting).toBeGreaterThan(seen);
    const request = collector.requests.at(-1);
    expect(request?.path).toBe("/v1/traces");
    expect(request?.headers).toMatchObject({
      "content-type": "application/x-protobuf",
      "x-collector-key": "key-of-the-collector",
    });
    expect(server.log.join("")).not.toContain("key-of-the-collector");
  });

  it("A trace marks failures without exposing the request's values", async () => {
    await configure();
    const id = "5".repeat(32);
    const query = '{ book(where: {title: {_eq: "private"}}) { nothing } }';
    await server.graphql(query, { "x-b3-traceid": id, "x-b3-spanid": parent, "x-b3-sampled": "1" });
    const root = await rootOf(id);
    expect(root).toMatchObject({ status: 2, attributes: { "error.type": "validation-failed" } });
    expect(JSON.stringify(spansOf(id), (_, value) => (typeof value === "bigint" ? "" : value))).not.toContain(
      "private",
    );
  });

  it("A trace follows the client's sampling decision", async () => {
    await configure();
    const unsampled = "6".repeat(32);
    const sampled = "7".repeat(32);
    await server.graphql("{ book { id } }", { b3: `${unsampled}-${parent}-0` });
    await server.graphql("{ book { id } }", { b3: `${sampled}-${parent}-1` });
    await rootOf(sampled);
    expect(spansOf(unsampled)).toEqual([]);
  });

  it("A trace continues in triggers and events", async () => {
    const id = "8".repeat(32);
    await server.metadata("pg_create_event_trigger", {
      source: "default",
      name: "on_book",
      table: "book",
      webhook: webhook.url,
      insert: { columns: "*" },
    });
    await configure();
    await server.graphql('mutation { insert_book_one(object: {title: "b"}) { id } }', {
      traceparent: `00-${id}-${parent}-01`,
    });
    await expect.poll(() => webhook.received.length, waiting).toBe(1);
    const [call] = webhook.received;
    const delivery = await spanNamed(id, "Event trigger: on_book");
    const statement = await spanNamed(id, "Database query");
    expect(delivery.parentSpanId).toBe(statement.spanId);
    expect(call?.headers).toMatchObject({
      "x-b3-traceid": id,
      "x-b3-spanid": delivery.spanId,
      "x-b3-sampled": "1",
      traceparent: `00-${id}-${delivery.spanId}-01`,
    });
    expect(JSON.parse(call?.body ?? "").event.trace_context).toEqual({
      trace_id: id,
      span_id: statement.spanId,
      sampling_state: "1",
    });
  });

  it("A trace continues in remote servers, regardless of the client's own trace headers", async () => {
    const remote = await startRemoteGraphql("type Query { hello: String }");
    try {
      await server.metadata("add_remote_schema", {
        name: "remote",
        definition: { url: `http://127.0.0.1:${remote.port}`, forward_client_headers: true },
      });
      await configure();
      const id = "9".repeat(32);
      await server.graphql("{ hello }", { traceparent: `00-${id}-${parent}-01`, tracestate: "rojo=1" });
      const call = await spanNamed(id, 'Remote schema query for root field "hello"');
      expect(remote.headers.at(-1)).toMatchObject({
        traceparent: `00-${id}-${call.spanId}-01`,
        tracestate: "rojo=1",
        "x-b3-spanid": call.spanId,
      });
    } finally {
      await server.metadata("set_opentelemetry_status", "disabled");
      await server.metadata("remove_remote_schema", { name: "remote" });
      await remote.close();
    }
  });

  it("A trace continues in asynchronous actions on any instance", async () => {
    const handler = await startActionHandler((_, response) => void response.end('{"id": 1}'));
    try {
      await server.metadata("set_custom_types", {
        objects: [{ name: "Order", fields: [{ name: "id", type: "Int!" }] }],
      });
      await server.metadata("create_action", {
        name: "order",
        definition: {
          kind: "asynchronous",
          type: "mutation",
          handler: `http://127.0.0.1:${handler.port}`,
          output_type: "Order",
        },
      });
      await configure();
      const id = "d".repeat(32);
      await server.graphql("mutation { order }", { traceparent: `00-${id}-${parent}-01` });
      const delivery = await spanNamed(id, "async actions processor");
      const actionSpan = await spanNamed(id, "Action: order");
      expect(delivery).toMatchObject({
        kind: 5,
        parentSpanId: actionSpan.spanId,
        attributes: { action_name: "order" },
      });
      expect(handler.requests.at(-1)?.headers).toMatchObject({ traceparent: `00-${id}-${delivery.spanId}-01` });
    } finally {
      await server.metadata("drop_action", { name: "order" });
      await handler.close();
    }
  });

  it("A trace contains joins and continues in the joined server", async () => {
    const remote = await startRemoteGraphql("type Query { about(id: Int!): String }");
    try {
      await server.metadata("add_remote_schema", {
        name: "abouts",
        definition: { url: `http://127.0.0.1:${remote.port}` },
      });
      await server.metadata("pg_create_remote_relationship", {
        table: "book",
        name: "about",
        definition: {
          to_remote_schema: {
            remote_schema: "abouts",
            lhs_fields: ["id"],
            remote_field: { about: { arguments: { id: "$id" } } },
          },
        },
      });
      await server.graphql('mutation { insert_book_one(object: {title: "joined"}) { id } }');
      await configure();
      const id = "e".repeat(32);
      await server.graphql("{ book { id about } }", { traceparent: `00-${id}-${parent}-01` });
      await spanNamed(id, "Process remote joins");
      const joined = await spanNamed(id, "Remote schema query for remote joins");
      expect(joined).toMatchObject({ kind: 3, attributes: { remote_schema: "abouts" } });
      expect(remote.headers.at(-1)).toMatchObject({ traceparent: `00-${id}-${joined.spanId}-01` });
    } finally {
      await server.metadata("set_opentelemetry_status", "disabled");
      await server.metadata("pg_delete_remote_relationship", { table: "book", name: "about" });
      await server.metadata("remove_remote_schema", { name: "abouts" });
      await remote.close();
    }
  });

  it("A failing collector delays no request, and lost spans are counted", async () => {
    const other = await startTestServer({
      on: server,
      environment: { COLLECTOR_KEY: "k", ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics" },
    });
    try {
      collector.status = 400;
      await configure();
      const metrics = async (): Promise<string> => (await fetch(`${other.url}/v1/metrics`)).text();
      const dropped = async (): Promise<boolean> => {
        await other.graphql("{ book { id } }");
        return /otel_dropped_spans\{reason="send_failed"\} [1-9]/.test(await metrics());
      };
      await expect.poll(dropped, waiting).toBe(true);
      await expect.poll(() => other.log.join(""), waiting).toContain("failed to export telemetry");
      const warnings = other.log.filter((line) => line.includes("failed to export telemetry"));
      expect(warnings).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it("Traces are not exported without a valid configuration", async () => {
    const count = collector.spans.length;
    await server.graphql("{ book { id } }");
    const refused = await server.post("/v1/metadata", {
      type: "set_opentelemetry_config",
      args: { status: "enabled", data_types: ["traces"], exporter_otlp: { otlp_traces_endpoint: "no url" } },
    });
    expect(refused.status).toBe(400);
    await server.graphql("{ book { id } }");
    expect(collector.spans.length).toBe(count);
  });
});

describe("Sampling of traces", () => {
  it("The sample ratio applies to new traces; for others, the client's sampling decision applies", async () => {
    const other = await startTestServer({
      on: server,
      environment: {
        COLLECTOR_KEY: "k",
        ENGINE_GRAPHQL_TRACES_SAMPLE_RATIO: "0",
        ENGINE_GRAPHQL_ENABLE_QUERY_TRACING: "true",
      },
    });
    try {
      await configure();
      const sampled = "a".repeat(32);
      await expect
        .poll(async () => {
          await other.graphql("query Sampled { book { id } }", { traceparent: `00-${sampled}-${parent}-01` });
          return spansOf(sampled).length;
        }, waiting)
        .toBeGreaterThan(0);
      const root = await rootOf(sampled);
      expect(root.attributes["graphql.document"]).toBe("query Sampled { book { id } }");
      const statement = await spanNamed(sampled, "Database query");
      expect(statement.attributes["db.query.text"]).toMatch(/select/i);
      const others = new Set(collector.spans.map(({ traceId }) => traceId));
      for (let i = 0; i < 20; i++) await other.graphql("{ book { id } }");
      await other.graphql("{ book { id } }", { traceparent: `00-${"b".repeat(32)}-${parent}-01` });
      await rootOf("b".repeat(32));
      const found = new Set(collector.spans.map(({ traceId }) => traceId));
      expect([...found].filter((id) => !others.has(id))).toEqual(["b".repeat(32)]);
    } finally {
      await other.stop();
    }
  });
});

describe("Logs and metrics in telemetry", () => {
  it("Logs and metrics are exported, and log lines carry their trace", async () => {
    await configure({ data_types: ["traces", "logs", "metrics"] });
    const id = "c".repeat(32);
    await server.graphql("query Logged { book { id } }", { traceparent: `00-${id}-${parent}-01` });
    // When telemetry is disabled, buffered items are sent.
    await server.metadata("set_opentelemetry_status", "disabled");
    const line = () => collector.logs.find(({ traceId }) => traceId === id);
    await expect.poll(line, waiting).toMatchObject({ severity: "info", attributes: { type: "http-log" } });
    const root = await rootOf(id);
    expect(line()?.spanId).toBe(root.spanId);
    expect(JSON.parse(String(line()?.body))).toMatchObject({ http_info: { status: 200 } });
    await expect
      .poll(() => collector.metrics.get("engine_graphql_requests_total"), waiting)
      .toEqual([
        {
          attributes: expect.objectContaining({ operation_name: "Logged", response_status: "success" }),
          value: 1,
        },
      ]);
    expect(collector.metrics.get("engine_graphql_execution_time_seconds")?.[0]?.value).toBe(1);
  });
});
