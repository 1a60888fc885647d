/** Answers that are kept: how long, how large, and what happens where their store does not answer. */
import type { AnswerBasis, AnswerHeaders } from "../../ports/graphql.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { CachedAnswer, CacheWarning, ClearedResponses, ResponseCacheService } from "../../ports/response-cache.ts";
import { EngineError } from "../../values/errors.ts";
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
  /** What the request is allowed goes by it, so what is kept is given while it holds. */
  readonly basis: AnswerBasis;
  /** It was found. */
  readonly given: () => void;
  /** Asks for it. */
  readonly ask: (headers: AnswerHeaders) => Promise<string>;
}

/** An answer that a request had asked for. */
interface Asked {
  readonly text: string;
  readonly told: CachedAnswer;
  /** Others may have it: it sets no cookie. */
  readonly isForAll: boolean;
}

/** Who waited for so many others that failed asks by itself. */
const mostWaits = 2;

export class ResponseCache implements ResponseCacheService {
  readonly #settings: ResponseCacheSettings;
  /** What is being asked for, by its place and the state of the store when it was looked for. */
  readonly #underWay = new Map<string, Promise<Asked>>();

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
    const lookup = await this.#look(place);
    const found = refresh ? undefined : lookup?.found;
    if (found && (await request.basis.holds())) {
      return this.#give(request, { text: found.text, told: told(place, found.secondsLeft) }, headers);
    }
    const asked = await this.#askOnce(request, lookup, headers);
    return asked.text;
  }

  #give(
    { given, basis }: CacheRequest,
    { text, told: cached }: Omit<Asked, "isForAll">,
    headers: AnswerHeaders | undefined,
  ) {
    this.#settings.meters.cacheRequests.add(1, hit);
    given();
    headers?.restOn?.(basis);
    headers?.setCached?.(cached);
    return text;
  }

  /**
   * Of requests that miss the same answer at once the first asks for it, the others wait for what it gets. Nobody waits
   * for what was begun before something was cleared.
   */
  async #askOnce(
    request: CacheRequest,
    lookup: Lookup | undefined,
    headers: AnswerHeaders | undefined,
  ): Promise<Pick<Asked, "text">> {
    const { place, refresh, seconds } = request;
    const ask = () => this.#askAndKeep(request, lookup, headers);
    if (lookup === undefined || refresh || seconds <= 0) return ask();
    const key = `${place.key} ${lookup.stamp}`;
    for (let waits = 0; waits < mostWaits; waits++) {
      const underWay = this.#underWay.get(key);
      if (underWay === undefined) {
        const asking = ask();
        this.#underWay.set(key, asking);
        return asking.finally(() => this.#underWay.delete(key));
      }
      const asked = await underWay.catch(() => undefined);
      // The other one failed, for a reason that may be its own: its client has gone.
      if (asked === undefined) continue;
      if (!asked.isForAll || !(await request.basis.holds())) break;
      return { text: this.#give(request, asked, headers) };
    }
    return ask();
  }

  async #askAndKeep(
    { place, seconds: asked, ask }: CacheRequest,
    lookup: Lookup | undefined,
    headers: AnswerHeaders | undefined,
  ): Promise<Asked> {
    const { maxSeconds, maxLength, meters } = this.#settings;
    meters.cacheRequests.add(1, miss);
    let hasCookies = false;
    const text = await ask({
      addCookie(value) {
        hasCookies = true;
        headers?.addCookie?.(value);
      },
      restOn: (basis) => headers?.restOn?.(basis),
    });
    const seconds = Math.min(asked, maxSeconds);
    let cached: CachedAnswer;
    // A cookie is for one client.
    if (seconds <= 0 || hasCookies) cached = told(place, 0);
    else if (text.length > maxLength) cached = told(place, 0, "cache-store-size-limit-exceeded");
    else {
      const warning = await this.#keep(lookup, text, seconds);
      cached = told(place, warning ? 0 : seconds, warning);
    }
    headers?.setCached?.(cached);
    return { text, told: cached, isForAll: !hasCookies };
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
