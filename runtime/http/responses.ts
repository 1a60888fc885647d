/** Builds the responses of handlers. */

import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ResponseValidity } from "../ports/graphql.ts";
import type { PlainResponse, RequestRecord } from "../ports/request.ts";
import { renderError } from "../values/error-body.ts";
import type { EngineError } from "../values/errors.ts";
import type { ResponseText } from "../values/response-text.ts";

const jsonHeaders = { "content-type": "application/json; charset=utf-8" };
const textHeaders = { "content-type": "text/plain; charset=utf-8" };

/** The log record of requests that need no authentication. */
export const anonymous: RequestRecord = { mode: "non-graphql", session: null, error: null };

/** @param validity checked right before the response is sent; absent if no metadata change can make it stale */
export function jsonResponse(
  status: number,
  text: ResponseText,
  record: RequestRecord,
  validity?: ResponseValidity,
): PlainResponse {
  const body = typeof text === "string" ? text : "";
  const encoded = typeof text === "string" ? undefined : text;
  // Only temporary shortages of memory have this status.
  if (status === 503) return { status, headers: { ...jsonHeaders, "retry-after": "1" }, body, record };
  const cookies = status < 400 ? (record.session?.setCookies ?? []) : [];
  const headers = cookies.length === 0 ? jsonHeaders : { ...jsonHeaders, "set-cookie": cookies };
  return { status, headers, body, encoded, record, validity };
}

export function textResponse(status: number, body: string, record: RequestRecord): PlainResponse {
  return { status, headers: textHeaders, body, record };
}

/** Returns an error in the form of the administration endpoints, without `internal`. */
export function errorResponse(error: EngineError): PlainResponse {
  return jsonResponse(error.status, renderError(error, false), { mode: "error", session: null, error });
}

/** The time for a client to read the response and close its side. */
const lingerMilliseconds = 1000;

/** Writes a response and ends the connection, even if the client keeps its side open. */
export function writeBareResponse(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once("close", () => clearTimeout(timer));
  const all = { connection: "close", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}
