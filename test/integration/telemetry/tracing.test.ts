/** Traces, metrics and logs over OTLP, as a collector gets them; where traces come from and where they go on. */
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
    // A span at a time: nothing waits for more.
    batch_span_processor: { max_export_batch_size: 1 },
    ...changes,
  });
}

function spansOf(traceId: string): readonly ReceivedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId);
}

async function rootOf(traceId: string): Promise<ReceivedSpan> {
  await expect.poll(() => spansOf(traceId).some(({ kind }) => kind === 2), waiting).toBe(true);
  const root = spansOf(traceId).find(({ kind }) => kind === 2);
  if (root === undefined) throw new Error("invariant: it was found");
  return root;
}

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

describe("traces", () => {
  it("tell a query with its root fields and statements, in the caller's trace", async () => {
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
        "enduser.role": "admin",
        "graphql.operation.name": "Books",
        "graphql.operation.type": "query",
        session_variables: '{"x-engine-role":"admin"}',
      },
    });
    expect(root.attributes.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(root.attributes["http.response_content_length"]).toBeGreaterThan(0);
    const children = spansOf(trace).filter(({ parentSpanId }) => parentSpanId === root.spanId);
    expect(children.map(({ name }) => name).sort()).toEqual(["Encode response", "Parse GraphQL", "book", "more"]);
    const query = spansOf(trace).find(({ name }) => name === "Database query");
    expect(query).toMatchObject({ kind: 3, attributes: { "db.system.name": "postgresql", source_name: "default" } });
    expect(query?.attributes).not.toHaveProperty("db.query.text");
    for (const span of spansOf(trace)) expect(span.end >= span.start && span.start >= root.start).toBe(true);
  });

  it("go to the collector with the headers of the metadata", async () => {
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

  it("mark what failed, without saying what was asked", async () => {
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

  it("are as long as clients want them to be told, and no longer", async () => {
    await configure();
    const untold = "6".repeat(32);
    const told = "7".repeat(32);
    await server.graphql("{ book { id } }", { b3: `${untold}-${parent}-0` });
    await server.graphql("{ book { id } }", { b3: `${told}-${parent}-1` });
    await rootOf(told);
    expect(spansOf(untold)).toEqual([]);
  });

  it("go on in triggers and through events", async () => {
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
    await expect.poll(() => webhook.told.length, waiting).toBe(1);
    const [told] = webhook.told;
    await expect.poll(() => spansOf(id).some(({ name }) => name === "Event trigger: on_book"), waiting).toBe(true);
    const delivery = spansOf(id).find(({ name }) => name === "Event trigger: on_book");
    const statement = spansOf(id).find(({ name }) => name === "Database query");
    expect(delivery?.parentSpanId).toBe(statement?.spanId);
    expect(told?.headers).toMatchObject({
      "x-b3-traceid": id,
      "x-b3-spanid": delivery?.spanId,
      "x-b3-sampled": "1",
      traceparent: `00-${id}-${delivery?.spanId}-01`,
    });
    expect(JSON.parse(told?.body ?? "").event.trace_context).toEqual({
      trace_id: id,
      span_id: statement?.spanId,
      sampling_state: "1",
    });
  });

  it("go on in remote servers, whatever headers of its own trace the client sent", async () => {
    const remote = await startRemoteGraphql("type Query { hello: String }");
    try {
      await server.metadata("add_remote_schema", {
        name: "remote",
        definition: { url: `http://127.0.0.1:${remote.port}`, forward_client_headers: true },
      });
      await configure();
      const id = "9".repeat(32);
      await server.graphql("{ hello }", { traceparent: `00-${id}-${parent}-01`, tracestate: "rojo=1" });
      await rootOf(id);
      const call = spansOf(id).find(({ name }) => name === 'Remote schema query for root field "hello"');
      expect(call).toBeDefined();
      expect(remote.headers.at(-1)).toMatchObject({
        traceparent: `00-${id}-${call?.spanId}-01`,
        tracestate: "rojo=1",
        "x-b3-spanid": call?.spanId,
      });
    } finally {
      await server.metadata("set_opentelemetry_status", "disabled");
      await server.metadata("remove_remote_schema", { name: "remote" });
      await remote.close();
    }
  });

  it("go on in asynchronous actions, whoever makes the call", async () => {
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
      await expect.poll(() => spansOf(id).some(({ name }) => name === "async actions processor"), waiting).toBe(true);
      await rootOf(id);
      const delivery = spansOf(id).find(({ name }) => name === "async actions processor");
      const asked = spansOf(id).find(({ name }) => name === "Action: order");
      expect(delivery).toMatchObject({ kind: 5, parentSpanId: asked?.spanId, attributes: { action_name: "order" } });
      expect(handler.requests.at(-1)?.headers).toMatchObject({ traceparent: `00-${id}-${delivery?.spanId}-01` });
    } finally {
      await server.metadata("drop_action", { name: "order" });
      await handler.close();
    }
  });

  it("tell what is joined, and go on in the server that is asked for it", async () => {
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
      await rootOf(id);
      const joining = spansOf(id).find(({ name }) => name === "Process remote joins");
      const asking = spansOf(id).find(({ name }) => name === "Remote schema query for remote joins");
      expect(joining).toBeDefined();
      expect(asking).toMatchObject({ kind: 3, attributes: { remote_schema: "abouts" } });
      expect(remote.headers.at(-1)).toMatchObject({ traceparent: `00-${id}-${asking?.spanId}-01` });
    } finally {
      await server.metadata("set_opentelemetry_status", "disabled");
      await server.metadata("pg_delete_remote_relationship", { table: "book", name: "about" });
      await server.metadata("remove_remote_schema", { name: "abouts" });
      await remote.close();
    }
  });

  it("hold up no request while the collector refuses them, and count what is lost", async () => {
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
      await expect.poll(() => other.log.join(""), waiting).toContain("telemetry could not be exported");
      const warnings = other.log.filter((line) => line.includes("telemetry could not be exported"));
      expect(warnings).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it("are none without a configuration that can be followed", async () => {
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

describe("a sample of traces", () => {
  it("leaves out what begins here, and what clients want told is told", async () => {
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
      const told = "a".repeat(32);
      await expect
        .poll(async () => {
          await other.graphql("query Sampled { book { id } }", { traceparent: `00-${told}-${parent}-01` });
          return spansOf(told).length;
        }, waiting)
        .toBeGreaterThan(0);
      const root = await rootOf(told);
      expect(root.attributes["graphql.query"]).toBe("query Sampled { book { id } }");
      const statement = spansOf(told).find(({ name }) => name === "Database query");
      expect(statement?.attributes["db.query.text"]).toMatch(/select/i);
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

describe("logs and metrics", () => {
  it("are exported too, lines with their trace", async () => {
    await configure({ data_types: ["traces", "logs", "metrics"] });
    const id = "c".repeat(32);
    await server.graphql("query Logged { book { id } }", { traceparent: `00-${id}-${parent}-01` });
    // What waits is sent when it is switched off.
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
