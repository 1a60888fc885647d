/** The kinds of answers that handlers give: their headers and what the log is told. */

import type { AnswerBasis } from "../ports/graphql.ts";
import type { PlainResponse, RequestRecord } from "../ports/request.ts";
import { renderError } from "../values/error-body.ts";
import type { EngineError } from "../values/errors.ts";

const jsonHeaders = { "content-type": "application/json; charset=utf-8" };
const textHeaders = { "content-type": "text/plain; charset=utf-8" };

/** The record of requests that nobody has to log in for. */
export const anonymous: RequestRecord = { mode: "non-graphql", session: null, error: null };

/** @param basis what it goes by; absent: nothing that others can change */
export function jsonResponse(status: number, body: string, record: RequestRecord, basis?: AnswerBasis): PlainResponse {
  // Only a lack of memory is answered so, which ends soon.
  if (status === 503) return { status, headers: { ...jsonHeaders, "retry-after": "1" }, body, record };
  const cookies = status < 400 ? (record.session?.setCookies ?? []) : [];
  const headers = cookies.length === 0 ? jsonHeaders : { ...jsonHeaders, "set-cookie": cookies };
  return { status, headers, body, record, basis };
}

export function textResponse(status: number, body: string, record: RequestRecord): PlainResponse {
  return { status, headers: textHeaders, body, record };
}

/** The answer in the administration form, without `internal`. */
export function errorResponse(error: EngineError): PlainResponse {
  return jsonResponse(error.status, renderError(error, false), { mode: "error", session: null, error });
}
