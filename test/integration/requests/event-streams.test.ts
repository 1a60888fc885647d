/** Results as server-sent events: the client of graphql-sse, and the bytes on the wire. */
import { createHmac } from "node:crypto";
import { createClient } from "graphql-sse";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type EventReader, openEvents } from "../../support/event-stream.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";

const secret = { "x-engine-admin-secret": "shibboleth" };
const key = "0123456789abcdef0123456789abcdef";
const environment = {
  ENGINE_GRAPHQL_ADMIN_SECRET: "shibboleth",
  ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key }),
  ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
  ENGINE_GRAPHQL_METRICS_SECRET: "count",
  ENGINE_GRAPHQL_ENABLE_RELAY: "true",
  ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "1",
  ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
};

let server: TestServer;
const ends: (() => unknown)[] = [];

const schema = `
  create table item (id int primary key, owner int, name text, data json);
  insert into item values (1, 1, 'one', E'{"a":\\r\\n\\r\\n1}'), (2, 2, 'two', null)`;

async function prepare(on: TestServer): Promise<void> {
  const metadata = (type: string, args: unknown) => on.post("/v1/metadata", { type, args }, secret);
  await query(on.databaseUrl, schema);
  await metadata("pg_track_table", { table: "item" });
  const permission = { columns: ["id", "name"], filter: { owner: { _eq: "X-Engine-User-Id" } } };
  await metadata("pg_create_select_permission", { table: "item", role: "owner", permission });
}

beforeAll(async () => {
  server = await startTestServer({ environment });
  await prepare(server);
}, 60_000);

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await query(server.databaseUrl, "delete from item where id > 2");
});

afterAll(() => server?.close());

const sql = (text: string) => query(server.databaseUrl, text);

async function open(body: unknown, headers: Record<string, string> = secret, path = "/v1/graphql") {
  const reader = await openEvents(`${server.url}${path}`, body, headers);
  ends.push(() => reader.close());
  return reader;
}

async function all(reader: EventReader): Promise<unknown[]> {
  const events: unknown[] = [];
  for (let next = await reader.take(); next !== null; next = await reader.take()) events.push(next);
  return events;
}

const names = (...values: string[]) => ({ data: { item: values.map((name) => ({ name })) } });
const subscription = "subscription { item(order_by: {id: asc}) { name } }";
const next = (data: unknown) => ({ event: "next", data });
const complete = { event: "complete", data: null };

