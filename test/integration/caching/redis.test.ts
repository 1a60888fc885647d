/** Responses cached in Redis: shared by all instances, and optional for every request. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type RedisServer, redisIsMissing, startRedis } from "../../support/redis.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { as, ask, clear, secret, setUpNotes, texts } from "./set-up.ts";

const notes = "query Notes @cached { note(order_by: {id: asc}) { text } }";

describe.skipIf(redisIsMissing)("Cached responses in Redis", () => {
  let redis: RedisServer;
  let one: TestServer;
  let other: TestServer;

  beforeAll(async () => {
    redis = await startRedis();
    const environment = {
      ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
      ENGINE_GRAPHQL_REDIS_URL: redis.url,
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      ENGINE_GRAPHQL_METRICS_SECRET: "scrape",
    };
    one = await startTestServer({ environment });
    await setUpNotes(one);
    other = await startTestServer({ environment, on: one });
  });
  afterAll(async () => {
    await other?.stop();
    await one?.close();
    await redis?.close();
  });
  beforeEach(async () => {
    await query(one.databaseUrl, "update note set text = case id when 1 then 'first' else 'second' end");
    await expect.poll(async () => (await clear(one, "")).status, { timeout: 20_000 }).toBe(200);
  });
  const change = (): Promise<unknown> => query(one.databaseUrl, "update note set text = text || ' changed'");
  /** Returns the number of requests that ran without Redis. */
  const outages = async (server: TestServer): Promise<number> => {
    const headers = { authorization: "Bearer scrape" };
    const text = await (await fetch(`${server.url}/v1/metrics`, { headers })).text();
    return Number(/^engine_cache_unavailable_requests_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const ofAnn = async (server: TestServer) => texts(await ask(server, notes, as("user", "ann")));

  it("Cached responses in Redis are shared by instances but not by sessions, and cleared for all instances", async () => {
    const first = await ask(one, notes, as("user", "ann"));
    expect(first.control).toBe("private, max-age=60");
    await change();
    const second = await ask(other, notes, as("user", "ann"));
    expect([texts(second), second.key]).toEqual([["first"], first.key]);
    expect(texts(await ask(other, notes, as("user", "bob")))).toEqual(["second changed"]);
    await clear(one, `?family=${first.family}`);
    expect(await ofAnn(other)).toEqual(["first changed"]);
    await change();
    await clear(other, "?role=user");
    expect(await ofAnn(one)).toEqual(["first changed changed"]);
    await change();
    await clear(other, `?key=${first.key}`);
    expect(await ofAnn(one)).toEqual(["first changed changed changed"]);
  });

  it("Cached responses in Redis are separate for each installation", async () => {
    await ofAnn(one);
    const stranger = await startTestServer({
      environment: {
        ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
        ENGINE_GRAPHQL_REDIS_URL: redis.url,
      },
    });
    await setUpNotes(stranger);
    await query(stranger.databaseUrl, "update note set text = 'strange'");
    expect(await ofAnn(stranger)).toEqual(["strange"]);
    await stranger.close();
  });

  it("The server works without Redis and uses it again when it returns", async () => {
    await ofAnn(one);
    const before = await outages(one);
    await redis.stop();
    await change();
    const without = await ask(one, notes, as("user", "ann"));
    expect((await outages(one)) - before).toBe(1);
    expect(texts(without)).toEqual(["first changed"]);
    expect(without).toMatchObject({ control: "no-store", warning: '199 engine "cache-store-error"' });
    const { status, json } = await clear(one, "");
    expect({ status, json }).toEqual({
      status: 503,
      json: {
        path: "$",
        error: "the response cache is unreachable; nothing was cleared",
        code: "unexpected",
      },
    });
    await redis.start();
    await expect
      .poll(async () => (await ask(one, notes, as("user", "ann"))).control, { timeout: 30_000 })
      .toMatch(/max-age/);
  });

  it("A server that starts without Redis serves cached queries without the cache", async () => {
    const away = await startTestServer({
      environment: {
        ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
        ENGINE_GRAPHQL_REDIS_URL: "redis://127.0.0.1:9/0",
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
        ENGINE_GRAPHQL_METRICS_SECRET: "scrape",
      },
      on: one,
    });
    try {
      const { json, control, warning } = await ask(away, notes, as("clerk"));
      expect({ json, control, warning }).toEqual({
        json: { data: { note: [{ text: "first" }, { text: "second" }] } },
        control: "no-store",
        warning: '199 engine "cache-store-error"',
      });
      expect(await outages(away)).toBe(1);
    } finally {
      await away.stop();
    }
  });

  it("The server does not wait for an unresponsive Redis", async () => {
    await ofAnn(one);
    const before = await outages(one);
    await change();
    redis.pause();
    try {
      expect(await ofAnn(one)).toEqual(["first changed"]);
      expect((await outages(one)) - before).toBe(1);
    } finally {
      redis.resume();
    }
  });
});
