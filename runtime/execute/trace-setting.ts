/** The trace context of a request, which databases store with events. */

import { randomHex } from "../values/random-hex.ts";
import type { Session } from "../values/session.ts";
import type { Span } from "../values/span.ts";
import { readContext } from "../values/trace-context.ts";

/**
 * Returns the trace context that the database records with events (`docs/how-to/event-triggers.md`): the context of the
 * current span, or else of the request headers. Returns `undefined` if there is neither; the trigger then creates a
 * context.
 */
export function traceSetting(span: Span, headers: Session["clientHeaders"]): string | undefined {
  const trace = traceOf(span, headers);
  return trace && JSON.stringify(trace);
}

/** Returns the context in the form of event payloads, creating one if necessary. */
export function requestTrace(span: Span, headers: Session["clientHeaders"]) {
  return traceOf(span, headers) ?? { trace_id: randomHex(16), span_id: randomHex(8) };
}

function traceOf({ isRecording, context }: Span, headers: Session["clientHeaders"] = {}) {
  const trace = context ?? readContext(headers);
  if (trace === undefined) return undefined;
  const sent = headers["x-b3-traceid"];
  // A 64-bit id is not extended, because receivers compare it with the id that was sent.
  const isShort = context === undefined && sent?.length === 16 && trace.traceId.endsWith(sent);
  const isSampled = isRecording ? true : trace.isSampled;
  const trace_id = isShort ? sent : trace.traceId;
  return { trace_id, span_id: trace.spanId, ...(isSampled !== undefined && { sampling_state: isSampled ? "1" : "0" }) };
}
