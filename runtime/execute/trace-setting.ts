/** The trace of a request as databases keep it. */

import { randomHex } from "../values/random-hex.ts";
import type { Session } from "../values/session.ts";
import type { Span } from "../values/span.ts";
import { readContext } from "../values/trace-context.ts";

/**
 * For triggers of the database, which keep it with events (`docs/event-triggers.md`): the step that is traced, else the
 * context that the request came with. `undefined`: there is neither, and what records events makes one.
 */
export function traceSetting(span: Span, headers: Session["clientHeaders"]): string | undefined {
  const known = knownTrace(span, headers);
  return known && JSON.stringify(known);
}

/** The same as an object, as payloads of events have it; a new one where there is none. */
export function requestTrace(span: Span, headers: Session["clientHeaders"]) {
  return knownTrace(span, headers) ?? { trace_id: randomHex(16), span_id: randomHex(8) };
}

function knownTrace({ isRecording, context }: Span, headers: Session["clientHeaders"] = {}) {
  const known = context ?? readContext(headers);
  if (known === undefined) return undefined;
  const sent = headers["x-b3-traceid"];
  // An id of 64 bits stays as it was sent: receivers compare it.
  const isShort = context === undefined && sent?.length === 16 && known.traceId.endsWith(sent);
  const isSampled = isRecording ? true : known.isSampled;
  const trace_id = isShort ? sent : known.traceId;
  return { trace_id, span_id: known.spanId, ...(isSampled !== undefined && { sampling_state: isSampled ? "1" : "0" }) };
}
