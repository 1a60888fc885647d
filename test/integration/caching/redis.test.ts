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
    await redis.stop();
    await change();
    const without = await ask(one, notes, as("user", "ann"));
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

  it("The server does not wait for an unresponsive Redis", async () => {
    await ofAnn(one);
    await change();
    redis.pause();
    try {
      expect(await ofAnn(one)).toEqual(["first changed"]);
    } finally {
      redis.resume();
    }
  });
});
