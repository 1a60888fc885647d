/** Selects client headers to forward in calls on behalf of the client. */
import type { RequestHeaders } from "../ports/headers.ts";
import { sessionPrefix } from "../values/session.ts";

/**
 * Default list of headers that are not forwarded: they describe the client's own request body or response. The metadata
 * may replace the list.
 */
const defaultIgnored = [
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

/** Headers that are never forwarded, regardless of the metadata. */
const alwaysIgnored = [
  // Hop-by-hop headers (RFC 9110, section 7.6.1).
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  // The call has its own body and address, and its response is read without an encoding.
  "content-length",
  "host",
  "accept-encoding",
];

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Matches valid header values, with one character per byte. WebSocket clients can send arbitrary values as headers. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the headers that may be forwarded unchanged.
 * @param ignored names that the metadata excludes
 */
export function forwardableHeaders(
  headers: RequestHeaders,
  ignored: readonly string[] = defaultIgnored,
): Record<string, string> {
  const left = new Set([...ignored.map((name) => name.toLowerCase()), ...alwaysIgnored]);
  return Object.fromEntries(
    presentHeaders(headers).filter(
      ([name, value]) => !left.has(name) && headerName.test(name) && headerValue.test(value),
    ),
  );
}

/**
 * Returns the forwarded headers, without session variables and secrets, and with the client's own host, user agent and
 * origin as `x-forwarded-…`.
 */
export function forwardedHeaders(headers: RequestHeaders, ignored?: readonly string[]): Record<string, string> {
  const plain = Object.entries(forwardableHeaders(headers, ignored)).filter(
    ([name]) => !name.startsWith(sessionPrefix),
  );
  const about = ["host", "user-agent", "origin"].flatMap((name) => {
    const value = headers[name];
    return value !== undefined && headerValue.test(value) ? [[`x-forwarded-${name}`, value] as const] : [];
  });
  return Object.fromEntries([...plain, ...about]);
}

export function presentHeaders(headers: RequestHeaders): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
}

/** Selects the client headers to store for a later call: forwarded headers and trace headers. */
export function storedHeaders(
  headers: RequestHeaders,
  { forward, ignored }: { readonly forward: boolean; readonly ignored: readonly string[] },
): Record<string, string> {
  const forwarded = forward ? [...Object.keys(forwardedHeaders(headers, ignored)), "host", "user-agent", "origin"] : [];
  const names = new Set([...forwarded, "x-b3-traceid", "x-b3-spanid", "x-b3-sampled"]);
  return Object.fromEntries(
    presentHeaders(headers).filter(([name, value]) => names.has(name) && headerValue.test(value)),
  );
}
