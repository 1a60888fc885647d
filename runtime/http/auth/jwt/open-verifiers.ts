/** Opens the verifiers of JWT secrets, and fetches and refreshes their key sets. */
import { ConfigurationError } from "../../../config/configuration-error.ts";
import type { HttpUrl } from "../../../config/http-url.ts";
import type { JwtConfig } from "../../../config/jwt/jwt-config.ts";
import type { Log } from "../../../observe/logs/log.ts";
import type { HttpReply } from "../../../outbound/http-call.ts";
import { callFailure, HttpClient } from "../../../outbound/http-client.ts";
import { defaultOutboundRules, type OutboundRules } from "../../../values/outbound-rules.ts";
import { callAt } from "../../../values/timer.ts";
import { lifetimeOf, parseCacheControl, parseHttpDate } from "../cache-headers.ts";
import { type IdentifiedKey, readKeySet, TokenVerifier } from "./token-verifier.ts";

export interface OpenVerifiers {
  readonly verifiers: readonly TokenVerifier[];
  /** Stops refreshing keys. */
  close(): Promise<void>;
}

const limits = { milliseconds: 10_000, connections: 2, callsAtOnce: 100, responseBytes: 1024 * 1024, redirects: 0 };

/**
 * Opens the verifiers.
 * @throws ConfigurationError if keys cannot be fetched; all verifiers are then closed
 */
export async function openVerifiers(
  configs: readonly JwtConfig[],
  { log, outbound = defaultOutboundRules }: { readonly log: Log; readonly outbound?: OutboundRules },
): Promise<OpenVerifiers> {
  const client = new HttpClient({ ...limits, outbound });
  const opened: RefreshedKeys[] = [];
  const close = async (): Promise<void> => {
    for (const keys of opened) keys.close();
    await client.close();
  };
  const open = async ({ settings }: JwtConfig): Promise<TokenVerifier> => {
    const { key } = settings;
    if (key.kind === "given") return new TokenVerifier(settings, null);
    const keys = await RefreshedKeys.open(() => fetchKeys(client, key.url), log);
    opened.push(keys);
    return new TokenVerifier(settings, keys);
  };
  const results = await Promise.allSettled(configs.map(open));
  const failure = results.find((result) => result.status === "rejected");
  if (failure === undefined) {
    return { verifiers: results.flatMap((result) => (result.status === "fulfilled" ? result.value : [])), close };
  }
  await close();
  const { reason } = failure;
  throw reason instanceof KeyFetchError
    ? new ConfigurationError([{ setting: null, message: reason.message }])
    : (reason as unknown);
}

/** The delays in milliseconds between attempts of the first fetch: six attempts in about six seconds. */
const retryDelays = [200, 400, 800, 1600, 3200];

/**
 * A key set from a URL: fetched at start-up, then refreshed as its cache headers require. A failed refresh keeps the
 * cached keys.
 */
export class RefreshedKeys {
  readonly #fetch: () => Promise<FetchedKeys>;
  readonly #log: Log;
  #keys: readonly IdentifiedKey[] = [];
  #text: string | null = null;
  /** The time of the next fetch in milliseconds since 1970; `null` for never. */
  #next: number | null = null;
  #cancel: () => void = () => {};
  #closed = false;

  private constructor(fetch: () => Promise<FetchedKeys>, log: Log) {
    this.#fetch = fetch;
    this.#log = log;
  }

  /**
   * Fetches the keys.
   * @throws KeyFetchError if the last attempt fails
   */
  static async open(fetch: () => Promise<FetchedKeys>, log: Log): Promise<RefreshedKeys> {
    const keys = new RefreshedKeys(fetch, log);
    for (const delay of retryDelays) {
      try {
        keys.#accept(await fetch());
        return keys;
      } catch (error) {
        if (!(error instanceof KeyFetchError)) throw error;
        log.info("jwk-refresh-log", { message: "Failed to fetch the key set; retrying", error: error.message });
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
    keys.#accept(await fetch());
    return keys;
  }

  /** The current keys; the same array until they change. */
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
        message: `Ignored the malformed header ${time.header} of the key set`,
        error: null,
      });
    } else {
      this.#next = time.kind === "at" ? time.time : null;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#next === null || this.#closed) return;
    // If the last response had no valid cache headers, the time is from an earlier response and may be in the past.
    const time = Math.max(this.#next, Date.now() + minRefreshMilliseconds);
    this.#cancel = callAt(time, () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    try {
      this.#accept(await this.#fetch());
    } catch (error) {
      if (this.#closed) return;
      const shown = error instanceof KeyFetchError ? error.message : error;
      this.#log.critical("jwk-refresh-log", {
        message: "Failed to refresh the key set; keeping the cached keys",
        error: shown,
      });
      this.#next = Date.now() + minRefreshMilliseconds;
      this.#schedule();
    }
  }
}

export interface FetchedKeys {
  readonly keys: readonly IdentifiedKey[];
  /** The text of the set, for detecting changes. */
  readonly text: string;
  readonly cache: CacheHeaders;
}

/** An error whose message contains the URL without its query string. */
export class KeyFetchError extends Error {}

/**
 * Fetches a key set.
 * @throws KeyFetchError
 */
async function fetchKeys(client: HttpClient, url: HttpUrl): Promise<FetchedKeys> {
  let reply: HttpReply;
  try {
    reply = await client.call({ method: "GET", url: url.reveal(), headers: { accept: "application/json" } });
  } catch (error) {
    throw new KeyFetchError(`Error fetching JWK: ${callFailure(error)}`);
  }
  const { status, headers, text } = reply;
  if (status < 200 || status > 299) throw new KeyFetchError(`Non-2xx response on fetching JWK from: ${url}`);
  const keys = readKeySet(parse(text));
  if (keys === null) throw new KeyFetchError(`Error parsing JWK from url: ${url}`);
  return { keys, text, cache: { cacheControl: header(headers["cache-control"]), expires: header(headers.expires) } };
}

/** Parses JSON. Returns `undefined` if the text is malformed. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function header(value: string | readonly string[] | undefined): string | null {
  return value === undefined ? null : [value].flat().join(",");
}

const minRefreshMilliseconds = 60_000;

export interface CacheHeaders {
  readonly cacheControl: string | null;
  readonly expires: string | null;
}

/** The time of the next fetch; `never` if the keys do not expire; `unreadable` if the named header is malformed. */
type RefreshTime =
  | { readonly kind: "at"; readonly time: number }
  | { readonly kind: "never" }
  | { readonly kind: "unreadable"; readonly header: string };

/**
 * Computes the time of the next fetch.
 * @param now in milliseconds since 1970, like the returned `time`
 */
export function refreshTime({ cacheControl, expires }: CacheHeaders, now: number): RefreshTime {
  const at = (time: number): RefreshTime => ({ kind: "at", time: Math.max(time, now + minRefreshMilliseconds) });
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
