/** Headers and operation of a request → the call of the authentication webhook (`permissions-and-auth.md` 5). */
import { randomBytes } from "node:crypto";
import type { HttpUrl } from "../../config/http-url.ts";
import type { AuthenticationContext, RequestHeaders } from "../../http/services.ts";
import { stringifyJson } from "../../support/json-number.ts";
import { decodeHeader } from "../headers.ts";
import type { HttpCall } from "../http-client.ts";

export interface HookSettings {
  readonly url: HttpUrl;
  readonly method: "get" | "post";
  /** Whether a call with POST tells the hook what the request asks for. */
  readonly sendRequestBody: boolean;
}

/** @param version of the product */
export function hookCall(
  { url, method, sendRequestBody }: HookSettings,
  headers: RequestHeaders,
  context: AuthenticationContext,
  version: string,
): HttpCall {
  const own = {
    ...traceHeaders(headers),
    "content-type": "application/json",
    "user-agent": `engine-graphql-engine/v${version}`,
  };
  if (method === "get") {
    return { method: "GET", url: url.reveal(), headers: { ...forwarded(headers), ...own } };
  }
  const request = sendRequestBody ? { request: context.graphql?.() ?? null } : {};
  const body = stringifyJson({ headers: decoded(headers), ...request });
  return { method: "POST", url: url.reveal(), headers: own, body };
}

/** About the connection to the client or about this request's body: untrue for the call of the hook. */
const notForwarded: ReadonlySet<string> = new Set([
  "content-length",
  "content-md5",
  "user-agent",
  "host",
  "origin",
  "referer",
  "accept",
  "accept-encoding",
  "accept-language",
  "accept-datetime",
  "cache-control",
  "connection",
  "dnt",
  "content-type",
  // Those of one connection, which a message to another server must not have (RFC 9110, section 7.6.1).
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Bytes, one per character; a WebSocket client may send anything as a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function forwarded(headers: RequestHeaders): Record<string, string> {
  return Object.fromEntries(
    given(headers).filter(
      ([name, value]) => !notForwarded.has(name) && headerName.test(name) && headerValue.test(value),
    ),
  );
}

function decoded(headers: RequestHeaders): Record<string, string> {
  return Object.fromEntries(given(headers).map(([name, value]) => [name, decodeHeader(value)]));
}

function given(headers: RequestHeaders): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
}

const traceId = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/;
const spanId = /^[0-9a-f]{16}$/;

/** The call is a span of its own, in the client's trace where there is one. */
function traceHeaders(headers: RequestHeaders): Record<string, string> {
  const trace = headers["x-b3-traceid"] ?? "";
  const parent = headers["x-b3-spanid"] ?? "";
  const sampled = headers["x-b3-sampled"] ?? "";
  const inTrace = traceId.test(trace);
  return {
    "x-b3-traceid": inTrace ? trace : randomBytes(16).toString("hex"),
    ...(inTrace && spanId.test(parent) && { "x-b3-parentspanid": parent }),
    "x-b3-spanid": randomBytes(8).toString("hex"),
    ...(inTrace && /^[01]$/.test(sampled) && { "x-b3-sampled": sampled }),
  };
}
