/** Trace context headers: accepted forms, and the handling of invalid ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TraceMaker } from "../../../../runtime/observe/telemetry/tracing/trace-maker.ts";
import type { EndedSpan } from "../../../../runtime/observe/telemetry/tracing/trace-span.ts";
import { contextHeaders, readContext } from "../../../../runtime/values/trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

describe("Trace contexts of requests", () => {
  it.each([
    ["W3C", { traceparent: `00-${traceId}-${spanId}-01` }, true],
    ["W3C without sampling", { traceparent: `00-${traceId}-${spanId}-00` }, false],
    ["a later version of W3C", { traceparent: `cc-${traceId}-${spanId}-01-more` }, true],
    ["B3 in one header", { b3: `${traceId}-${spanId}-1` }, true],
    ["B3 in one header, with its parent", { b3: `${traceId}-${spanId}-0-${spanId}` }, false],
    ["B3 for debugging", { b3: `${traceId}-${spanId}-d` }, true],
    ["B3 without a sampling decision", { b3: `${traceId}-${spanId}` }, undefined],
    ["B3 in several headers", { "x-b3-traceid": traceId, "x-b3-spanid": spanId, "x-b3-sampled": "1" }, true],
    ["B3 in several headers with a flag", { "x-b3-traceid": traceId, "x-b3-spanid": spanId, "x-b3-flags": "1" }, true],
    [
      "B3 in several headers without a sampling decision",
      { "x-b3-traceid": traceId, "x-b3-spanid": spanId },
      undefined,
    ],
  ] as const)("readContext reads %s", (_name, headers, isSampled) => {
    expect(readContext(headers)).toEqual({ traceId, spanId, isSampled });
  });

  it("readContext keeps the trace state only with the W3C header", () => {
    const tracestate = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";
    const found = readContext({ traceparent: `00-${traceId}-${spanId}-01`, tracestate });
    const context = { traceId, spanId, isSampled: true, state: tracestate };
    expect(found).toEqual(context);
    expect(contextHeaders(context, true)).toMatchObject({ tracestate });
    expect(contextHeaders(context, false)).not.toHaveProperty("tracestate");
    for (const bad of ["", "a=\r\nb: c", "a=\u00e4", `a=${"b".repeat(511)}`]) {
      const headers = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: bad };
      expect(readContext(headers)).toEqual({ traceId, spanId, isSampled: true });
    }
    expect(readContext({ b3: `${traceId}-${spanId}-1`, tracestate })).toEqual({ traceId, spanId, isSampled: true });
  });

  it("readContext extends short trace ids", () => {
    expect(readContext({ b3: `${spanId}-${spanId}-1` })?.traceId).toBe(`${"0".repeat(16)}${spanId}`);
  });

  it.each([
    { traceparent: `ff-${traceId}-${spanId}-01` },
    { traceparent: `00-${traceId}-${spanId}-01-more` },
    { traceparent: `00-${"0".repeat(32)}-${spanId}-01` },
    { traceparent: `00-${traceId}-${"0".repeat(16)}-01` },
    { traceparent: `00-${traceId.slice(1)}-${spanId}-01` },
    { b3: "0" },
    { b3: `${traceId}\r\nx-evil: 1-${spanId}-1` },
    { "x-b3-traceid": traceId },
    { "x-b3-traceid": "../../etc", "x-b3-spanid": spanId },
    {},
  ])("readContext returns undefined for %j", (headers) => {
    expect(readContext(headers)).toBeUndefined();
  });

  it("A trace context from any headers is written as valid header values", () => {
    const anything = fc.record({ traceparent: fc.string(), b3: fc.string(), "x-b3-traceid": fc.string() });
    fc.assert(
      fc.property(anything, (headers) => {
        const found = readContext(headers);
        if (found === undefined) return;
        const sent = contextHeaders({ ...found, isSampled: true }, true);
        for (const value of Object.values(sent)) expect(value).toMatch(/^[0-9a-f-]+$/);
      }),
    );
  });

  it("readContext reads the headers that contextHeaders writes", () => {
    const context = { traceId, spanId, isSampled: true };
    const headers = contextHeaders(context, true);
    expect(readContext(headers)).toEqual(context);
    const { traceparent: _, ...b3 } = headers;
    expect(readContext(b3)).toEqual(context);
  });
});

describe("Traces", () => {
  function tracing(sampleRatio = 1) {
    const spans: EndedSpan[] = [];
    const tracer = new TraceMaker();
    tracer.configure({
      sampleRatio,
      traceparent: false,
      withTexts: false,
      withOldNames: false,
      sink: (span) => spans.push(span),
    });
    return { tracer, spans };
  }

  it("A trace has a limited number of spans, regardless of the number of fields", () => {
    const { tracer, spans } = tracing();
    const root = tracer.begin("/v1/graphql", "server", {});
    for (let i = 0; i < 5000; i++) root.child(`field${i}`).end();
    root.end();
    root.end();
    expect(spans).toHaveLength(1001);
  });

  it("A trace truncates long attribute values", () => {
    const { tracer, spans } = tracing();
    const root = tracer.begin("/", "server", {});
    root.set({ session_variables: "x".repeat(1_000_000) });
    root.end();
    expect(String(spans[0]?.attributes.session_variables).length).toBeLessThan(10_000);
  });

  it("Traces are exported at about the configured sampling rate", () => {
    const { tracer, spans } = tracing(0.25);
    for (let i = 0; i < 4000; i++) tracer.begin("/", "server", {}).end();
    expect(spans.length).toBeGreaterThan(800);
    expect(spans.length).toBeLessThan(1200);
  });

  it("A trace that is not sampled is still propagated", () => {
    const { tracer, spans } = tracing(0);
    const root = tracer.begin("/", "server", {});
    const headers = root.child("call").headers();
    root.end();
    expect(spans).toEqual([]);
    expect(headers?.["x-b3-sampled"]).toBe("0");
    expect(headers?.["x-b3-traceid"]).toMatch(/^[0-9a-f]{32}$/);
    expect(headers).not.toHaveProperty("traceparent");
  });
});
