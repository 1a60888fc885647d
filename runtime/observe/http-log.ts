/** One line per HTTP request (`operations.md` 9): the request and its answer → the `detail` of `http-log`. */

import type { PlainRequest, PlainResponse, RequestRecord } from "../ports/request.ts";
import { errorBody } from "../values/error-body.ts";
import type { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Log } from "./log.ts";
import { redactSecrets } from "./redact.ts";

export interface Exchange {
  readonly request: PlainRequest;
  readonly response: PlainResponse;
  /** `1.1` */
  readonly httpVersion: string;
  /** Bytes of the body as sent. */
  readonly responseSize: number;
  /** Bytes of the body before it was compressed. */
  readonly uncompressedSize: number;
  readonly encoding: "gzip" | null;
  /** From the arrival of the head to that of the whole body. */
  readonly readMilliseconds: number;
  readonly executionMilliseconds: number;
}

/** The line has level `error` when the request or a part of its batch failed. */
export function logRequest(log: Log, exchange: Exchange): void {
  const level = exchange.response.record.error === null ? "info" : "error";
  if (log.isEnabled("http-log", level))
    log.text("http-log", level, httpLogText(log, exchange), exchange.request.span.context);
}

/** As JSON text put together here: one `JSON.stringify` of the whole takes twice as long, and each request has a line. */
function httpLogText(log: Log, exchange: Exchange): string {
  const { request, response } = exchange;
  const { record } = response;
  const requestId = quoted(request.requestId);
  const withOperation = record.graphql !== undefined && log.isEnabled("query-log", "info");
  return (
    `{"request_id":${requestId},"operation":{"request_id":${requestId}` +
    `,"user_vars":${record.session === null ? "null" : variablesText(record.session.variables)}` +
    `,"response_size":${exchange.responseSize},"uncompressed_response_size":${exchange.uncompressedSize}` +
    `,"request_read_time":${toSeconds(exchange.readMilliseconds)}` +
    `,"query_execution_time":${toSeconds(exchange.executionMilliseconds)}` +
    `,"query":${withOperation ? stringifyJson(record.graphql) : operationType(record)}` +
    `,"raw_query":null,"error":${errorText(record.error)},"request_mode":"${record.mode}"}` +
    `,"http_info":{"status":${response.status},"http_version":"HTTP/${exchange.httpVersion}"` +
    `,"url":${quoted(request.path)},"ip":${quoted(request.ip)}` +
    `,"method":${quoted(request.method)},"content_encoding":${exchange.encoding === null ? "null" : quoted(exchange.encoding)}}${partsText(record)}}`
  );
}

function variablesText(variables: ReadonlyMap<string, string>): string {
  let text = "";
  for (const [name, value] of variables) text += `,${quoted(name)}:${quoted(value)}`;
  return `{${text.slice(1)}}`;
}

/** The operation itself is personal data: it is shown only where `query-log` shows it too. */
function operationType({ operationType: type }: RequestRecord): string {
  return type === undefined ? '{"type":null}' : `{"type":${quoted(type)}}`;
}

function errorText(error: EngineError | null): string {
  return error === null ? "null" : stringifyJson(redactSecrets(errorBody(error, true)));
}

function partsText({ parts }: RequestRecord): string {
  if (parts === undefined) return "";
  const texts = parts.map((part) => `{"response_size":${part.size},"error":${errorText(part.error)}}`);
  return `,"batched_operations":[${texts.join(",")}]`;
}

/** To a microsecond. */
function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1_000_000;
}

/** A JSON string; most texts here need no escaping, and a test for that is faster than the escaping. */
function quoted(text: string): string {
  return /^[\w .:/@+,=-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}
