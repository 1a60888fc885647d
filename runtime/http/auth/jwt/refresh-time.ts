/** Headers of the answer that held a key set → when to fetch the set again (`permissions-and-auth.md` 4.2). */
import { lifetimeOf, parseCacheControl, parseHttpDate } from "../cache-headers.ts";

/** The set is never fetched more often. */
export const shortestRefreshMilliseconds = 60_000;

export interface CacheHeaders {
  readonly cacheControl: string | null;
  readonly expires: string | null;
}

/** `never`: the keys hold for good; `unreadable`: a header has no meaning, `header` says which. */
export type RefreshTime =
  | { readonly kind: "at"; readonly time: number }
  | { readonly kind: "never" }
  | { readonly kind: "unreadable"; readonly header: string };

/** @param now in milliseconds since 1970, as `time` of the answer */
export function refreshTime({ cacheControl, expires }: CacheHeaders, now: number): RefreshTime {
  const at = (time: number): RefreshTime => ({ kind: "at", time: Math.max(time, now + shortestRefreshMilliseconds) });
  if (cacheControl !== null) {
    const directives = parseCacheControl(cacheControl);
    if (directives === undefined) return { kind: "unreadable", header: "Cache-Control" };
    const lifetime = lifetimeOf(directives);
    if (directives.has("no-cache") || directives.has("no-store")) return at(now);
    if (lifetime !== undefined) return at(now + lifetime * 1000);
    return directives.has("must-revalidate") ? at(now) : { kind: "never" };
  }
  if (expires === null) return { kind: "never" };
  const time = parseHttpDate(expires);
  return time === undefined ? { kind: "unreadable", header: "Expires" } : at(time);
}
