/** The trace of a request as databases keep it. */

import { randomHex } from "../values/random-hex.ts";
import type { Session } from "../values/session.ts";
import type { Span } from "../values/span.ts";
import { readContext } from "../values/trace-context.ts";

/**
 * For triggers of the database, which keep it with events (`docs/event-triggers.md`): the step that is traced, else the
 * context that the request came with, else a new one. So an event always has a trace, whether or not anything is exported.
 */
export function traceSetting(span: Span, headers: Session["clientHeaders"]): string {
  return JSON.stringify(requestTrace(span, headers));
}

/** The same as an object, as payloads of events have it. */
export function requestTrace({ isRecording, context }: Span, headers: Session["clientHeaders"] = {}) {
  const known = context ?? readContext(headers);
  const sent = headers["x-b3-traceid"];
  // An id of 64 bits stays as it was sent: receivers compare it.
  const isShort = context === undefined && sent?.length === 16 && known?.traceId.endsWith(sent) === true;
  const trace_id = isShort ? sent : (known?.traceId ?? randomHex(16));
  const span_id = known?.spanId ?? randomHex(8);
  const isSampled = isRecording ? true : known?.isSampled;
  return { trace_id, span_id, ...(isSampled !== undefined && { sampling_state: isSampled ? "1" : "0" }) };
}
