/** The cache of responses to queries with `@cached`. */

/** The responses to clear. */
export type ClearedResponses =
  | "all"
  | { readonly key: string }
  /** One operation of a role, with all variables and sessions. */
  | { readonly family: string }
  | { readonly role: string };

export interface ResponseCacheService {
  /**
   * Removes responses.
   * @throws EngineError `unexpected` if the store does not respond; nothing is removed then
   */
  clear(cleared: ClearedResponses): Promise<void>;
}

/** The reason why a response was not cached, as sent in the header `Warning`. */
export type CacheWarning = "cache-store-size-limit-exceeded" | "cache-store-error";

/** Caching information for the client. */
export interface CacheInfo {
  readonly key: string;
  readonly family: string;
  /** Remaining time to live in seconds; 0 if the response is not cached. */
  readonly seconds: number;
  readonly warning?: CacheWarning;
}
