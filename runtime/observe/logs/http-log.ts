/** Formats the `detail` of `http-log`, one line per HTTP request. */

import type { GraphqlRequest } from "../../ports/graphql.ts";
import type { PlainRequest, PlainResponse, RequestRecord } from "../../ports/request.ts";
import type { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { quoted } from "../../values/quoted.ts";
import type { Log } from "./log.ts";
import { type ShownRequestSettings, shownError, shownMetadataRequest, shownRequest } from "./shown-request.ts";

export interface Exchange {
  readonly request: PlainRequest;
  readonly response: PlainResponse;
  /** Version such as `1.1`. */
  readonly httpVersion: string;
  /** Size of the body as sent, in bytes. */
  readonly responseSize: number;
  /** Size of the body before compression, in bytes. */
  readonly uncompressedSize: number;
  readonly encoding: "gzip" | null;
  /** Time from the arrival of the headers to the arrival of the whole body. */
  readonly readMilliseconds: number;
  readonly executionMilliseconds: number;
}

/** Logs a request. The level is `error` if the request or a part of its batch failed. */
export function logRequest(log: Log, settings: ShownRequestSettings, exchange: Exchange): void {
  const { record } = exchange.response;
  const level = record.error === null ? "info" : "error";
  if (!log.isEnabled("http-log", level)) return;
  const query = log.isEnabled("query-log", "info") ? queryText(record, settings) : operationType(record);
  log.text("http-log", level, httpLogText(exchange, settings, query), exchange.request.span.context);
}

/** Builds the detail as JSON text. A single `JSON.stringify` takes twice as long, and every request has a line. */
function httpLogText(exchange: Exchange, settings: ShownRequestSettings, query: string): string {
  const { request, response } = exchange;
  const { record } = response;
  const requestId = quoted(request.requestId);
  return (
    `{"request_id":${requestId},"operation":{"request_id":${requestId}` +
    `,"user_vars":${record.session === null ? "null" : variablesText(record.session.variables)}` +
    `,"response_size":${exchange.responseSize},"uncompressed_response_size":${exchange.uncompressedSize}` +
    `,"request_read_time":${toSeconds(exchange.readMilliseconds)}` +
    `,"query_execution_time":${toSeconds(exchange.executionMilliseconds)}` +
    `,"query":${query}` +
    `,"raw_query":null,"error":${errorText(record.error, settings)},"request_mode":"${record.mode}"}` +
    `,"http_info":{"status":${response.status},"http_version":"HTTP/${exchange.httpVersion}"` +
    `,"url":${quoted(request.path)},"ip":${quoted(request.ip)}` +
    `,"method":${quoted(request.method)},"content_encoding":${exchange.encoding === null ? "null" : quoted(exchange.encoding)}}${partsText(record, settings)}}`
  );
}

function variablesText(variables: ReadonlyMap<string, string>): string {
  let text = "";
  for (const [name, value] of variables) text += `,${quoted(name)}:${quoted(value)}`;
  return `{${text.slice(1)}}`;
}

/** Returns the operation only if `query-log` is enabled, because operations may contain personal data. */
function queryText(record: RequestRecord, settings: ShownRequestSettings): string {
  const { graphql, metadata, error } = record;
  const { logMaskedVariables, enableMetadataQueryLogging, httpLogQueryOnlyOnError } = settings;
  if (metadata !== undefined && enableMetadataQueryLogging) {
    const isShown = error !== null || !httpLogQueryOnlyOnError;
    return isShown ? stringifyJson(shownMetadataRequest(metadata)) : operationType(record);
  }
  if (graphql === undefined) return operationType(record);
  const show = (request: GraphqlRequest): Partial<GraphqlRequest> =>
    error === null && httpLogQueryOnlyOnError
      ? { operationName: request.operationName }
      : shownRequest(request, logMaskedVariables);
  return stringifyJson(isBatch(graphql) ? graphql.map(show) : show(graphql));
}

export function isBatch(graphql: GraphqlRequest | readonly GraphqlRequest[]): graphql is readonly GraphqlRequest[] {
  return Array.isArray(graphql);
}

function operationType({ operationType: type }: RequestRecord): string {
  return type === undefined ? '{"type":null}' : `{"type":${quoted(type)}}`;
}

function errorText(error: EngineError | null, { logMaskedVariables }: ShownRequestSettings): string {
  return error === null ? "null" : stringifyJson(shownError(error, logMaskedVariables));
}

function partsText({ parts }: RequestRecord, settings: ShownRequestSettings): string {
  if (parts === undefined) return "";
  const texts = parts.map((part) => `{"response_size":${part.size},"error":${errorText(part.error, settings)}}`);
  return `,"batched_operations":[${texts.join(",")}]`;
}

/** Converts to seconds, rounded to a microsecond. */
function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1_000_000;
}
