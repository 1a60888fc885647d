/** One line of text about an entry of the log. */
import { jsonText } from "../../http/json.ts";
import type { LogLine } from "../../http/log-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";

/** Maximum length in characters. */
const maxLength = 300;

export function summaryOf({ detail, text = "" }: LogLine): string {
  const summary = detail === undefined ? text : shown(detail);
  return summary.length > maxLength ? `${summary.slice(0, maxLength)}…` : summary;
}

function shown(detail: Json): string {
  if (!isObject(detail)) return jsonText(detail);
  const { http_info: http, operation, event, message, kind, info } = detail;
  if (isObject(http)) return parts(http.method, http.url, http.status, nameOf(operation), errorOf(operation));
  if (isObject(event) && isObject(event.detail)) return parts(event.type, event.detail.operation_name);
  if (isObject(event)) return parts(event.type, event.detail);
  if (typeof message === "string") return message;
  if (isObject(info) && typeof info.message === "string") return parts(kind, info.message);
  return parts(kind, jsonText(info ?? detail).replace(/\s+/g, " "));
}

/** Returns the name or type of the operation of a request. */
function nameOf(operation: Json | undefined): Json | undefined {
  if (!isObject(operation) || !isObject(operation.query)) return undefined;
  return operation.query.operationName ?? operation.query.type;
}

function errorOf(operation: Json | undefined): Json | undefined {
  return isObject(operation) && isObject(operation.error) ? operation.error.error : undefined;
}

const parts = (...values: readonly (Json | undefined)[]): string =>
  values.flatMap((value) => (value === null || value === undefined ? [] : [textOf(value)])).join(" ");

const textOf = (value: Json): string => (typeof value === "object" ? jsonText(value) : String(value));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
