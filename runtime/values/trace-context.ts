/** Reads and writes trace contexts in headers: B3 with one or several headers, and `traceparent` (W3C). */
import type { Session } from "./session.ts";
import type { TraceContext } from "./span.ts";

type ClientHeaders = NonNullable<Session["clientHeaders"]>;

/** The trace context of a caller. */
export interface CallerContext {
  readonly traceId: string;
  readonly spanId: string;
  /** `undefined` if the caller leaves the sampling decision to the server. */
  readonly isSampled: boolean | undefined;
  /** The `tracestate` of a `traceparent`, which is propagated. */
  readonly state?: string;
}

/** Reads the trace context of a caller. Returns `undefined` if it is missing or malformed. */
export function readContext(headers: ClientHeaders): CallerContext | undefined {
  const { traceparent, tracestate, b3, "x-b3-traceid": traceId } = headers;
  // Optimised for requests without a trace context.
  return (
    (traceparent === undefined ? undefined : readTraceparent(traceparent, tracestate)) ??
    (b3 === undefined ? undefined : readSingle(b3)) ??
    (traceId === undefined ? undefined : readMany(traceId, headers))
  );
}

const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Matches up to 512 characters, the length that every implementation must propagate (W3C Trace Context, 3.3.1.5). */
const stateForm = /^[\x20-\x7e]{1,512}$/;

function readTraceparent(text: string, state: string | undefined): CallerContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", rest] = traceparentForm.exec(text.trim()) ?? [];
  // Version ff is invalid; version 00 has no further fields.
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  const found = context(traceId, spanId, (Number.parseInt(flags, 16) & 1) === 1);
  return found && state !== undefined && stateForm.test(state) ? { ...found, state } : found;
}

const single = /^([0-9a-f]{32}|[0-9a-f]{16})-([0-9a-f]{16})(?:-([01d]))?(?:-[0-9a-f]{16})?$/;

function readSingle(text: string): CallerContext | undefined {
  const [, traceId, spanId = "", state] = single.exec(text.trim().toLowerCase()) ?? [];
  return traceId === undefined ? undefined : context(traceId, spanId, sampled(state));
}

const traceDigits = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/;
const spanDigits = /^[0-9a-f]{16}$/;

function readMany(traceIdHeader: string, headers: ClientHeaders): CallerContext | undefined {
  const traceId = traceIdHeader.toLowerCase();
  const spanId = headers["x-b3-spanid"]?.toLowerCase() ?? "";
  if (!traceDigits.test(traceId) || !spanDigits.test(spanId)) return undefined;
  return context(traceId, spanId, headers["x-b3-flags"] === "1" ? true : sampled(headers["x-b3-sampled"]));
}

function sampled(state: string | undefined): boolean | undefined {
  if (state === "1" || state === "d" || state === "true") return true;
  return state === "0" || state === "false" ? false : undefined;
}

/** Creates a context. Returns `undefined` for ids that consist of zeros, which are invalid. */
function context(traceId: string, spanId: string, isSampled: boolean | undefined): CallerContext | undefined {
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId: traceId.padStart(32, "0"), spanId, isSampled };
}

/** Returns the headers that propagate a trace context. */
export function contextHeaders(
  { traceId, spanId, isSampled, state }: TraceContext,
  withTraceparent: boolean,
): Readonly<Record<string, string>> {
  const flag = isSampled ? "1" : "0";
  return {
    "x-b3-traceid": traceId,
    "x-b3-spanid": spanId,
    "x-b3-sampled": flag,
    ...(withTraceparent && { traceparent: `00-${traceId}-${spanId}-0${flag}` }),
    ...(withTraceparent && state !== undefined && { tracestate: state }),
  };
}
