/** URLs as text: what a transform leaves alone stays as it was written. */
import { escapeUri } from "./functions.ts";

/** `null`: a key without a value, not even an empty one. */
export type QueryPair = readonly [key: string, value: string | null];

/** The characters that a URI may consist of (RFC 3986), after a scheme that can be requested. */
const requestable = /^https?:\/\/(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i;

/** Whether a request can be sent there. */
export function isAbsoluteUrl(text: string): boolean {
  return requestable.test(text) && URL.canParse(text);
}

/** For messages: without user name and password. */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, "//");
}

/** The decoded parameters of a URL, in their order. */
export function queryPairs(url: string): readonly QueryPair[] {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  return query === undefined ? [] : parseQuery(query);
}

/** `a=b&c` → `[["a", "b"], ["c", null]]`, percent-decoded; a question mark in front is ignored. */
export function parseQuery(text: string): readonly QueryPair[] {
  const parts = text.replace(/^\?/, "").split("&");
  return parts.filter((part) => part !== "").map(parsePair);
}

function parsePair(part: string): QueryPair {
  const equals = part.indexOf("=");
  if (equals < 0) return [unescapeUri(part), null];
  return [unescapeUri(part.slice(0, equals)), unescapeUri(part.slice(equals + 1))];
}

/** Text that is not well encoded stands for itself. */
function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** `key=value` pairs joined by `&`, percent-encoded. */
export function renderQuery(pairs: readonly QueryPair[]): string {
  return pairs.map(([key, value]) => escapeUri(key) + (value === null ? "" : `=${escapeUri(value)}`)).join("&");
}

/** The URL with these parameters instead of its own; the fragment stays. */
export function withQuery(url: string, pairs: readonly QueryPair[]): string {
  const [, base = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return pairs.length === 0 ? base + fragment : `${base}?${renderQuery(pairs)}${fragment}`;
}
