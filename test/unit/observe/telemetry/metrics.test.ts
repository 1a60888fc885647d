/** Counted events, the number of series, and the Prometheus format. */
import { describe, expect, it } from "vitest";
import { exposition } from "../../../../runtime/observe/telemetry/metrics/exposition.ts";
import { MetricStore } from "../../../../runtime/observe/telemetry/metrics/metric-store.ts";
import { highCardinalityLabels, metricTable } from "../../../../runtime/ports/metric-table.ts";
import { missingProgram } from "../../../support/missing-program.ts";
import { promtool } from "../../../support/prometheus.ts";

function counting({ highCardinality = true } = {}) {
  const store = new MetricStore({ highCardinality });
  store.isOn = true;
  const read = () => exposition(store.read());
  /** Returns the lines of one metric without its description. */
  const linesOf = async (name: string) =>
    (await read()).split("\n").filter((line) => line.replace(/[{ ].*/, "").startsWith(`engine_${name}`));
  return { store, meters: store.meters, read, linesOf };
}

const about = { operation_name: "Books", parameterized_query_hash: "ab12" };
const done = { operation_type: "query", response_status: "success" };

describe("Metrics", () => {
  it("Counters count by labels", async () => {
    const { meters, linesOf } = counting();
    meters.requests.add(1, { ...done, ...about });
    meters.requests.add(2, { ...done, ...about });
    meters.requests.add(1, { ...done, response_status: "failed", ...about });
    expect(await linesOf("graphql_requests_total")).toEqual([
      'engine_graphql_requests_total{operation_type="query",response_status="success",operation_name="Books",parameterized_query_hash="ab12"} 3',
      'engine_graphql_requests_total{operation_type="query",response_status="failed",operation_name="Books",parameterized_query_hash="ab12"} 1',
    ]);
  });

  it("Histograms sort times into cumulative buckets including their bounds", async () => {
    const { meters, linesOf } = counting();
    for (const seconds of [0.01, 0.02, 0.3, 11]) meters.executionTime.record(seconds, { operation_type: "query" });
    const buckets = await linesOf("graphql_execution_time_seconds");
    expect(buckets.map((line) => line.replace(/^.*le="(.*)"}/, "$1"))).toEqual([
      "0.01 1",
      "0.03 2",
      "0.1 2",
      "0.3 3",
      "1 3",
      "3 3",
      "10 3",
      "+Inf 4",
      'engine_graphql_execution_time_seconds_sum{operation_type="query"} 11.33',
      'engine_graphql_execution_time_seconds_count{operation_type="query"} 4',
    ]);
  });

  it("High-cardinality labels are omitted if they are disabled", async () => {
    const { meters, linesOf } = counting({ highCardinality: false });
    meters.requests.add(1, { ...done, ...about });
    meters.requests.add(1, { ...done, operation_name: "Others", parameterized_query_hash: "" });
    expect(await linesOf("graphql_requests_total")).toEqual([
      'engine_graphql_requests_total{operation_type="query",response_status="success"} 2',
    ]);
  });

  it("Series beyond the limit are collected under one label value and counted", async () => {
    const { meters, linesOf } = counting();
    for (let i = 0; i < 2500; i++) {
      meters.requests.add(1, { ...done, operation_name: `O${i}`, parameterized_query_hash: String(i) });
    }
    const lines = await linesOf("graphql_requests_total");
    expect(lines.length).toBeLessThanOrEqual(2001);
    const total = lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    expect(total).toBe(2500);
    expect(lines.at(-1)).toContain('operation_name="other",parameterized_query_hash="other"} 500');
    expect(await linesOf("metrics_limited_series_total")).toEqual(["engine_metrics_limited_series_total 500"]);
  });

  it("A cached series counts the same as a series found by its labels", async () => {
    const { store, meters, linesOf } = counting();
    const labels = { ...done, ...about };
    const counter = meters.requests.of(labels);
    const timer = meters.executionTime.of({ operation_type: "query" });
    counter.add(1);
    meters.requests.add(1, labels);
    timer.record(0.02);
    store.isOn = false;
    counter.add(1);
    timer.record(0.02);
    expect(await linesOf("graphql_requests_total")).toEqual([expect.stringMatching(/ 2$/)]);
    expect(await linesOf("graphql_execution_time_seconds_count")).toEqual([expect.stringMatching(/ 1$/)]);
  });

  it("Each observation without a series of its own is counted as limited", async () => {
    const { meters, linesOf } = counting();
    for (let i = 0; i < 2000; i++)
      meters.requests.add(1, { ...done, operation_name: `O${i}`, parameterized_query_hash: "" });
    const late = meters.requests.of({ ...done, operation_name: "Late", parameterized_query_hash: "" });
    for (let i = 0; i < 3; i++) late.add(1);
    expect((await linesOf("graphql_requests_total")).at(-1)).toMatch(/"other".* 3$/);
    expect(await linesOf("metrics_limited_series_total")).toEqual(["engine_metrics_limited_series_total 3"]);
  });

  it("Disabled metrics count nothing, except gauges that go up and down", async () => {
    const { store, meters, linesOf } = counting();
    store.isOn = false;
    expect(meters.isOn).toBe(false);
    meters.httpRequestBytes.add(7);
    meters.eventWorkers.add(1);
    store.isOn = true;
    meters.eventWorkers.add(-1);
    expect(await linesOf("http_request_bytes_total")).toEqual(["engine_http_request_bytes_total 0"]);
    expect(await linesOf("event_trigger_http_workers")).toEqual(["engine_event_trigger_http_workers 0"]);
  });

  it("Failure counters start at zero so that the first failure is visible as an increase", async () => {
    const { meters, linesOf } = counting();
    expect(await linesOf("cron_events_processed_total")).toEqual([
      'engine_cron_events_processed_total{status="success"} 0',
      'engine_cron_events_processed_total{status="failed"} 0',
    ]);
    expect(await linesOf("otel_dropped_spans")).toHaveLength(2);
    expect(await linesOf("event_processed_total")).toEqual([]);
    meters.eventsProcessed.add(1, { status: "success", trigger_name: "t", source_name: "s" });
    expect(await linesOf("event_processed_total")).toEqual([
      'engine_event_processed_total{status="success",trigger_name="t",source_name="s"} 1',
      'engine_event_processed_total{status="failed",trigger_name="t",source_name="s"} 0',
    ]);
  });

  it("Label values are escaped", async () => {
    const { meters, linesOf } = counting();
    meters.eventsFetched.add(1, { source_name: 'a"b\\c\nd' });
    expect(await linesOf("events_fetched_total")).toEqual([
      'engine_events_fetched_total{source_name="a\\"b\\\\c\\nd"} 1',
    ]);
  });

  it("Long label values are truncated", async () => {
    const { meters, linesOf } = counting();
    meters.eventsFetched.add(1, { source_name: "x".repeat(10_000) });
    expect((await linesOf("events_fetched_total"))[0]?.length).toBeLessThan(200);
  });

  it("Writing thousands of series yields to other work", async () => {
    const { meters, read } = counting();
    for (let i = 0; i < 2000; i++) {
      meters.requests.add(1, { ...done, operation_name: `O${i}`, parameterized_query_hash: String(i) });
      meters.eventsProcessed.add(1, { status: "success", trigger_name: `t${i}`, source_name: "default" });
      meters.eventOldest.set(1, { trigger_name: `t${i}`, source_name: "default" });
    }
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns++;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    const lines = (await read()).split("\n");
    isRead = true;
    expect(lines.length).toBeGreaterThan(6000);
    expect(turns).toBeGreaterThan(4);
  });
});

