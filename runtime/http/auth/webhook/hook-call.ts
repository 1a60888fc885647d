/** Headers and operation of a request → the call of the authentication webhook (`permissions-and-auth.md` 5). */
import type { HttpUrl } from "../../../config/http-url.ts";
import { given, passedOnHeaders } from "../../../outbound/client-headers.ts";
import type { HttpCall } from "../../../outbound/http-call.ts";
import { traceHeaders } from "../../../outbound/trace-headers.ts";
import type { AskedOperations, AuthenticationContext } from "../../../ports/authentication.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { stringifyJson } from "../../../values/json-number.ts";
import { decodeHeader } from "../headers.ts";

export interface HookSettings {
  readonly url: HttpUrl;
  readonly method: "get" | "post";
  /** Whether a call with POST tells the hook what the request asks for. */
  readonly sendRequestBody: boolean;
}

/**
 * @param version of the product
 * @throws EngineError when the body that the hook is to be told of cannot be read; the promise is rejected with it
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
    return { method: "GET", url: url.reveal(), headers: { ...passedOnHeaders(headers), ...own } };
  }
  const request = sendRequestBody ? { request: membersOf((await context.graphql?.()) ?? null) } : {};
  const body = stringifyJson({ headers: decoded(headers), ...request });
  return { method: "POST", url: url.reveal(), headers: own, body };
}

/** What a request asks for, with the members that the client sent. */
function membersOf(asked: AskedOperations): unknown {
  if (asked === null) return null;
  if (!("query" in asked)) return asked.map(membersOf);
  const { query, operationName, variables, sentNulls = [] } = asked;
  return {
    query,
    ...((operationName !== null || sentNulls.includes("operationName")) && { operationName }),
    ...((variables !== null || sentNulls.includes("variables")) && { variables }),
  };
}

function decoded(headers: RequestHeaders): Record<string, string> {
  return Object.fromEntries(given(headers).map(([name, value]) => [name, decodeHeader(value)]));
}
