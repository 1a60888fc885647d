/** `@cached`: cached responses, their lifetime and sharing, and the headers that report them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";
import { as, ask, clear, secret, setUpNotes, texts } from "./set-up.ts";

const notes = "query Notes @cached { note(order_by: {id: asc}) { text } }";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      ENGINE_GRAPHQL_METRICS_SECRET: "scrape",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "query-log",
      ENGINE_GRAPHQL_CACHE_MAX_ENTRY_SIZE: "1",
      ENGINE_GRAPHQL_CACHE_MAX_ENTRY_TTL: "900",
    },
  });
  await setUpNotes(server);
});
afterAll(() => server?.close());
beforeEach(async () => {
  await query(server.databaseUrl, "update note set text = case id when 1 then 'first' else 'second' end");
  expect((await clear(server, "")).json).toEqual({ message: "success" });
});

const change = (): Promise<unknown> => query(server.databaseUrl, "update note set text = text || ' changed'");

describe("Cached responses", () => {
  it("A response is cached for a minute with matching headers", async () => {
    const first = await ask(server, notes, as("clerk"));
    expect(first).toMatchObject({ control: "private, max-age=60", warning: null });
    await change();
    const second = await ask(server, notes, as("clerk"));
    expect(texts(second)).toEqual(["first", "second"]);
    expect(second).toMatchObject({ key: first.key, family: first.family });
    expect(second.control).toMatch(/^private, max-age=(60|[1-5]?[0-9])$/);
    expect(first.key).toMatch(/^[0-9a-f]{64}$/);
    expect(first.family).toMatch(/^[0-9a-f]{64}$/);
  });

  it("A query without @cached runs again", async () => {
    await ask(server, notes, as("clerk"));
    await change();
    const other = await ask(server, notes.replace("@cached", ""), as("clerk"));
    expect(texts(other)).toEqual(["first changed", "second changed"]);
    expect(other).toMatchObject({ key: null, family: null, control: null });
  });

  it("A query with refresh runs again and replaces the cached response", async () => {
    await ask(server, notes, as("clerk"));
    await change();
    const refresh = "query Notes($now: Boolean = false) @cached(refresh: $now) { note(order_by: {id: asc}) { text } }";
    expect(texts(await ask(server, refresh, as("clerk"), { now: true }))).toEqual(["first changed", "second changed"]);
    await change();
    expect(texts(await ask(server, refresh, as("clerk"), { now: true }))[0]).toBe("first changed changed");
    expect(texts(await ask(server, refresh, as("clerk")))[0]).toBe("first changed changed");
  });

  it("A cached response expires after its lifetime", async () => {
    const short = notes.replace("@cached", "@cached(ttl: 1)");
    expect(await ask(server, short, as("clerk"))).toMatchObject({ control: "private, max-age=1" });
    await change();
    await expect
      .poll(async () => texts(await ask(server, short, as("clerk"))), { timeout: 20_000 })
      .toEqual(["first changed", "second changed"]);
  });

  it("A lifetime is bounded by the option, and a lifetime of 0 is not cached", async () => {
    const long = await ask(server, notes.replace("@cached", "@cached(ttl: 100000)"), as("clerk"));
    expect(long.control).toBe("private, max-age=900");
    const never = notes.replace("@cached", "@cached(ttl: 0)");
    expect(await ask(server, never, as("clerk"))).toMatchObject({ control: "no-store", warning: null });
    await change();
    expect(texts(await ask(server, never, as("clerk")))[0]).toBe("first changed");
  });

  it("A response that is too long is not cached and carries a warning", async () => {
    const long = "query @cached { long_note { text } }";
    for (let i = 0; i < 2; i++) {
      expect(await ask(server, long, as("clerk"))).toMatchObject({
        control: "no-store",
        warning: '199 engine "cache-store-size-limit-exceeded"',
      });
    }
  });

  it("An error is not cached", async () => {
    const failing = "query Failing($id: Int!) @cached { note(where: {id: {_eq: $id}}) { text } }";
    const answer = await ask(server, failing, as("clerk"), { id: "one" });
    expect(answer).toMatchObject({ json: { errors: [expect.anything()] }, key: null, control: null });
  });

  it("Concurrent cache misses run one query", async () => {
    await query(server.databaseUrl, "select setval('runs', 1)");
    const slow = "query @cached { slow_note { text } }";
    const many = await Promise.all(Array.from({ length: 20 }, () => ask(server, slow, as("clerk"))));
    expect(new Set(many.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect(new Set(many.map(({ key }) => key)).size).toBe(1);
    for (const { control } of many) expect(control).toMatch(/^private, max-age=/);
    const runs = async () => (await query(server.databaseUrl, "select last_value::int as runs from runs"))[0];
    expect(await runs()).toEqual({ runs: 2 });
    const refresh = "query @cached(refresh: true) { slow_note { text } }";
    await Promise.all([ask(server, refresh, as("clerk")), ask(server, refresh, as("clerk"))]);
    expect(await runs()).toEqual({ runs: 4 });
  });

  it("Different variables have different cache keys and one family", async () => {
    const one = "query One($id: Int!) @cached { note(where: {id: {_eq: $id}}) { text } }";
    const first = await ask(server, one, as("clerk"), { id: 1 });
    const second = await ask(server, one, as("clerk"), { id: 2 });
    expect([texts(first), texts(second)]).toEqual([["first"], ["second"]]);
    expect(second.key).not.toBe(first.key);
    expect(second.family).toBe(first.family);
  });

  it("A cached response is shared only by sessions that the query does not distinguish", async () => {
    const clerks = [await ask(server, notes, as("clerk", "ann")), await ask(server, notes, as("clerk", "bob"))];
    expect(clerks[0]?.key).toBe(clerks[1]?.key);
    const ann = await ask(server, notes, as("user", "ann"));
    const bob = await ask(server, notes, as("user", "bob"));
    expect([texts(ann), texts(bob)]).toEqual([["first"], ["second"]]);
    expect(new Set([ann.key, bob.key, clerks[0]?.key]).size).toBe(3);
    expect(ann.family).toBe(bob.family);
  });

  it("A metadata change invalidates cached responses", async () => {
    await ask(server, notes, as("clerk"));
    await change();
    const args = { name: "unused", definition: { queries: [] } };
    await server.post("/v1/metadata", { type: "create_query_collection", args }, secret);
    expect(texts(await ask(server, notes, as("clerk")))[0]).toBe("first changed");
  });

  it("A cached response is returned by GET, with browser caching, and by WebSocket", async () => {
    const url = `${server.url}/v1/graphql?query=${encodeURIComponent(notes)}`;
    const got = await fetch(url, { headers: as("clerk") });
    expect(got.headers.get("cache-control")).toBe("private, max-age=60");
    await change();
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.ws.send(JSON.stringify({ type: "connection_init", payload: { headers: as("clerk") } }));
    client.ws.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: notes } }));
    const next = async (): Promise<unknown> => {
      const message = (await client.next()) as { readonly type: string };
      return message.type === "next" ? message : next();
    };
    expect(await next()).toEqual({ id: "1", type: "next", payload: await got.json() });
    client.ws.close();
  });

  it("A cached response has no cache headers in a batch", async () => {
    const { json, headers } = await server.post("/v1/graphql", [{ query: notes }, { query: notes }], as("clerk"));
    expect(json).toHaveLength(2);
    expect(headers.get("x-engine-query-cache-key")).toBeNull();
  });

  it("Cache hits and misses are counted and logged", async () => {
    const counts = async () => {
      const text = await (
        await fetch(`${server.url}/v1/metrics`, { headers: { authorization: "Bearer scrape" } })
      ).text();
      const of = (status: string) =>
        Number(new RegExp(`^engine_cache_request_count\\{status="${status}"\\} (\\d+)`, "m").exec(text)?.[1] ?? 0);
      return { hits: of("hit"), misses: of("miss") };
    };
    const before = await counts();
    const logged = server.log.length;
    await ask(server, notes, as("clerk"));
    await ask(server, notes, as("clerk"));
    const after = await counts();
    expect([after.hits - before.hits, after.misses - before.misses]).toEqual([1, 1]);
    const lines = server.log.slice(logged).map((line) => JSON.parse(line).detail);
    expect(lines.map(({ kind, generated_sql }) => [kind, generated_sql === null])).toEqual([
      ["database", false],
      ["cached", true],
    ]);
  });
});

describe("Arguments of @cached", () => {
  it.each([
    ["@cached(ttl: -1)", "the argument 'ttl' of 'cached' must not be negative"],
    ['@cached(ttl: "60")', "the argument 'ttl' of 'cached' must be of type Int!"],
    ["@cached(ttl: 1.5)", "the argument 'ttl' of 'cached' must be of type Int!"],
    ["@cached(refresh: 1)", "the argument 'refresh' of 'cached' must be of type Boolean!"],
    ["@cached(ttl: null)", "the argument 'ttl' of 'cached' must be of type Int!"],
  ])("Arguments of @cached are validated: %s", async (directive, message) => {
    const { json } = await ask(server, notes.replace("@cached", directive), as("clerk"));
    expect(json.errors).toEqual([{ message, extensions: { path: "$", code: "validation-failed" } }]);
  });

  it("Arguments of @cached may be variables", async () => {
    const text = "query Notes($ttl: Int! = 7) @cached(ttl: $ttl) { note { text } }";
    expect(await ask(server, text, as("clerk"))).toMatchObject({ control: "private, max-age=7" });
    expect(await ask(server, text, as("clerk"), { ttl: 8 })).toMatchObject({ control: "private, max-age=8" });
    const { json } = await ask(server, text, as("clerk"), { ttl: "8" });
    expect(json.errors[0].message).toBe("the argument 'ttl' of 'cached' must be of type Int!");
  });
});

describe("Clearing of the cache", () => {
  const keep = async () => {
    const kept = {
      clerk: await ask(server, notes, as("clerk")),
      ann: await ask(server, notes, as("user", "ann")),
      bob: await ask(server, notes, as("user", "bob")),
    };
    await change();
    return kept;
  };
  const isNew = async () => ({
    clerk: texts(await ask(server, notes, as("clerk")))[0] !== "first",
    ann: texts(await ask(server, notes, as("user", "ann")))[0] !== "first",
    bob: texts(await ask(server, notes, as("user", "bob")))[0] !== "second",
  });

  it("Clearing removes all cached responses", async () => {
    await keep();
    await clear(server, "");
    expect(await isNew()).toEqual({ clerk: true, ann: true, bob: true });
  });

  it("Clearing removes one response, a family or all responses of a role", async () => {
    const { ann } = await keep();
    await clear(server, `?key=${ann.key}`);
    expect(await isNew()).toEqual({ clerk: false, ann: true, bob: false });
    await clear(server, `?family=${ann.family}`);
    expect(await isNew()).toEqual({ clerk: false, ann: true, bob: true });
    await clear(server, "?role=clerk");
    expect(await isNew()).toMatchObject({ clerk: true });
  });

  it.each([
    ["?rôle=clerk", 'unknown parameter "rôle"; the parameters are key, family, role; did you mean "role"?'],
    ["?role=", 'the parameter "role" is empty'],
    ["?role=clerk&role=user", "pass only one of key, family, role"],
    ["?role=clerk&key=1", "pass only one of key, family, role"],
  ])("Clearing with invalid parameters is refused and removes no response: %s", async (parameters, error) => {
    await keep();
    const { status, json } = await clear(server, parameters);
    expect({ status, json }).toEqual({ status: 400, json: { path: "$", error, code: "bad-request" } });
    expect(await isNew()).toEqual({ clerk: false, ann: false, bob: false });
  });

  it("Clearing is restricted to admins", async () => {
    await keep();
    const { status, json } = await clear(server, "", as("clerk"));
    expect({ status, code: json.code }).toEqual({ status: 400, code: "access-denied" });
    expect((await clear(server, "", {})).status).toBe(401);
    expect(await isNew()).toEqual({ clerk: false, ann: false, bob: false });
  });
});
