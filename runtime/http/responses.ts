/** Builds the responses of handlers. */

import type { ResponseValidity } from "../ports/graphql.ts";
import type { PlainResponse, RequestRecord } from "../ports/request.ts";
import { renderError } from "../values/error-body.ts";
import type { EngineError } from "../values/errors.ts";

const jsonHeaders = { "content-type": "application/json; charset=utf-8" };
const textHeaders = { "content-type": "text/plain; charset=utf-8" };

/** The log record of requests that need no authentication. */
export const anonymous: RequestRecord = { mode: "non-graphql", session: null, error: null };

/** @param validity checked right before the response is sent; absent if no metadata change can make it stale */
export function jsonResponse(
  status: number,
  body: string,
  record: RequestRecord,
  validity?: ResponseValidity,
): PlainResponse {
  // Only temporary shortages of memory have this status.
  if (status === 503) return { status, headers: { ...jsonHeaders, "retry-after": "1" }, body, record };
  const cookies = status < 400 ? (record.session?.setCookies ?? []) : [];
  const headers = cookies.length === 0 ? jsonHeaders : { ...jsonHeaders, "set-cookie": cookies };
  return { status, headers, body, record, validity };
}

export function textResponse(status: number, body: string, record: RequestRecord): PlainResponse {
  return { status, headers: textHeaders, body, record };
}

/** Returns an error in the form of the administration endpoints, without `internal`. */
export function errorResponse(error: EngineError): PlainResponse {
  return jsonResponse(error.status, renderError(error, false), { mode: "error", session: null, error });
}
