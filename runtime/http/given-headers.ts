/** What is found out while a request is answered: headers for the client, and what the answer goes by. */
import type { AnswerHeaders, LongBody } from "../ports/graphql.ts";
import type { PlainResponse } from "../ports/request.ts";
import type { CachedAnswer } from "../ports/response-cache.ts";
import { readAfterHeader } from "../values/read-after.ts";
import { ReadBases } from "./read-bases.ts";

export class GivenHeaders extends ReadBases implements AnswerHeaders {
  /** Those that other servers set. */
  readonly cookies: string[] = [];
  /** `undefined`: the query did not ask for the cache. */
  cached: CachedAnswer | undefined;
  /** `undefined`: nothing was written where it matters. */
  readAfter: string | undefined;
  /** Of an answer that is its only one; `undefined`: the text is the answer. */
  long: LongBody | undefined;
  readonly takeLong?: (text: LongBody) => void;

  /** @param takesLong whether an answer may be too long to be one text */
  constructor(takesLong = false) {
    super();
    if (!takesLong) return;
    this.takeLong = (text) => {
      this.long = text;
    };
  }

  addCookie(value: string): void {
    this.cookies.push(value);
  }

  setReadAfter(text: string): void {
    this.readAfter = text;
  }

  setCached(answer: CachedAnswer): void {
    this.cached = answer;
  }
}

/** With the cookies, after those of the session, and what is to be said of the cache and of what was written. */
export function withGiven(response: PlainResponse, { cookies, cached, readAfter }: GivenHeaders): PlainResponse {
  if (cookies.length === 0 && cached === undefined && readAfter === undefined) return response;
  const more = { ...cookieHeader(response, cookies), ...cacheHeaders(cached) };
  const place = readAfter === undefined ? {} : { [readAfterHeader]: readAfter };
  return { ...response, headers: { ...response.headers, ...more, ...place } };
}

function cookieHeader({ headers }: PlainResponse, cookies: readonly string[]): PlainResponse["headers"] {
  if (cookies.length === 0) return {};
  const own = headers["set-cookie"] ?? [];
  return { "set-cookie": [...(typeof own === "string" ? [own] : own), ...cookies] };
}

/** The answer is for one session: what stands between client and server may not keep it for others. */
function cacheHeaders(cached: CachedAnswer | undefined): PlainResponse["headers"] {
  if (cached === undefined) return {};
  const { key, family, seconds, warning } = cached;
  return {
    "x-engine-query-cache-key": key,
    "x-engine-query-family-cache-key": family,
    "cache-control": seconds > 0 ? `private, max-age=${seconds}` : "no-store",
    ...(warning && { warning: `199 engine "${warning}"` }),
  };
}
