/** Where answers are kept. */
import type { ClearedResponses } from "../../ports/response-cache.ts";

/** What an answer is found and cleared by. */
export interface ResponsePlace {
  /** SHA-256 of all that the answer depends on, in hexadecimal digits. */
  readonly key: string;
  readonly family: string;
  readonly role: string;
}

interface KeptResponse {
  /** The JSON text of `data`'s value. */
  readonly text: string;
  readonly secondsLeft: number;
}

export interface Lookup {
  /** `undefined`: there is none. */
  readonly found: KeptResponse | undefined;
  /** The same for lookups of one place between which nothing of it was cleared. */
  readonly stamp: string;
  /**
   * Keeps an answer that was asked for after this lookup. What was cleared in between stays cleared: such an answer may
   * be older than what made somebody clear it.
   * @returns whether there was room for it
   */
  keep(text: string, seconds: number): Promise<boolean> | boolean;
}

/** Every promise may be rejected: a store that does not answer is no reason not to answer a query. */
export interface ResponseStore {
  look(place: ResponsePlace): Promise<Lookup> | Lookup;
  clear(cleared: ClearedResponses): Promise<void>;
  close(): Promise<void>;
}
