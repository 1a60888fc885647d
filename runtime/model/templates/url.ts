/** Edits URLs as text, so that unchanged parts keep their spelling. */
import { escapeUri } from "./functions.ts";

/** `null`: a key without `=`. */
export type QueryPair = readonly [key: string, value: string | null];

/** An absolute HTTP URL with only characters allowed in URIs (RFC 3986). */
const requestable = /^https?:\/\/(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i;

/** Returns true if a request can be sent to the URL. */
export function isAbsoluteUrl(text: string): boolean {
  return requestable.test(text) && URL.canParse(text);
}

/** Removes user name and password, for messages. */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, "//");
}

/** Returns the decoded parameters of a URL, in order. */
export function queryPairs(url: string): readonly QueryPair[] {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  return query === undefined ? [] : parseQuery(query);
}

/**
 * Parses a query string: `a=b&c` → `[["a", "b"], ["c", null]]`, percent-decoded. A leading question mark is ignored.
 */
export function parseQuery(text: string): readonly QueryPair[] {
  const parts = text.replace(/^\?/, "").split("&");
  return parts.filter((part) => part !== "").map(parsePair);
}

function parsePair(part: string): QueryPair {
  const equals = part.indexOf("=");
  if (equals < 0) return [unescapeUri(part), null];
  return [unescapeUri(part.slice(0, equals)), unescapeUri(part.slice(equals + 1))];
}

/** Decodes a text; returns it unchanged if it is not valid percent-encoding. */
function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Formats `key=value` pairs joined by `&`, percent-encoded. */
export function renderQuery(pairs: readonly QueryPair[]): string {
  return pairs.map(([key, value]) => escapeUri(key) + (value === null ? "" : `=${escapeUri(value)}`)).join("&");
}

/** Replaces the parameters of a URL; keeps the fragment. */
export function withQuery(url: string, pairs: readonly QueryPair[]): string {
  const [, base = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return pairs.length === 0 ? base + fragment : `${base}?${renderQuery(pairs)}${fragment}`;
}
