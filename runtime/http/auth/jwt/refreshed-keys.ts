/**
 * The keys behind a URL: fetched before the server serves, then again whenever the answer's cache headers say so
 * (`permissions-and-auth.md` 4.2). A failed refresh leaves the keys as they are.
 */

import type { Log } from "../../../observe/logs/log.ts";
import { callAt } from "../../../values/call-at.ts";
import { type FetchedKeys, KeyFetchError } from "./fetch-keys.ts";
import type { IdentifiedKey } from "./key-set.ts";
import { refreshTime, shortestRefreshMilliseconds } from "./refresh-time.ts";

/** Between the attempts of the first fetch, in milliseconds: six attempts in about six seconds. */
const retryDelays = [200, 400, 800, 1600, 3200];

export class RefreshedKeys {
  readonly #fetch: () => Promise<FetchedKeys>;
  readonly #log: Log;
  #keys: readonly IdentifiedKey[] = [];
  #text: string | null = null;
  /** When to fetch next, in milliseconds since 1970; `null`: never. */
  #next: number | null = null;
  #cancel: () => void = () => {};
  #closed = false;

  private constructor(fetch: () => Promise<FetchedKeys>, log: Log) {
    this.#fetch = fetch;
    this.#log = log;
  }

  /**
   * Resolves when the keys are there.
   * @throws KeyFetchError when the last attempt fails
   */
  static async open(fetch: () => Promise<FetchedKeys>, log: Log): Promise<RefreshedKeys> {
    const keys = new RefreshedKeys(fetch, log);
    for (const delay of retryDelays) {
      try {
        keys.#accept(await fetch());
        return keys;
      } catch (error) {
        if (!(error instanceof KeyFetchError)) throw error;
        log.info("jwk-refresh-log", { message: "the key set could not be fetched yet", error: error.message });
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
    keys.#accept(await fetch());
    return keys;
  }

  /** The same list until it changes. */
  get current(): readonly IdentifiedKey[] {
    return this.#keys;
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #accept({ keys, text, cache }: FetchedKeys): void {
    if (text !== this.#text) this.#keys = keys;
    this.#text = text;
    const time = refreshTime(cache, Date.now());
    if (time.kind === "unreadable") {
      this.#log.info("jwk-refresh-log", {
        message: `cannot read the header ${time.header} of the key set`,
        error: null,
      });
    } else {
      this.#next = time.kind === "at" ? time.time : null;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#next === null || this.#closed) return;
    // A time that has passed was kept because the last answer did not name one.
    const time = Math.max(this.#next, Date.now() + shortestRefreshMilliseconds);
    this.#cancel = callAt(time, () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    try {
      this.#accept(await this.#fetch());
    } catch (error) {
      if (this.#closed) return;
      const shown = error instanceof KeyFetchError ? error.message : error;
      this.#log.critical("jwk-refresh-log", {
        message: "the key set could not be fetched; its keys stay",
        error: shown,
      });
      this.#next = Date.now() + shortestRefreshMilliseconds;
      this.#schedule();
    }
  }
}
