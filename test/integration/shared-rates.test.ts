/** Rate limits of several instances: one count in Redis, and separate counts while Redis is unavailable. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, redisIsMissing, startRedis } from "../support/redis.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

const most = 5;
const secret = { "x-engine-admin-secret": "very-secret" };

describe.skipIf(redisIsMissing)("Rate limits in Redis", () => {
  let redis: RedisServer;
  let one: TestServer;
  let other: TestServer;

  beforeAll(async () => {
    redis = await startRedis();
    const environment = {
      ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
      ENGINE_GRAPHQL_REDIS_URL: redis.url,
      ENGINE_GRAPHQL_CACHE_MAX_BYTES: "0",
    };
    one = await startTestServer({ environment });
    const rate_limit = { global: { max_reqs_per_min: most, unique_params: ["x-engine-user-id"] } };
    const args = { rate_limit };
    const { text, status } = await one.post("/v1/metadata", { type: "set_api_limits", args }, secret);
    if (status !== 200) throw new Error(text);
    other = await startTestServer({ environment, on: one });
  });
  afterAll(async () => {
    await other?.stop();
    await one?.close();
    await redis?.close();
  });

  const of = (user: string) => ({ ...secret, "x-engine-role": "user", "x-engine-user-id": user });
  const limited = { message: `rate limit of ${most} requests per minute exceeded` };
  const isAdmitted = async (server: TestServer, user: string, operations = 1): Promise<boolean> => {
    const request = { query: "{ __typename }" };
    const body = operations === 1 ? request : Array.from({ length: operations }, () => request);
    const { json } = await server.post("/v1/graphql", body, of(user));
    if (json.errors) expect(json.errors).toMatchObject([limited]);
    return json.errors === undefined;
  };
  const countAdmitted = async (servers: readonly TestServer[], user: string, requests: number) => {
    const attempts = Array.from({ length: requests }, (_, i) => isAdmitted(servers[i % servers.length] ?? one, user));
    return (await Promise.all(attempts)).filter(Boolean).length;
  };

  it("Concurrent operations of a client at all instances share one rate limit", async () => {
    expect(await countAdmitted([one, other], "ann", 40)).toBe(most);
    expect(await isAdmitted(one, "ann")).toBe(false);
    expect(await isAdmitted(other, "bob", most - 1)).toBe(true);
    expect(await isAdmitted(one, "bob", 2)).toBe(false);
    expect(await isAdmitted(one, "bob")).toBe(true);
    expect(await isAdmitted(other, "bob")).toBe(false);
  });

  it("Operations over WebSockets count toward the shared rate limit", async () => {
    expect(await countAdmitted([one], "eve", most)).toBe(most);
    const client = await WebsocketClient.open(other.url, { protocol: "graphql-transport-ws" });
    client.ws.send(JSON.stringify({ type: "connection_init", payload: { headers: of("eve") } }));
    client.ws.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: "{ __typename }" } }));
    const answer = async (): Promise<unknown> => {
      const message = (await client.next()) as { readonly id?: string };
      return message.id === "1" ? message : answer();
    };
    expect(await answer()).toMatchObject({ type: "error", payload: [limited] });
    client.ws.close();
  });

  it("Rate limits are separate for each installation", async () => {
    expect(await countAdmitted([one], "kim", most + 1)).toBe(most);
    const environment = {
      ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
      ENGINE_GRAPHQL_REDIS_URL: redis.url,
    };
    const stranger = await startTestServer({ environment });
    const rate_limit = { global: { max_reqs_per_min: most, unique_params: ["x-engine-user-id"] } };
    await stranger.post("/v1/metadata", { type: "set_api_limits", args: { rate_limit } }, secret);
    expect(await countAdmitted([stranger], "kim", most + 1)).toBe(most);
    await stranger.close();
  });

  it("Each instance counts alone while Redis is unavailable, with one log line, and together afterwards", async () => {
    redis.pause();
    expect(await countAdmitted([one], "joe", most + 1)).toBe(most);
    redis.resume();
    await redis.stop();
    expect(await countAdmitted([one], "max", most + 1)).toBe(most);
    expect(await countAdmitted([other], "max", most + 1)).toBe(most);
    const lines = one.log.filter((line) => line.includes("this instance counts rate limits on its own"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(redis.url);
    await redis.start();
    let users = 0;
    const isShared = async (): Promise<number> => countAdmitted([one, other], `back-${users++}`, 2 * most);
    await expect.poll(isShared, { timeout: 30_000 }).toBe(most);
  });
});
