/** Export batches: items are sent together, retried, or dropped. */
import { describe, expect, it } from "vitest";
import { Batch, sendToCollector } from "../../../../runtime/observe/telemetry/otlp/export.ts";
import { exportSettings } from "../../../../runtime/observe/telemetry/otlp/export-settings.ts";
import type { HttpReply } from "../../../../runtime/outbound/http-call.ts";
import { HttpClient } from "../../../../runtime/outbound/http-client.ts";

function batching(send: (items: readonly number[]) => Promise<void>) {
  const sent: number[] = [];
  const dropped: [number, string][] = [];
  const batch = new Batch<number>({
    size: 10,
    send,
    onSent: (count) => sent.push(count),
    onDropped: (count, reason) => dropped.push([count, reason]),
    onFailed: () => undefined,
  });
  return { batch, sent, dropped };
}

describe("Export batches", () => {
  it("A batch is sent when it is full, and its rest at the end", async () => {
    const requests: (readonly number[])[] = [];
    const { batch, sent } = batching(async (items) => void requests.push(items));
    for (let i = 0; i < 25; i++) batch.add(i);
    await batch.close();
    expect(requests.flat()).toEqual(Array.from({ length: 25 }, (_, i) => i));
    expect(Math.max(...sent)).toBe(10);
  });

  it("A batch holds a limited number of items while the collector is slow", async () => {
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { batch, dropped, sent } = batching(() => slow);
    for (let i = 0; i < 5000; i++) batch.add(i);
    const lost = dropped.reduce((sum, [count]) => sum + count, 0);
    expect(new Set(dropped.map(([, reason]) => reason))).toEqual(new Set(["buffer_full"]));
    answer();
    await batch.close();
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(5000 - lost);
    expect(5000 - lost).toBeLessThan(2100);
  });

  it("A batch that cannot be sent is dropped and the next one is tried", async () => {
    const { batch, dropped, sent } = batching(async (items) => {
      if (items.includes(0)) throw new Error("no");
    });
    for (let i = 0; i < 20; i++) batch.add(i);
    await batch.close();
    expect(dropped).toEqual([[10, "send_failed"]]);
    expect(sent).toEqual([10]);
    batch.add(99);
    expect(dropped.at(-1)).toEqual([1, "buffer_full"]);
  });
});

describe("Telemetry collectors", () => {
  const reply = (status: number, headers: HttpReply["headers"] = {}): HttpReply => ({ status, headers, text: "" });

  it("An export is retried if the collector's response allows it", async () => {
    const answers = [reply(503, { "retry-after": "0.01" }), reply(200)];
    const client = { call: async () => answers.shift() ?? reply(500) };
    await sendToCollector({ client, url: "http://collector/v1/traces", headers: {} }, new Uint8Array());
    expect(answers).toEqual([]);
  });

  it.each([400, 401, 404, 500])("An export is not retried after a %i", async (status) => {
    let calls = 0;
    const client = {
      call: async () => {
        calls++;
        return reply(status);
      },
    };
    const sending = sendToCollector({ client, url: "http://collector/v1/traces", headers: {} }, new Uint8Array());
    await expect(sending).rejects.toThrow(`the collector responded with status ${status}`);
    expect(calls).toBe(1);
  });

  it("A collector URL of a metadata service for credentials is refused", async () => {
    const limits = { milliseconds: 1000, connections: 1, callsAtOnce: 1, responseBytes: 1024, redirects: 0 };
    const client = new HttpClient(limits);
    const sending = sendToCollector({ client, url: "http://169.254.169.254/v1/traces", headers: {} }, new Uint8Array());
    await expect(sending).rejects.toThrow();
    await client.close();
  });
});

describe("Export settings", () => {
  const definition = {
    status: "{{STATUS}}",
    data_types: ["traces"],
    exporter_otlp: {
      otlp_traces_endpoint: "http://{{HOST}}/v1/traces",
      headers: [{ name: "X-Key", value_from_env: "KEY" }],
    },
  } as const;

  it("Export settings are resolved from the environment", () => {
    expect(exportSettings(definition, { STATUS: "enabled", HOST: "collector:4318", KEY: "k" })).toEqual({
      endpoints: { traces: "http://collector:4318/v1/traces" },
      headers: { "x-key": "k" },
      attributes: {},
      traceparent: false,
      batchSize: 512,
    });
  });

  it.each([
    { STATUS: "disabled", HOST: "collector", KEY: "k" },
    { STATUS: "enabled", KEY: "k" },
    { STATUS: "enabled", HOST: "collector" },
    { STATUS: "enabled", HOST: "not a host", KEY: "k" },
    {},
  ])("Export is disabled with %j", (environment) => {
    expect(exportSettings(definition, environment)).toBeUndefined();
  });
});
