/** Metrics, traces and exported logs contain no secrets, and no client can make them grow without bound. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OtlpReceiver, startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const metricsSecret = "secret-of-the-metrics";
const adminSecret = "secret-of-the-admin";
const collectorKey = "key-of-the-collector";
/** Secrets in all positions that a client or an operator controls. */
const secrets = {
  literal: "value-in-the-text",
  variable: "value-of-a-variable",
  header: "value-of-a-header",
  cookie: "value-of-a-cookie",
  path: "value-in-the-path",
};

let collector: OtlpReceiver;
let server: TestServer;

const admin = { "x-engine-admin-secret": adminSecret };

async function metadata(type: string, args: unknown): Promise<void> {
  const { status, text } = await server.post("/v1/metadata", { type, args }, admin);
  expect(status, text).toBe(200);
}

async function metrics(): Promise<string> {
  const headers = { authorization: `Bearer ${metricsSecret}` };
  return (await fetch(`${server.url}/v1/metrics`, { headers })).text();
}

beforeAll(async () => {
  collector = await startOtlpReceiver();
  server = await startTestServer({
    sealed: false,
    environment: {
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      ENGINE_GRAPHQL_METRICS_SECRET: metricsSecret,
      ENGINE_GRAPHQL_ADMIN_SECRET: adminSecret,
      COLLECTOR_KEY: collectorKey,
    },
  });
  const sql = "create table book (id serial primary key, title text not null)";
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, admin);
  await metadata("pg_track_table", { table: "book" });
  await metadata("set_opentelemetry_config", {
    status: "enabled",
    data_types: ["traces", "metrics", "logs"],
    exporter_otlp: {
      otlp_traces_endpoint: `${collector.url}/v1/traces`,
      otlp_metrics_endpoint: `${collector.url}/v1/metrics`,
      otlp_logs_endpoint: `${collector.url}/v1/logs`,
      headers: [{ name: "x-key", value_from_env: "COLLECTOR_KEY" }],
    },
  });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await collector?.close();
});

describe("Telemetry under attack", () => {
  it("Metrics, traces and logs contain no value, header or secret of a request", async () => {
    const headers = {
      ...admin,
      authorization: `Bearer ${secrets.header}`,
      cookie: `session=${secrets.cookie}`,
      "x-engine-token": secrets.header,
    };
    const text = `query Find($title: String) {
      book(where: {_or: [{title: {_eq: $title}}, {title: {_eq: "${secrets.literal}"}}]}) { id } }`;
    const variables = { title: secrets.variable };
    await server.post("/v1/graphql", { query: text, variables }, headers);
    await server.post("/v1/graphql", { query: `query Wrong { book(where: "${secrets.literal}") { id } }` }, headers);
    await server.post("/v1/graphql", { query: `{ "${secrets.literal}` }, headers);
    await fetch(`${server.url}/v1/${secrets.path}?token=${secrets.path}`, { headers });
    const scraped = await metrics();
    expect(scraped).toContain('operation_name="Find"');
    for (const [place, value] of Object.entries(secrets)) expect(scraped, place).not.toContain(value);
    // When telemetry is disabled, buffered items are sent.
    await metadata("set_opentelemetry_status", "disabled");
    await expect.poll(() => collector.spans.length, { timeout: 20_000 }).toBeGreaterThan(5);
    await expect.poll(() => collector.logs.length, { timeout: 20_000 }).toBeGreaterThan(3);
    await expect.poll(() => collector.metrics.size, { timeout: 20_000 }).toBeGreaterThan(10);
    const { spans, logs, metrics: points } = collector;
    const exported = JSON.stringify([spans, logs, [...points]], (_, value) =>
      typeof value === "bigint" ? value.toString() : value,
    );
    for (const value of [secrets.variable, secrets.cookie, adminSecret, metricsSecret, collectorKey]) {
      expect(exported).not.toContain(value);
      expect(scraped).not.toContain(value);
    }
    expect(JSON.stringify([...points])).not.toContain(secrets.literal);
  });

  it("Metrics stay within a bound for any operation names", async () => {
    const batch = 50;
    const names = (from: number) =>
      Array.from({ length: batch }, (_, i) => ({ query: `query N${from + i} { __typename }` }));
    for (let from = 0; from < 2100; from += batch) {
      const { status } = await server.post("/v1/graphql", names(from), admin);
      expect(status).toBe(200);
    }
    const text = await metrics();
    const series = text.split("\n").filter((line) => line.startsWith("engine_graphql_requests_total{"));
    expect(series.length).toBeLessThanOrEqual(2001);
    expect(series.at(-1)).toContain('operation_name="other"');
    expect(text).toMatch(/engine_metrics_limited_series_total [1-9]/);
  }, 60_000);

  it("A client cannot break out of a metric label", async () => {
    const before = (await metrics()).split("\n").length;
    for (const query of ['query A"} 1 { __typename }', "query A\\n{ __typename }", "query A\u0000B { __typename }"]) {
      await server.post("/v1/graphql", { query, operationName: 'x"} 9\nengine_made_up 1' }, admin);
    }
    const text = await metrics();
    expect(text).not.toContain("made_up");
    expect(text.split("\n").length).toBeLessThanOrEqual(before + 2);
  });

  it("The metrics endpoint is accessible only with the metrics secret", async () => {
    const tries: Record<string, string>[] = [
      {},
      admin,
      { authorization: `Bearer ${adminSecret}` },
      { authorization: metricsSecret },
      { authorization: `Bearer ${metricsSecret} x` },
      { "x-engine-admin-secret": metricsSecret },
    ];
    for (const headers of tries) expect((await fetch(`${server.url}/v1/metrics`, { headers })).status).toBe(401);
    const asAdmin = await server.post(
      "/v1/metadata",
      { type: "export_metadata", args: {} },
      { "x-engine-admin-secret": metricsSecret },
    );
    expect(asAdmin.status).toBe(401);
  });
});
