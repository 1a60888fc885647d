/** Trace headers of calls in the B3 format. */

import type { RequestHeaders } from "../ports/headers.ts";
import { randomHex } from "../values/random-hex.ts";
import type { Span } from "../values/span.ts";

const traceId = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/;
const spanId = /^[0-9a-f]{16}$/;

/**
 * Returns the trace headers of a call. The call is a new span in the client's trace, if any.
 * @param span span of the call if it is traced
 */
export function traceHeaders(headers: RequestHeaders, span?: Span): Record<string, string> {
  const own = span?.headers();
  if (own) return { ...own };
  const trace = headers["x-b3-traceid"];
  if (trace === undefined) return { "x-b3-traceid": randomHex(16), "x-b3-spanid": randomHex(8) };
  const parent = headers["x-b3-spanid"] ?? "";
  const sampled = headers["x-b3-sampled"] ?? "";
  const inTrace = traceId.test(trace);
  return {
    "x-b3-traceid": inTrace ? trace : randomHex(16),
    ...(inTrace && spanId.test(parent) && { "x-b3-parentspanid": parent }),
    "x-b3-spanid": randomHex(8),
    ...(inTrace && /^[01]$/.test(sampled) && { "x-b3-sampled": sampled }),
  };
}
