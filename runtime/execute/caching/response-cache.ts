/**
 * Caches responses of queries with `@cached`, within limits of lifetime and size, and tolerates failures of the store.
 */
import type { ResponseBuilder } from "../../ports/graphql.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { CacheInfo, CacheWarning, ClearedResponses, ResponseCacheService } from "../../ports/response-cache.ts";
import { EngineError } from "../../values/errors.ts";
import { JoinedBytes } from "../../values/joined-bytes.ts";
import { type ResponseText, toBytes, unpacked } from "../../values/response-text.ts";
import type { Lookup, ResponseIdentity, ResponseStore, StoredText } from "./store.ts";

export interface ResponseCacheSettings {
  readonly store: ResponseStore;
  readonly meters: Pick<Meters, "cacheRequests" | "cacheOutages">;
  readonly maxSeconds: number;
  /** Maximum size of a response. */
  readonly maxBytes: number;
  /** Called with errors of the store. */
  readonly failed: (error: unknown) => void;
}

export interface CacheRequest {
  readonly identity: ResponseIdentity;
  readonly seconds: number;
  /** If true, the cached response is replaced. */
  readonly refresh: boolean;
  /** Called if the response is served from the cache. */
  readonly onHit: () => void;
  readonly compute: (response: ResponseBuilder) => Promise<ResponseText>;
}

/** A response that a request has computed. */
interface ComputedResponse {
  readonly text: StoredText;
  readonly cached: CacheInfo;
  /** True without cookies and field errors, so that concurrent requests may share the response. */
  readonly isShareable: boolean;
}

/** Number of failed computations to wait for before a request computes the response itself. */
const maxFailedWaits = 2;

export class ResponseCache implements ResponseCacheService {
  readonly #settings: ResponseCacheSettings;
  /** Computations in progress, by key and stamp of the lookup. */
  readonly #inProgress = new Map<string, Promise<ComputedResponse>>();

  constructor(settings: ResponseCacheSettings) {
    this.#settings = settings;
  }

  async clear(cleared: ClearedResponses): Promise<void> {
    try {
      await this.#settings.store.clear(cleared);
    } catch (error) {
      this.#settings.failed(error);
      const message = "the response cache is unreachable; nothing was cleared";
      throw new EngineError("unexpected", "$", message, { status: 503, cause: error });
    }
  }

  /**
   * Serves a query.
   * @returns the JSON text of `data`, cached or computed
   */
  async serve(request: CacheRequest, response: ResponseBuilder | undefined): Promise<ResponseText> {
    const text = await this.#textFor(request, response);
    return typeof text === "string" ? text : new JoinedBytes([text]);
  }

  async #textFor(request: CacheRequest, response: ResponseBuilder | undefined): Promise<StoredText> {
    const { identity, refresh } = request;
    const lookup = await this.#lookUp(identity);
    const found = refresh ? undefined : lookup?.found;
    if (found) {
      return this.#serveHit(request, { text: found.text, cached: cachedAnswer(identity, found.secondsLeft) }, response);
    }
    const computed = await this.#computeOnce(request, lookup, response);
    return computed.text;
  }

  #serveHit(
    { onHit }: CacheRequest,
    { text, cached }: Pick<ComputedResponse, "text" | "cached">,
    response: ResponseBuilder | undefined,
  ) {
    this.#settings.meters.cacheRequests.add(1, hit);
    onHit();
    response?.setCached?.(cached);
    return text;
  }

  /**
   * Computes a missing response once for concurrent requests: the first request computes it, and all others wait.
   * Computations that started before the cache was cleared are not shared.
   */
  async #computeOnce(
    request: CacheRequest,
    lookup: Lookup | undefined,
    response: ResponseBuilder | undefined,
  ): Promise<Pick<ComputedResponse, "text">> {
    const { identity, refresh, seconds } = request;
    const compute = () => this.#computeAndSave(request, lookup, response);
    if (lookup === undefined || refresh || seconds <= 0) return compute();
    const key = `${identity.key} ${lookup.stamp}`;
    for (let waits = 0; waits < maxFailedWaits; waits++) {
      const inProgress = this.#inProgress.get(key);
      if (inProgress === undefined) {
        const computation = compute();
        this.#inProgress.set(key, computation);
        return computation.finally(() => this.#inProgress.delete(key));
      }
      const computed = await inProgress.catch(() => undefined);
      // The other request failed, possibly because its client disconnected.
      if (computed === undefined) continue;
      if (!computed.isShareable) break;
      return { text: this.#serveHit(request, computed, response) };
    }
    return compute();
  }

  async #computeAndSave(
    { identity, seconds: requested, compute }: CacheRequest,
    lookup: Lookup | undefined,
    response: ResponseBuilder | undefined,
  ): Promise<ComputedResponse> {
    const { maxSeconds, maxBytes, meters } = this.#settings;
    meters.cacheRequests.add(1, miss);
    let hasCookies = false;
    let hasErrors = false;
    const data = await compute({
      addCookie(value) {
        hasCookies = true;
        response?.addCookie?.(value);
      },
      ...(response?.addError && {
        addError(error) {
          hasErrors = true;
          response.addError?.(error);
        },
      }),
    });
    const text = await storedText(data);
    const seconds = Math.min(requested, maxSeconds);
    let cached: CacheInfo;
    // Cookies belong to one client, and field errors may be temporary.
    if (seconds <= 0 || hasCookies || hasErrors) cached = cachedAnswer(identity, 0);
    else if (Buffer.byteLength(text) > maxBytes) cached = cachedAnswer(identity, 0, "cache-store-size-limit-exceeded");
    else {
      const warning = await this.#save(lookup, text, seconds);
      cached = cachedAnswer(identity, warning ? 0 : seconds, warning);
    }
    response?.setCached?.(cached);
    return { text, cached, isShareable: !hasCookies && !hasErrors };
  }

  async #lookUp(identity: ResponseIdentity): Promise<Lookup | undefined> {
    try {
      return await this.#settings.store.lookUp(identity);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /**
   * Stores a response.
   * @returns the reason if the response is not cached
   */
  async #save(lookup: Lookup | undefined, text: StoredText, seconds: number): Promise<CacheWarning | undefined> {
    if (lookup === undefined) return "cache-store-error";
    try {
      return (await lookup.save(text, seconds)) ? undefined : "cache-store-size-limit-exceeded";
    } catch (error) {
      this.#failed(error);
      return "cache-store-error";
    }
  }

  /** Records a request that runs without the store. */
  #failed(error: unknown): void {
    this.#settings.meters.cacheOutages.add(1);
    this.#settings.failed(error);
  }
}

/** Returns a text without memory that the sender of the response frees. */
async function storedText(data: ResponseText): Promise<StoredText> {
  const text = await unpacked(data);
  if (typeof text === "string") return text;
  const bytes = toBytes(text);
  text.release();
  return bytes;
}

const hit = { status: "hit" };
const miss = { status: "miss" };

function cachedAnswer({ key, family }: ResponseIdentity, seconds: number, warning?: CacheWarning): CacheInfo {
  return { key, family, seconds: Math.floor(seconds), ...(warning && { warning }) };
}
