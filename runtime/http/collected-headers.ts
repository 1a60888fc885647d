/**
 * Response headers, errors and validity checks collected during execution. Prints `Cache-Control` with the `max-age` that
 * the response cache returns.
 */
import type { ResponseBuilder } from "../ports/graphql.ts";
import type { PlainResponse } from "../ports/request.ts";
import type { CacheInfo } from "../ports/response-cache.ts";
import { readAfterHeader } from "../values/read-after.ts";
import { CombinedValidity } from "./response-validity.ts";

export class CollectedHeaders extends CombinedValidity implements ResponseBuilder {
  /** The `Set-Cookie` values of remote servers. */
  readonly cookies: string[] = [];
  /** `undefined` if the query does not use the response cache. */
  cached: CacheInfo | undefined;
  /** `undefined` if the operation wrote nothing to a source with read replicas. */
  readAfter: string | undefined;
  /** True if the operation has changed data, or may have. */
  hasEffect = false;

  addCookie(value: string): void {
    this.cookies.push(value);
  }

  noteEffect(): void {
    this.hasEffect = true;
  }

  setReadAfter(text: string): void {
    this.readAfter = text;
  }

  setCached(cached: CacheInfo): void {
    this.cached = cached;
  }
}

/** Adds cookies (after the session's), cache headers and the read-after header to a response. */
export function withCollected(
  response: PlainResponse,
  { cookies, cached, readAfter }: CollectedHeaders,
): PlainResponse {
  if (cookies.length === 0 && cached === undefined && readAfter === undefined) return response;
  const more = { ...cookieHeader(response, cookies), ...cacheHeaders(cached) };
  const position = readAfter === undefined ? {} : { [readAfterHeader]: readAfter };
  return { ...response, headers: { ...response.headers, ...more, ...position } };
}

function cookieHeader({ headers }: PlainResponse, cookies: readonly string[]): PlainResponse["headers"] {
  if (cookies.length === 0) return {};
  const own = headers["set-cookie"] ?? [];
  return { "set-cookie": [...(typeof own === "string" ? [own] : own), ...cookies] };
}

/**
 * Returns cache headers with `private`: shared caches must not store the response, because it depends on the session.
 */
function cacheHeaders(cached: CacheInfo | undefined): PlainResponse["headers"] {
  if (cached === undefined) return {};
  const { key, family, seconds, warning } = cached;
  return {
    "x-engine-query-cache-key": key,
    "x-engine-query-family-cache-key": family,
    "cache-control": seconds > 0 ? `private, max-age=${seconds}` : "no-store",
    ...(warning && { warning: `199 engine "${warning}"` }),
  };
}
