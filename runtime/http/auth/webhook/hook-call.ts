/** Builds the call of the authentication webhook. */
import type { HttpUrl } from "../../../config/http-url.ts";
import { traceHeaders } from "../../../outbound/call-headers.ts";
import { forwardableHeaders, presentHeaders } from "../../../outbound/client-headers.ts";
import type { HttpCall } from "../../../outbound/http-call.ts";
import type { AuthenticationContext, RequestedOperations } from "../../../ports/authentication.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { stringifyJson } from "../../../values/json-number.ts";
import { decodeHeader } from "../headers.ts";

export interface HookSettings {
  readonly url: HttpUrl;
  readonly method: "get" | "post";
  /** If true, the body of a POST call includes the operations of the request. */
  readonly sendRequestBody: boolean;
}

/**
 * Returns the call for a request.
 * @param version the product version
 * @throws EngineError if the body of the request is needed and cannot be read
 */
export async function hookCall(
  { url, method, sendRequestBody }: HookSettings,
  headers: RequestHeaders,
  context: AuthenticationContext,
  version: string,
): Promise<HttpCall> {
  const own = {
    ...traceHeaders(headers),
    "content-type": "application/json",
    "user-agent": `engine-graphql-engine/v${version}`,
  };
  if (method === "get") {
    return { method: "GET", url: url.reveal(), headers: { ...forwardableHeaders(headers), ...own } };
  }
  const request = sendRequestBody ? { request: membersOf((await context.graphql?.()) ?? null) } : {};
  const body = stringifyJson({ headers: decoded(headers), ...request });
  return { method: "POST", url: url.reveal(), headers: own, body };
}

/** Returns the operations with exactly the members that the client sent. */
function membersOf(requested: RequestedOperations): unknown {
  if (requested === null) return null;
  if (!("query" in requested)) return requested.map(membersOf);
  const { query, operationName, variables, sentNulls = [] } = requested;
  return {
    query,
    ...((operationName !== null || sentNulls.includes("operationName")) && { operationName }),
    ...((variables !== null || sentNulls.includes("variables")) && { variables }),
  };
}

function decoded(headers: RequestHeaders): Record<string, string> {
  return Object.fromEntries(presentHeaders(headers).map(([name, value]) => [name, decodeHeader(value)]));
}
