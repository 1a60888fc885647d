import { describe, expect, it } from "vitest";
import { exposition } from "../../../../runtime/observe/telemetry/metrics/exposition.ts";
import { MetricStore } from "../../../../runtime/observe/telemetry/metrics/metric-store.ts";
import {
  addReadings,
  familiesOf,
  readingOf,
  withoutGauges,
} from "../../../../runtime/observe/telemetry/metrics/readings.ts";
import { AddedMetrics } from "../../../../runtime/server/workers/added-metrics.ts";

function worker() {
  const store = new MetricStore({ highCardinality: true });
  store.isOn = true;
  const { meters } = store;
  /** Returns the reading as it arrives at the primary. */
  const read = () => JSON.parse(JSON.stringify(readingOf(store.read())));
  return { store, meters, read };
}

const labels = {
  operation_type: "query",
  response_status: "success",
  operation_name: "",
  parameterized_query_hash: "",
};

async function textOf(reading: ReturnType<typeof addReadings>): Promise<readonly string[]> {
  const text = await exposition(familiesOf(worker().store.read(), reading));
  return text.split("\n");
}

describe("Metrics of several processes", () => {
  it("Counters of several processes are summed series by series", async () => {
    const [first, second] = [worker(), worker()];
    first.meters.requests.add(3, labels);
    second.meters.requests.add(4, labels);
    second.meters.requests.add(1, { ...labels, response_status: "failed" });
    first.meters.executionTime.record(0.02, { operation_type: "query" });
    second.meters.executionTime.record(0.02, { operation_type: "query" });
    second.meters.executionTime.record(5, { operation_type: "query" });
    first.meters.httpConnections.set(2);
    second.meters.httpConnections.set(5);
    const lines = await textOf(addReadings([first.read(), second.read()]));
    const of = (name: string) => lines.filter((line) => line.startsWith(`engine_${name}`));
    expect(of("graphql_requests_total").map((line) => line.split(" ")[1])).toEqual(["7", "1"]);
    expect(of("graphql_execution_time_seconds_bucket")).toContain(
      'engine_graphql_execution_time_seconds_bucket{operation_type="query",le="0.03"} 2',
    );
    expect(of("graphql_execution_time_seconds_count")).toEqual([
      'engine_graphql_execution_time_seconds_count{operation_type="query"} 3',
    ]);
    expect(of("http_connections")).toEqual(["engine_http_connections 7"]);
  });

  it("Gauges of state show the largest value of all processes", async () => {
    const [first, second] = [worker(), worker()];
    first.meters.metadataVersion.set(7);
    second.meters.metadataVersion.set(7);
    first.meters.sourceHealth.set(0, { source_name: "default" });
    second.meters.sourceHealth.set(2, { source_name: "default" });
    const lines = await textOf(addReadings([first.read(), second.read()]));
    expect(lines).toContain("engine_metadata_resource_version 7");
    expect(lines).toContain('engine_source_health{source_name="default"} 2');
  });

  it("Counters of an ended process are kept and its gauges are dropped", () => {
    const gone = worker();
    gone.meters.requests.add(3, labels);
    gone.meters.httpConnections.set(2);
    const counted = withoutGauges(gone.read());
    expect(counted.graphql_requests_total?.map(({ value }) => value)).toEqual([3]);
    expect(counted.http_connections).toBeUndefined();
  });
});

describe("Metrics of a server with workers", () => {
  const counted = (reading: Awaited<ReturnType<AddedMetrics["read"]>>) =>
    reading.graphql_requests_total?.map(({ value }) => value);

  it("Counters never decrease when a worker ends and another one replaces it", async () => {
    const [first, second] = [worker(), worker()];
    first.meters.requests.add(3, labels);
    second.meters.requests.add(4, labels);
    const metrics = new AddedMetrics();
    const [one, two] = [first, second].map(({ read }) => ({ read: async () => read() }));
    if (!one || !two) throw new Error("there are two");
    expect(counted(await metrics.read([one, two]))).toEqual([7]);
    metrics.remove(two);
    expect(counted(await metrics.read([one]))).toEqual([7]);
    const third = worker();
    third.meters.requests.add(1, labels);
    expect(counted(await metrics.read([one, { read: async () => third.read() }]))).toEqual([8]);
  });

  it("The last reading of a worker that does not respond is used", async () => {
    const own = worker();
    own.meters.requests.add(3, labels);
    let read: () => Promise<ReturnType<typeof own.read>> = async () => own.read();
    const slow = { read: () => read() };
    const metrics = new AddedMetrics();
    expect(counted(await metrics.read([slow]))).toEqual([3]);
    read = () => Promise.reject(new Error("it is gone"));
    expect(counted(await metrics.read([slow]))).toEqual([3]);
    read = () => new Promise(() => undefined);
    expect(counted(await metrics.read([slow]))).toEqual([3]);
  });
});
