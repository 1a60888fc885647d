/** The telemetry of an artifact: the metrics of the live server, and the export that its metadata configures. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { metricTable } from "../../../runtime/ports/metric-table.ts";
import { type ArtifactProcess, engine, startArtifact } from "../../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";

const library = join(root, "fixtures/library");
const secret = "read-the-metrics";
const exported = `
status: enabled
data_types: [traces, metrics]
exporter_otlp:
  otlp_traces_endpoint: "{{OTEL_ENDPOINT}}/v1/traces"
  otlp_metrics_endpoint: "{{OTEL_ENDPOINT}}/v1/metrics"
batch_span_processor: { max_export_batch_size: 1 }
`;

let folder: string;
let database: TestDatabase;
let collector: OtlpReceiver;
let server: ArtifactProcess;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-telemetry-"));
  await cp(join(library, "metadata"), join(folder, "metadata"), { recursive: true });
  await writeFile(join(folder, "metadata/opentelemetry.yaml"), exported);
  const analyzed = "analyze_query_variables: false\nanalyze_response_body: true\n";
  await writeFile(join(folder, "metadata/metrics_config.yaml"), analyzed);
  const [shape, artifact] = [join(library, "shape.json"), join(folder, "artifact")];
  const built = await engine(["build", "--metadata", "metadata", "--shape", shape, "--out", artifact], folder);
  expect(built).toMatchObject({ code: 0, stderr: "" });
  database = await createDatabase();
  await query(database.url, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  collector = await startOtlpReceiver();
  server = await startArtifact(artifact, {
    environment: {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
      ENGINE_GRAPHQL_ENABLED_APIS: "graphql,metrics",
      ENGINE_GRAPHQL_METRICS_SECRET: secret,
      OTEL_ENDPOINT: collector.url,
    },
  });
}, 180_000);

afterAll(async () => {
  await server?.stop();
  await collector?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const scrape = (token: string): Promise<Response> =>
  fetch(`${server.url}/v1/metrics`, { headers: { authorization: `Bearer ${token}` } });

const trace = "f".repeat(32);

describe("Telemetry of artifacts", () => {
  it("An artifact serves an operation that it traces", async () => {
    const response = await fetch(`${server.url}/v1/graphql`, {
      method: "POST",
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      body: JSON.stringify({ query: "query Sealed { __typename }" }),
    });
    expect(await response.json()).toEqual({ data: { __typename: "query_root" } });
  });

  it("An artifact serves every metric with the metrics secret", async () => {
    expect((await scrape("wrong")).status).toBe(401);
    const text = await (await scrape(secret)).text();
    const types = text.split("\n").filter((line) => line.startsWith("# TYPE "));
    expect(types).toEqual(Object.values(metricTable).map(({ name, kind }) => `# TYPE engine_${name} ${kind}`));
    expect(text).toMatch(/engine_graphql_requests_total\{.*operation_name="Sealed".*\} 1/);
    expect(text).toMatch(/engine_graphql_response_fields_total\{.*result="value",operation_name="Sealed".*\} 1/);
    expect(text).toMatch(/engine_metadata_resource_version 1/);
    expect(text).toMatch(/engine_process_resident_memory_bytes \d{7}/);
  });

  it("An artifact exports the telemetry of its metadata", async () => {
    const waiting = { timeout: 30_000, interval: 100 };
    // Spans are exported separately, and the span of the request ends last.
    const requestSpan = () => collector.spans.find(({ kind, traceId }) => kind === 2 && traceId === trace);
    await expect.poll(requestSpan, waiting).toMatchObject({ name: "/v1/graphql" });
    await expect.poll(() => collector.metrics.has("engine_graphql_requests_total"), waiting).toBe(true);
  });
});
