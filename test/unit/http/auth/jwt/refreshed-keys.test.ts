import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseOptions } from "../../../../../runtime/config/options.ts";
import {
  type CacheHeaders,
  type FetchedKeys,
  KeyFetchError,
  RefreshedKeys,
  refreshTime,
} from "../../../../../runtime/http/auth/jwt/open-verifiers.ts";
import { readKeySet } from "../../../../../runtime/http/auth/jwt/token-verifier.ts";
import { createLog } from "../../../../../runtime/observe/logs/log.ts";
import { p256, rsa } from "./tokens.ts";

const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;

describe("The time of the next refresh", () => {
  const header = (text: string): CacheHeaders => ({ cacheControl: text, expires: null });
  const expires = (text: string): CacheHeaders => ({ cacheControl: null, expires: text });
  it.each<[CacheHeaders, number | "never" | "unreadable"]>([
    [header("max-age=3600"), 60],
    [header("public, s-maxage=600"), 10],
    // Keys are refreshed at most once a minute.
    [header("max-age=5"), 1],
    [header("max-age=0"), 1],
    [header("no-cache"), 1],
    [header("no-store, max-age=3600"), 1],
    [header("must-revalidate"), 1],
    [header("must-revalidate, max-age=3600"), 60],
    [header("public"), "never"],
    [{ cacheControl: "public", expires: "Fri, 20 Nov 2026 13:00:00 GMT" }, "never"],
    [{ cacheControl: "max-age=120", expires: "Fri, 20 Nov 2026 13:00:00 GMT" }, 2],
    [expires("Fri, 20 Nov 2026 13:00:00 GMT"), 60],
    [expires("Fri, 20 Nov 2026 11:00:00 GMT"), 1],
    [{ cacheControl: null, expires: null }, "never"],
    [header("max-age=soon"), "unreadable"],
    [expires("0"), "unreadable"],
  ])("refreshTime for %j: after %s minutes", (headers, expected) => {
    const time = refreshTime(headers, now);
    expect(time.kind === "at" ? (time.time - now) / minute : time.kind).toBe(expected);
  });
});

describe("Refreshed keys", () => {
  const lines: string[] = [];
  const log = createLog(parseOptions({}, {}), { write: (line) => void lines.push(line) });
  const levels = () => lines.map((line) => (JSON.parse(line) as { level: string }).level);
  const none: CacheHeaders = { cacheControl: null, expires: null };
  const set = (jwk: unknown, cacheControl: string | null = null): FetchedKeys => ({
    keys: readKeySet({ keys: [jwk] }) ?? [],
    text: JSON.stringify(jwk),
    cache: { ...none, cacheControl },
  });
  const failing = () => Promise.reject(new KeyFetchError("Error fetching JWK: no reply in time"));
  const hourly = "max-age=3600";

  beforeEach(() => {
    vi.useFakeTimers({ now });
    lines.length = 0;
  });
  afterEach(() => vi.useRealTimers());

  it("The first fetch of a key set fails after six attempts in about six seconds", async () => {
    const fetch = vi.fn(failing);
    const opening = RefreshedKeys.open(fetch, log);
    const outcome = expect(opening).rejects.toThrow("Error fetching JWK: no reply in time");
    await vi.advanceTimersByTimeAsync(6199);
    expect(fetch).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(fetch).toHaveBeenCalledTimes(6);
  });

  it("Key sets are in use after the first successful fetch", async () => {
    const fetch = vi
      .fn(failing)
      .mockImplementationOnce(failing)
      .mockResolvedValueOnce(set(rsa.jwk) as never);
    const opening = RefreshedKeys.open(fetch, log);
    await vi.advanceTimersByTimeAsync(200);
    expect((await opening).current).toHaveLength(1);
    expect(levels()).toEqual(["info"]);
  });

  it("A key set is fetched again when its cache headers expire, and never without cache headers", async () => {
    const fetch = vi
      .fn<() => Promise<FetchedKeys>>()
      .mockResolvedValueOnce(set(rsa.jwk, hourly))
      .mockResolvedValueOnce(set(p256.jwk));
    const keys = await RefreshedKeys.open(fetch, log);
    const first = keys.current;
    await vi.advanceTimersByTimeAsync(60 * minute - 1);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(keys.current).not.toBe(first);
    expect([...(keys.current[0]?.algorithms ?? [])]).toEqual(["ES256"]);
    await vi.advanceTimersByTimeAsync(48 * 60 * minute);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("An unchanged key set keeps its list of keys", async () => {
    const keys = await RefreshedKeys.open(() => Promise.resolve(set(rsa.jwk, "no-cache")), log);
    const first = keys.current;
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect(keys.current).toBe(first);
  });

  it("A failed refresh keeps the cached keys and is retried a minute later", async () => {
    const fetch = vi
      .fn<() => Promise<FetchedKeys>>()
      .mockResolvedValueOnce(set(rsa.jwk, hourly))
      .mockImplementationOnce(failing)
      .mockResolvedValueOnce(set(p256.jwk));
    const keys = await RefreshedKeys.open(fetch, log);
    const first = keys.current;
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(keys.current).toBe(first);
    expect(levels()).toEqual(["critical"]);
    expect(lines[0]).toContain('"error":"Error fetching JWK: no reply in time"');
    await vi.advanceTimersByTimeAsync(minute);
    expect(keys.current).not.toBe(first);
  });

  it("An internal error during a refresh is logged and does not end the refreshes", async () => {
    const fetch = vi
      .fn<() => Promise<FetchedKeys>>()
      .mockResolvedValueOnce(set(rsa.jwk, hourly))
      .mockRejectedValueOnce(new TypeError("a bug"))
      .mockResolvedValueOnce(set(p256.jwk));
    await RefreshedKeys.open(fetch, log);
    await vi.advanceTimersByTimeAsync(61 * minute);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(lines[0]).toContain('"message":"a bug"');
  });

  it("An unreadable cache header keeps the previous refresh interval", async () => {
    const fetch = vi
      .fn<() => Promise<FetchedKeys>>()
      .mockResolvedValueOnce(set(rsa.jwk, hourly))
      .mockResolvedValueOnce(set(rsa.jwk, "max-age=soon"))
      .mockResolvedValueOnce(set(rsa.jwk));
    await RefreshedKeys.open(fetch, log);
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(levels()).toEqual(["info"]);
    await vi.advanceTimersByTimeAsync(minute);
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it("A refresh interval may exceed the longest timer", async () => {
    const fetch = vi.fn(() => Promise.resolve(set(rsa.jwk, `max-age=${60 * 86_400}`)));
    await RefreshedKeys.open(fetch, log);
    await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("Closed keys are never fetched again", async () => {
    const fetch = vi.fn(() => Promise.resolve(set(rsa.jwk, "no-cache")));
    const keys = await RefreshedKeys.open(fetch, log);
    keys.close();
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
