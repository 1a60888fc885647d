/** Requests that miss the same answer at the same time. */
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../../../runtime/execute/caching/memory-store.ts";
import { type CacheRequest, ResponseCache } from "../../../../runtime/execute/caching/response-cache.ts";
import { noMeters } from "../../../../runtime/ports/metrics.ts";

const place = { key: "k", family: "f", role: "r" };

/** A cache, and what was asked of the database: each is answered by hand. */
function opened() {
  const fail = (error: unknown): void => expect.fail(String(error));
  const store = new MemoryStore(1_000_000);
  const cache = new ResponseCache({ store, meters: noMeters, maxSeconds: 60, maxLength: 1000, failed: fail });
  const asked: { answer(text: string): void; fail(): void }[] = [];
  const answer = (more: Partial<CacheRequest> = {}) =>
    cache.answer(
      {
        place,
        seconds: 60,
        refresh: false,
        basis: { holds: () => true },
        given: () => undefined,
        ask: () =>
          new Promise((resolve, reject) => {
            asked.push({ answer: resolve, fail: () => reject(new Error("failed")) });
          }),
        ...more,
      },
      undefined,
    );
  return { cache, asked, answer };
}
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe("requests that miss an answer at the same time", () => {
  it("wait for the first of them", async () => {
    const { asked, answer } = opened();
    const answers = [answer(), answer(), answer()];
    await turns();
    expect(asked).toHaveLength(1);
    asked[0]?.answer("1");
    expect(await Promise.all(answers)).toEqual(["1", "1", "1"]);
    expect(await answer()).toBe("1");
    expect(asked).toHaveLength(1);
  });

  it("do not wait for one that was begun before something was cleared", async () => {
    const { cache, asked, answer } = opened();
    const first = answer();
    await turns();
    await cache.clear({ role: "r" });
    const second = answer();
    await turns();
    expect(asked).toHaveLength(2);
    asked[0]?.answer("old");
    asked[1]?.answer("new");
    expect(await Promise.all([first, second])).toEqual(["old", "new"]);
    expect(await answer()).toBe("new");
  });

  it("do not fail with the first, and are asked one after the other no more than twice", async () => {
    const { asked, answer } = opened();
    const first = answer();
    const others = Promise.allSettled([answer(), answer(), answer()]);
    await turns();
    asked[0]?.fail();
    await expect(first).rejects.toThrow("failed");
    await turns();
    expect(asked).toHaveLength(2);
    asked[1]?.fail();
    await turns();
    expect(asked).toHaveLength(4);
    asked[2]?.answer("3");
    asked[3]?.answer("4");
    const settled = await others;
    expect(settled.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual(["failed", "3", "4"]);
  });

  it("get none that sets a cookie, none that may not be given, none where they ask for a new one or a time of 0", async () => {
    const { asked, answer } = opened();
    const first = answer({
      ask: (headers) => {
        headers.addCookie?.("a=b");
        return new Promise((resolve) => asked.push({ answer: resolve, fail: () => undefined }));
      },
    });
    const second = answer();
    const refreshed = answer({ refresh: true });
    const unkept = answer({ seconds: 0 });
    await turns();
    expect(asked).toHaveLength(3);
    asked[0]?.answer("with a cookie");
    expect(await first).toBe("with a cookie");
    await turns();
    expect(asked).toHaveLength(4);
    const stale = answer({ basis: { holds: async () => false } });
    const joined = asked.slice(1);
    for (const [i, each] of joined.entries()) each.answer(String(i));
    expect(await Promise.all([refreshed, unkept, second])).toEqual(["0", "1", "2"]);
    await turns();
    expect(asked).toHaveLength(5);
    asked[4]?.answer("own");
    expect(await stale).toBe("own");
  });
});
