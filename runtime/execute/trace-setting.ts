/** The trace of a request as databases are told of it. */
import type { Span } from "../values/span.ts";

/** For triggers of the database, which keep it with events (`docs/event-triggers.md`); `undefined`: nothing is told. */
export function traceSetting({ isRecording, context }: Span): string | undefined {
  if (!isRecording || context === undefined) return undefined;
  return JSON.stringify({ trace_id: context.traceId, span_id: context.spanId, sampling_state: "1" });
}
