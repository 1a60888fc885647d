import { describe, expect, it } from "vitest";
import { requestTrace } from "../../../runtime/execute/trace-setting.ts";
import { noSpan } from "../../../runtime/values/span.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";

describe("The trace recorded with events", () => {
  it.each([
    ["B3 headers", { "x-b3-traceid": trace, "x-b3-spanid": span, "x-b3-sampled": "1" }, "1"],
    [
      "B3 headers of a trace that is not sampled",
      { "x-b3-traceid": trace, "x-b3-spanid": span, "x-b3-sampled": "0" },
      "0",
    ],
    ["B3 headers without a sampling decision", { "x-b3-traceid": trace, "x-b3-spanid": span }, undefined],
    ["a single B3 header", { b3: `${trace}-${span}-1` }, "1"],
    ["the W3C header", { traceparent: `00-${trace}-${span}-01` }, "1"],
  ])("The recorded trace is that of the request: %s", (_, headers, sampling_state) => {
    const sampled = sampling_state === undefined ? {} : { sampling_state };
    expect(requestTrace(noSpan, headers)).toEqual({ trace_id: trace, span_id: span, ...sampled });
  });

  it("The recorded trace keeps a 64-bit id as it was sent", () => {
    const headers = { "x-b3-traceid": "463ac35c9f6413ad", "x-b3-spanid": span };
    expect(requestTrace(noSpan, headers)).toEqual({ trace_id: "463ac35c9f6413ad", span_id: span });
  });

  it.each([
    ["no header", {}],
    ["an unreadable header", { "x-b3-traceid": "'); drop table item; --", "x-b3-spanid": span }],
    ["an id of zeros", { traceparent: `00-${"0".repeat(32)}-${span}-01` }],
  ])("The recorded trace is new for a request with %s", (_, headers) => {
    const created = requestTrace(noSpan, headers);
    expect(created).toEqual({
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(requestTrace(noSpan, headers).trace_id).not.toBe(created.trace_id);
  });

  it("The traced span takes precedence over trace headers", () => {
    const context = { traceId: trace, spanId: span, isSampled: true };
    expect(requestTrace({ ...noSpan, isRecording: true, context }, { b3: `${"1".repeat(32)}-${span}` })).toEqual({
      trace_id: trace,
      span_id: span,
      sampling_state: "1",
    });
  });
});
