/** Stores of cached responses. */
import type { ClearedResponses } from "../../ports/response-cache.ts";

/** The keys by which a response is found and cleared. */
export interface ResponseIdentity {
  /** SHA-256 of everything that the response depends on, in hexadecimal. */
  readonly key: string;
  readonly family: string;
  readonly role: string;
}

/** The JSON text of `data`, as a string or as bytes that nothing else uses. */
export type StoredText = string | Buffer;

interface CachedResponse {
  readonly text: StoredText;
  readonly secondsLeft: number;
}

export interface Lookup {
  readonly found: CachedResponse | undefined;
  /** Changes whenever the response is cleared. */
  readonly stamp: string;
  /**
   * Stores a response that was computed after this lookup, unless the cache was cleared in between: the response may
   * predate the change for which the cache was cleared.
   * @returns false if the response is too large
   */
  save(text: StoredText, seconds: number): Promise<boolean> | boolean;
}

/** A store of responses. Its promises may reject; queries are then served without the cache. */
export interface ResponseStore {
  lookUp(identity: ResponseIdentity): Promise<Lookup> | Lookup;
  clear(cleared: ClearedResponses): Promise<void>;
  close(): Promise<void>;
}
