/** Answers that are kept: how long, how large, and what happens where their store does not answer. */
import type { AnswerHeaders } from "../ports/graphql.ts";
import type { Meters } from "../ports/metrics.ts";
import type { CachedAnswer, CacheWarning, ClearedResponses, ResponseCacheService } from "../ports/response-cache.ts";
import { EngineError } from "../values/errors.ts";
import type { Lookup, ResponsePlace, ResponseStore } from "./store.ts";

export interface ResponseCacheSettings {
  readonly store: ResponseStore;
  readonly meters: Pick<Meters, "cacheRequests">;
  readonly maxSeconds: number;
  /** In characters. */
  readonly maxLength: number;
  /** Told of a store that does not answer. */
  readonly failed: (error: unknown) => void;
}

/** A query that asks for an answer out of the cache. */
export interface CacheRequest {
  readonly place: ResponsePlace;
  readonly seconds: number;
  /** Whatever is kept is not good enough. */
  readonly refresh: boolean;
  /** Whether what is kept may be given now; absent: it may. */
  readonly mayGive?: () => true | Promise<boolean>;
  /** It was found. */
  readonly given: () => void;
  /** Asks for it. */
  readonly ask: (headers: AnswerHeaders) => Promise<string>;
}

export class ResponseCache implements ResponseCacheService {
  readonly #settings: ResponseCacheSettings;

  constructor(settings: ResponseCacheSettings) {
    this.#settings = settings;
  }

  async clear(cleared: ClearedResponses): Promise<void> {
    try {
      await this.#settings.store.clear(cleared);
    } catch (error) {
      this.#settings.failed(error);
      const message = "the response cache does not answer, so nothing was cleared";
      throw new EngineError("unexpected", "$", message, { status: 503, cause: error });
    }
  }

  /** @returns the JSON text of `data`'s value, kept or new */
  async answer(request: CacheRequest, headers: AnswerHeaders | undefined): Promise<string> {
    const { place, refresh } = request;
    const { cacheRequests } = this.#settings.meters;
    const lookup = await this.#look(place);
    const found = refresh ? undefined : lookup?.found;
    if (found && (await (request.mayGive?.() ?? true))) {
      cacheRequests.add(1, hit);
      request.given();
      headers?.setCached?.(told(place, found.secondsLeft));
      return found.text;
    }
    cacheRequests.add(1, miss);
    return this.#askAndKeep(request, lookup, headers);
  }

  async #askAndKeep(
    { place, seconds: asked, ask }: CacheRequest,
    lookup: Lookup | undefined,
    headers: AnswerHeaders | undefined,
  ): Promise<string> {
    const { maxSeconds, maxLength } = this.#settings;
    let hasCookies = false;
    const text = await ask({
      addCookie(value) {
        hasCookies = true;
        headers?.addCookie(value);
      },
    });
    const seconds = Math.min(asked, maxSeconds);
    // A cookie is for one client.
    if (seconds <= 0 || hasCookies) headers?.setCached?.(told(place, 0));
    else if (text.length > maxLength) headers?.setCached?.(told(place, 0, "cache-store-size-limit-exceeded"));
    else {
      const warning = await this.#keep(lookup, text, seconds);
      headers?.setCached?.(told(place, warning ? 0 : seconds, warning));
    }
    return text;
  }

  async #look(place: ResponsePlace): Promise<Lookup | undefined> {
    try {
      return await this.#settings.store.look(place);
    } catch (error) {
      this.#settings.failed(error);
      return undefined;
    }
  }

  /** @returns why it is not kept */
  async #keep(lookup: Lookup | undefined, text: string, seconds: number): Promise<CacheWarning | undefined> {
    if (lookup === undefined) return "cache-store-error";
    try {
      return (await lookup.keep(text, seconds)) ? undefined : "cache-store-size-limit-exceeded";
    } catch (error) {
      this.#settings.failed(error);
      return "cache-store-error";
    }
  }
}

const hit = { status: "hit" };
const miss = { status: "miss" };

function told({ key, family }: ResponsePlace, seconds: number, warning?: CacheWarning): CachedAnswer {
  return { key, family, seconds: Math.floor(seconds), ...(warning && { warning }) };
}
