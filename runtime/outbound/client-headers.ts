/** The headers of a client's request that calls on its behalf pass on (`automation.md` J.2). */
import type { RequestHeaders } from "../ports/headers.ts";
import { sessionPrefix } from "../values/session.ts";

/** About this request's body or its answer: untrue for a call of another service. The metadata may say otherwise. */
const notPassedOn = [
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
];

/** Whatever the metadata says. */
const neverPassedOn = [
  // Those of one connection, which a message to another server must not have (RFC 9110, section 7.6.1).
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  // The call has a body and an address of its own, and its answer is read without an encoding.
  "content-length",
  "host",
  "accept-encoding",
];

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Bytes, one per character; a WebSocket client may send anything as a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What can be said to another service as it is. @param ignored names that the metadata leaves out */
export function passedOnHeaders(
  headers: RequestHeaders,
  ignored: readonly string[] = notPassedOn,
): Record<string, string> {
  const left = new Set([...ignored.map((name) => name.toLowerCase()), ...neverPassedOn]);
  return Object.fromEntries(
    given(headers).filter(([name, value]) => !left.has(name) && headerName.test(name) && headerValue.test(value)),
  );
}

/** The same without session variables and secrets, and with what the client said of itself. */
export function forwardedHeaders(headers: RequestHeaders, ignored?: readonly string[]): Record<string, string> {
  const plain = Object.entries(passedOnHeaders(headers, ignored)).filter(([name]) => !name.startsWith(sessionPrefix));
  const about = ["host", "user-agent", "origin"].flatMap((name) => {
    const value = headers[name];
    return value !== undefined && headerValue.test(value) ? [[`x-forwarded-${name}`, value] as const] : [];
  });
  return Object.fromEntries([...plain, ...about]);
}

export function given(headers: RequestHeaders): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
}

/**
 * Those of which a later call on the client's behalf makes what it forwards, and what carries its trace on; nothing else
 * needs to be kept.
 */
export function keptHeaders(
  headers: RequestHeaders,
  { forward, ignored }: { readonly forward: boolean; readonly ignored: readonly string[] },
): Record<string, string> {
  const forwarded = forward ? [...Object.keys(forwardedHeaders(headers, ignored)), "host", "user-agent", "origin"] : [];
  const kept = new Set([...forwarded, "x-b3-traceid", "x-b3-spanid", "x-b3-sampled"]);
  return Object.fromEntries(given(headers).filter(([name, value]) => kept.has(name) && headerValue.test(value)));
}