describe("The table of metrics", () => {
  const rows = Object.values(metricTable);

  it("The table of metrics names each metric once", () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  it("Histograms have ascending bounds and other metrics have none", () => {
    for (const row of rows) {
      const bounds: readonly number[] = "buckets" in row ? row.buckets : [];
      expect(bounds.length > 0, row.name).toBe(row.kind === "histogram");
      expect([...bounds].sort((a, b) => a - b)).toEqual(bounds);
    }
  });

  it("Metrics have no labels beyond the documented ones", () => {
    const labels = new Set<string>(rows.flatMap(({ labels: names }) => [...names]));
    const fixed = [
      "kind",
      "operation_type",
      "response_status",
      "result",
      "state",
      "status",
      "subscription_kind",
      "reason",
      "percentile",
      "mode",
    ];
    const configured = ["source_name", "conn_info", "role"];
    expect([...labels].sort()).toEqual([...fixed, ...configured, ...highCardinalityLabels].sort());
  });
});

/** Names fixed by the specification that violate Prometheus conventions. */
const fixedNames = ["cache_request_count", "otel_sent_", "otel_dropped_"];

describe.skipIf(missingProgram("promtool"))("Validation by promtool", () => {
  it("promtool accepts the metrics except for names that are fixed", async () => {
    const { meters, read } = counting();
    meters.executionTime.record(1, { operation_type: "query" });
    const { said } = promtool(["check", "metrics"], await read());
    expect(
      said.split("\n").filter((line) => line !== "" && !fixedNames.some((name) => line.startsWith(`engine_${name}`))),
    ).toEqual([]);
  });
});
