/** Concurrent requests that miss the same cached response. */
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../../../runtime/execute/caching/memory-store.ts";
import { type CacheRequest, ResponseCache } from "../../../../runtime/execute/caching/response-cache.ts";
import { noMeters } from "../../../../runtime/ports/metrics.ts";
import { JoinedBytes } from "../../../../runtime/values/joined-bytes.ts";
import { ReleasableBytes } from "../../../../runtime/values/releasable-bytes.ts";
import type { ResponseText } from "../../../../runtime/values/response-text.ts";

const identity = { key: "k", family: "f", role: "r" };

/** Opens a cache with its pending computations, which the test completes itself. */
function openCache() {
  const fail = (error: unknown): void => expect.fail(String(error));
  const store = new MemoryStore(1_000_000);
  const cache = new ResponseCache({ store, meters: noMeters, maxSeconds: 60, maxBytes: 1000, failed: fail });
  const computations: { respond(text: ResponseText): void; fail(): void }[] = [];
  const respond = (more: Partial<CacheRequest> = {}) =>
    cache.serve(
      {
        identity,
        seconds: 60,
        refresh: false,
        onHit: () => undefined,
        compute: () =>
          new Promise((resolve, reject) => {
            computations.push({ respond: resolve, fail: () => reject(new Error("failed")) });
          }),
        ...more,
      },
      undefined,
    );
  return { cache, computations, respond };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("Concurrent cache misses", () => {
  it("Concurrent cache misses share one execution", async () => {
    const { computations, respond } = openCache();
    const responses = [respond(), respond(), respond()];
    await nextTurn();
    expect(computations).toHaveLength(1);
    computations[0]?.respond("1");
    expect(await Promise.all(responses)).toEqual(["1", "1", "1"]);
    expect(await respond()).toBe("1");
    expect(computations).toHaveLength(1);
  });

  it("A cache miss after a clear does not wait for an execution from before the clear", async () => {
    const { cache, computations, respond } = openCache();
    const first = respond();
    await nextTurn();
    await cache.clear({ role: "r" });
    const second = respond();
    await nextTurn();
    expect(computations).toHaveLength(2);
    computations[0]?.respond("old");
    computations[1]?.respond("new");
    expect(await Promise.all([first, second])).toEqual(["old", "new"]);
    expect(await respond()).toBe("new");
  });

  it("Concurrent cache misses survive a failed first execution and run one after the other at most twice", async () => {
    const { computations, respond } = openCache();
    const first = respond();
    const others = Promise.allSettled([respond(), respond(), respond()]);
    await nextTurn();
    computations[0]?.fail();
    await expect(first).rejects.toThrow("failed");
    await nextTurn();
    expect(computations).toHaveLength(2);
    computations[1]?.fail();
    await nextTurn();
    expect(computations).toHaveLength(4);
    computations[2]?.respond("3");
    computations[3]?.respond("4");
    const settled = await others;
    expect(settled.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual(["failed", "3", "4"]);
  });

  it("Concurrent cache misses do not share a result that sets a cookie, and a refresh or a lifetime of 0 shares no execution", async () => {
    const { computations, respond } = openCache();
    const first = respond({
      compute: (response) => {
        response.addCookie?.("a=b");
        return new Promise((resolve) => computations.push({ respond: resolve, fail: () => undefined }));
      },
    });
    const second = respond();
    const refreshed = respond({ refresh: true });
    const uncached = respond({ seconds: 0 });
    await nextTurn();
    expect(computations).toHaveLength(3);
    computations[0]?.respond("with a cookie");
    expect(await first).toBe("with a cookie");
    await nextTurn();
    expect(computations).toHaveLength(4);
    const others = computations.slice(1);
    for (const [i, each] of others.entries()) each.respond(String(i));
    expect(await Promise.all([refreshed, uncached, second])).toEqual(["0", "1", "2"]);
  });
});

describe("Cached responses as bytes", () => {
  /** The size of memory that is freed when it is released. */
  const releasable = 1024 * 1024;

  it("A response as bytes is cached as bytes of its own, so that requests send it independently", async () => {
    const { computations, respond } = openCache();
    const first = [respond(), respond()];
    await nextTurn();
    const memory = ReleasableBytes.allocate(releasable);
    const value = memory.bytes.fill("é").subarray(0, 100);
    computations[0]?.respond(new JoinedBytes(['{"a":"', value, '"}'], [memory]));
    const text = `{"a":"${"é".repeat(50)}"}`;
    for (const each of [...first, respond()]) {
      const response = await each;
      expect(response).toBeInstanceOf(JoinedBytes);
      expect(String(response)).toBe(text);
      if (response instanceof JoinedBytes) response.release();
    }
    expect(value).toHaveLength(0);
    expect(computations).toHaveLength(1);
  });

  it("The size limit counts the bytes of a response, whatever its form", async () => {
    for (const form of [(text: string) => text, (text: string) => new JoinedBytes([Buffer.from(text)])]) {
      const { computations, respond } = openCache();
      for (const [i, text] of ["é".repeat(501), "é".repeat(500)].entries()) {
        const response = respond();
        await nextTurn();
        computations[i]?.respond(form(text));
        expect(String(await response)).toBe(text);
      }
      expect(String(await respond())).toBe("é".repeat(500));
      expect(computations).toHaveLength(2);
    }
  });
});
