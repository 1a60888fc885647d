/** Answers that are kept for a while, because the query asks for it with `@cached`. */

/** What is cleared: everything, or what one of these names. */
export type ClearedResponses =
  | "all"
  | { readonly key: string }
  /** One operation of a role, whatever its variables and sessions are. */
  | { readonly family: string }
  | { readonly role: string };

export interface ResponseCacheService {
  /** @throws EngineError `unexpected` where the store does not answer: nothing is cleared then */
  clear(cleared: ClearedResponses): Promise<void>;
}

/** Why an answer is not kept, in the words of the peer's header `Warning`. */
export type CacheWarning = "cache-store-size-limit-exceeded" | "cache-store-error";

/** What a client is told of an answer that it asked to be cached. */
export interface CachedAnswer {
  readonly key: string;
  readonly family: string;
  /** For how long it stays in the cache; 0: it is not in there. */
  readonly seconds: number;
  readonly warning?: CacheWarning;
}
