/** Scopes of request and response transforms. */
import type { Scope } from "./evaluator.ts";
import { FunctionFailure, type TemplateFunction } from "./functions.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { queryPairs } from "./url.ts";

/** By name: the variables of the caller for an action, or of the session that made the change for an event. */
export type SessionVariables = Readonly<Record<string, string>> | null;

/** A request before its transform. */
export interface OutgoingRequest {
  readonly method: string;
  /** Absolute URL, with environment variables resolved. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: JsonValue;
  readonly sessionVariables: SessionVariables;
}

export type Header = readonly [name: string, value: string];

/** A response to a transformed request. */
export interface IncomingResponse {
  readonly status: number;
  /** `null` if it is not JSON. */
  readonly body: JsonValue;
  readonly sessionVariables: SessionVariables;
  /** The request before its transform; `null` if it has none. */
  readonly request: OutgoingRequest | null;
}

export function requestScope({ url, body, sessionVariables }: OutgoingRequest): Scope {
  return {
    variables: new Map<string, JsonValue>([
      ["$body", body],
      ["$base_url", url],
      ["$session_variables", sessionVariables],
      ["$query_params", queryPairs(url)],
    ]),
    functions: sessionFunctions(sessionVariables),
  };
}

export function responseScope({ status, body, sessionVariables, request }: IncomingResponse): Scope {
  return {
    variables: new Map<string, JsonValue>([
      ["$body", body],
      ["$session_variables", sessionVariables],
      ["$request", request && requestValue(request)],
      ["$response", { status }],
    ]),
    functions: sessionFunctions(sessionVariables),
  };
}

function requestValue({ method, url, headers, body, sessionVariables }: OutgoingRequest): JsonObject {
  return {
    method,
    url,
    base_url: url,
    body,
    query_params: queryPairs(url),
    request_headers: headers,
    session_variables: sessionVariables,
  };
}

function sessionFunctions(variables: SessionVariables): ReadonlyMap<string, TemplateFunction> {
  return new Map([["getSessionVariable", (name) => sessionVariable(variables ?? {}, name)]]);
}

function sessionVariable(variables: Readonly<Record<string, string>>, name: JsonValue): JsonValue {
  if (name === null) return null;
  if (typeof name !== "string") throw new FunctionFailure("Session variable name should be a string");
  const found = Object.entries(variables).find(([key]) => key.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new FunctionFailure(`Session variable "${name}" not found`);
  return found[1];
}