function token(seconds: number): { authorization: string } {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    "x-engine-allowed-roles": ["owner"],
    "x-engine-default-role": "owner",
    "x-engine-user-id": "1",
  };
  const payload = { exp: Math.floor(Date.now() / 1000) + seconds, "https://engine.io/jwt/claims": claims };
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(payload)}`;
  return { authorization: `Bearer ${text}.${createHmac("sha256", key).update(text).digest("base64url")}` };
}

async function gauge(name: string): Promise<number> {
  const answer = await fetch(`${server.url}/v1/metrics`, { headers: { authorization: "Bearer count" } });
  const lines = (await answer.text()).split("\n").filter((line) => line.startsWith(`engine_${name}`));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

describe("The client of graphql-sse", () => {
  function subscribe(text: string, headers: Record<string, string>) {
    const client = createClient({ url: `${server.url}/v1/graphql`, headers, retryAttempts: 0 });
    ends.push(() => client.dispose());
    const results: unknown[] = [];
    let end: unknown = null;
    const dispose = client.subscribe(
      { query: text },
      {
        next: (result) => void results.push(result),
        error: (error) => (end = error),
        complete: () => (end = "complete"),
      },
    );
    return { results, dispose, end: () => end };
  }

  it("graphql-sse follows a live query with the rows of each session until it stops", async () => {
    const everything = subscribe(subscription, secret);
    const own = subscribe(subscription, { ...secret, "x-engine-role": "owner", "x-engine-user-id": "1" });
    await expect.poll(() => everything.results, { timeout: 10_000 }).toEqual([names("one", "two")]);
    await expect.poll(() => own.results, { timeout: 10_000 }).toEqual([names("one")]);
    await sql("insert into item values (3, 2, 'three')");
    await expect.poll(() => everything.results.at(-1), { timeout: 10_000 }).toEqual(names("one", "two", "three"));
    await sql("insert into item values (4, 1, 'four')");
    await expect.poll(() => own.results, { timeout: 10_000 }).toEqual([names("one"), names("one", "four")]);
    everything.dispose();
    own.dispose();
    if (isSealed) return;
    await expect.poll(() => gauge("event_streams"), { timeout: 10_000 }).toBe(0);
    await expect.poll(() => gauge("active_subscriptions"), { timeout: 10_000 }).toBe(0);
  });

  it("graphql-sse receives each row of a stream once", async () => {
    const { results } = subscribe(
      "subscription { item_stream(batch_size: 1, cursor: [{initial_value: {id: 0}}]) { name } }",
      secret,
    );
    const row = (name: string) => ({ data: { item_stream: [{ name }] } });
    await expect.poll(() => results, { timeout: 10_000 }).toEqual([row("one"), row("two")]);
    await sql("insert into item values (3, 2, 'three')");
    await expect.poll(() => results, { timeout: 10_000 }).toEqual([row("one"), row("two"), row("three")]);
  });

  it.each([
    ["query", "{ item_by_pk(id: 1) { data } }", { data: { item_by_pk: { data: { a: 1 } } } }],
    [
      "mutation",
      'mutation { insert_item_one(object: {id: 9, name: "nine"}) { name } }',
      { data: { insert_item_one: { name: "nine" } } },
    ],
  ])("graphql-sse runs a %s", async (_, text, result) => {
    const { results, end } = subscribe(text, secret);
    await expect.poll(end, { timeout: 10_000 }).toBe("complete");
    expect(results).toEqual([result]);
  });

  it("graphql-sse receives the error of an invalid subscription", async () => {
    const { results, end } = subscribe("subscription { itme { name } }", secret);
    await expect.poll(end, { timeout: 10_000 }).toBe("complete");
    expect(results).toEqual([{ errors: [expect.objectContaining({ message: expect.stringContaining("itme") })] }]);
  });
});

describe("Event streams over HTTP", () => {
  it("An event stream has one-line events and headers against proxy buffering", async () => {
    const reader = await open({ query: "subscription { item_by_pk(id: 1) { data } }" });
    expect(reader.response.status).toBe(200);
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-request-id": expect.any(String),
    });
    expect(await reader.take()).toEqual(next({ data: { item_by_pk: { data: { a: 1 } } } }));
    await sql(`update item set data = E'{"a":\\n2}' where id = 1`);
    expect(await reader.take()).toEqual(next({ data: { item_by_pk: { data: { a: 2 } } } }));
    // Keep-alives are comments.
    const before = reader.comments;
    const waiting = reader.take();
    await expect.poll(() => reader.comments, { timeout: 10_000 }).toBeGreaterThan(before);
    await sql(`update item set data = E'{"a":\\r1}' where id = 1`);
    expect(await waiting).toEqual(next({ data: { item_by_pk: { data: { a: 1 } } } }));
  });

  it.each(["/v1/graphql", "/v1alpha1/graphql"])("An event stream is available at %s", async (path) => {
    expect(await (await open({ query: subscription }, secret, path)).take()).toEqual(next(names("one", "two")));
    expect(await all(await open({ query: "{ item { id } }" }, secret, path))).toHaveLength(2);
  });

  it("An event stream is available for the Relay API", async () => {
    const text = "subscription { item_connection { edges { node { name } } } }";
    const { data } = (await (await open({ query: text }, secret, "/v1beta1/relay")).take()) ?? {};
    expect(data).toMatchObject({ data: { item_connection: { edges: [{}, {}] } } });
  });

  it.each([
    ["text/event-stream", true],
    ["Text/Event-Stream; charset=utf-8", true],
    ["text/event-stream, multipart/mixed", true],
    ["text/event-stream, */*;q=0.1", true],
    ["text/event-stream, application/json;q=0.9", true],
    ["application/graphql-response+json, application/json, text/event-stream, multipart/mixed", false],
    ["text/event-stream;q=0, */*", false],
    ["*/*", false],
  ])("Accept: %s selects an event stream: %s", async (accept, isStream) => {
    const answer = await server
      .post("/v1/graphql", { query: "{ item { name } }" }, { ...secret, accept })
      .catch(String);
    // A response that the test's client cannot parse as JSON is a stream.
    expect(typeof answer === "string").toBe(isStream);
  });

  it("An error of an event stream is an event, or the endpoint's status before it starts", async () => {
    const list = await all(await open([{ query: "{ item { id } }" }]));
    expect(list).toEqual([
      next({ errors: [expect.objectContaining({ message: expect.stringMatching(/each operation of the batch/) })] }),
      complete,
    ]);
    const wrong = { "x-engine-admin-secret": "wrong" };
    const denied = { extensions: { path: "$", code: "access-denied" } };
    const events = await all(await open({ query: subscription }, wrong));
    expect(events).toEqual([next({ errors: [expect.objectContaining(denied)] }), complete]);
    const { response } = await open({ query: subscription }, wrong, "/v1alpha1/graphql");
    expect([response.status, response.headers.get("content-type")]).toEqual([401, "application/json; charset=utf-8"]);
  });

  it("A subscription by GET is refused with advice to use an event stream", async () => {
    const url = `${server.url}/v1/graphql?${new URLSearchParams({ query: subscription })}`;
    const answer = await fetch(url, { headers: { ...secret, accept: "text/event-stream" } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await answer.text()).toContain("POST with Accept: text/event-stream");
  });

  it("An event stream ends with its session and without a complete event", async () => {
    const reader = await open({ query: subscription }, token(3));
    expect(await all(reader)).toEqual([next(names("one"))]);
    const { data } = (await (await open({ query: subscription }, token(-100))).take()) ?? {};
    expect(data.errors[0].extensions.code).toBe("invalid-jwt");
  }, 20_000);

  it("An event stream is logged when it ends", async () => {
    const id = `stream-${Date.now()}`;
    const reader = await open({ query: subscription }, { ...secret, "x-request-id": id });
    await reader.take();
    reader.close();
    const lines = () => server.log.filter((line) => line.includes(`"request_id":"${id}"`) && line.includes("http-log"));
    await expect.poll(lines, { timeout: 10_000 }).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? "").detail).toMatchObject({
      operation: { request_mode: "single", error: null, response_size: expect.any(Number) },
      http_info: { status: 200, method: "POST" },
    });
  });

  it.skipIf(isSealed)("An event stream ends when the metadata changes, and its client reconnects", async () => {
    const reader = await open({ query: subscription });
    const client = createClient({ url: `${server.url}/v1/graphql`, headers: secret, retry: async () => {} });
    ends.push(() => client.dispose());
    let connections = 0;
    const results = client.iterate({ query: subscription }, { connected: () => void connections++ });
    expect(await reader.take()).toEqual(next(names("one", "two")));
    expect((await results.next()).value).toEqual(names("one", "two"));
    const tables = { type: "set_custom_types", args: {} };
    expect((await server.post("/v1/metadata", tables, secret)).status).toBe(200);
    expect(await reader.take()).toBeNull();
    expect((await results.next()).value).toEqual(names("one", "two"));
    expect(connections).toBe(2);
  });

  it.skipIf(isSealed)(
    "An event stream ends with its server, which waits for queries",
    async () => {
      const other = await startTestServer({ environment });
      ends.push(() => other.close());
      await prepare(other);
      await query(
        other.databaseUrl,
        "create function slow() returns setof item language sql stable as 'select item.* from item, pg_sleep(1)'",
      );
      await other.post("/v1/metadata", { type: "pg_track_function", args: { function: "slow" } }, secret);
      const url = `${other.url}/v1/graphql`;
      const live = await openEvents(url, { query: subscription }, secret);
      expect(await live.take()).toEqual(next(names("one", "two")));
      const slow = openEvents(url, { query: "{ slow { name } }" }, secret);
      const isRunning = "select from pg_stat_activity where query like '%slow%' and pid <> pg_backend_pid()";
      await expect.poll(() => query(other.databaseUrl, isRunning), { timeout: 10_000 }).not.toHaveLength(0);
      const stopped = other.stop();
      expect(await live.take()).toBeNull();
      expect(await all(await slow)).toEqual([next({ data: { slow: [{ name: "one" }, { name: "two" }] } }), complete]);
      await stopped;
    },
    30_000,
  );
});
