/**
 * GraphQL over real WebSockets, from the handshake to the database. Tests without a database are in
 * `test/unit/http/websocket`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "graphql-ws";
import { Client } from "pg";
import { SubscriptionClient } from "subscriptions-transport-ws";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { query } from "../../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";
import { type ClientSettings, WebsocketClient } from "../../support/websocket.ts";

const fixture = join(import.meta.dirname, "../../../fixtures/library");
const older = { protocol: "graphql-ws" };
const newer = { protocol: "graphql-transport-ws" };
const ines = { "X-Engine-Role": "member", "X-Engine-User-Id": "00000000-0000-4000-8000-000000000001" };

let server: TestServer;
const clients: WebsocketClient[] = [];

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60" } });
  for (const file of ["schema.sql", "seed.sql"]) {
    const sql = await readFile(join(fixture, "postgres", file), "utf8");
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
  }
  const { metadata } = await readMetadataDirectory(join(fixture, "metadata"));
  await server.metadata("replace_metadata", { metadata });
  const sql = "create view slow as select 1 as id, pg_sleep(0.5) is not null as slept";
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  await server.metadata("pg_track_table", { table: "slow" });
});

afterEach(() => {
  for (const client of clients.splice(0)) client.ws.terminate();
});

afterAll(() => server.close());

async function open(settings: ClientSettings = older, url = server.url): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(url, settings);
  clients.push(client);
  return client;
}

/** Returns a connection that is initialised with these headers, after reading its first messages. */
async function ready(headers: Record<string, string>, settings: ClientSettings = older): Promise<WebsocketClient> {
  const client = await open(settings);
  client.send({ type: "connection_init", payload: { headers } });
  await client.take(3);
  return client;
}

/** Returns true if the last operation in the log has started but not ended. */
function isInProgress({ log }: TestServer): boolean {
  const lines = log.filter((line) => line.includes('"operation_type"'));
  return lines.at(-1)?.includes('"started"') ?? false;
}

const begin = (text: string, variables?: unknown) => ({ type: "start", id: "1", payload: { query: text, variables } });
const failure = (message: string, path = "$", code = "validation-failed") => ({ message, extensions: { path, code } });

describe.each([
  [older, "data"],
  [newer, "next"],
] as const)("GraphQL over the WebSocket protocol %o", (protocol, type) => {
  it("A query returns the same text as over HTTP", async () => {
    const client = await ready(ines, protocol);
    const text = `query ($id: bigint!) { mine: loan(where: {id: {_lt: $id}}, order_by: {id: asc}) { id copy { book { title } } } __typename }`;
    const http = await server.post(
      "/v1/graphql",
      `{"query":${JSON.stringify(text)},"variables":{"id":9223372036854775807}}`,
      ines,
    );
    expect(http.json.data.mine).toHaveLength(2);
    client.send(
      `{"type":"start","id":"1","payload":{"query":${JSON.stringify(text)},"variables":{"id":9223372036854775807}}}`,
    );
    expect(await client.text()).toBe(`{"type":"${type}","id":"1","payload":${http.text}}`);
    expect(await client.next()).toEqual({ type: "complete", id: "1" });
  });

  it("A subscription delivers results until it is stopped", async () => {
    const client = await ready(ines, protocol);
    client.send(
      begin("subscription ($n: Int) { l: loan(limit: $n, order_by: {id: asc}) { id __typename } }", { n: 1 }),
    );
    expect(await client.next()).toEqual({
      type,
      id: "1",
      payload: { data: { l: [{ id: 1, __typename: "loan" }] } },
    });
    client.send({ type: protocol === older ? "stop" : "complete", id: "1" });
    client.send({ ...begin("{ __typename }"), id: "2" });
    expect(await client.next()).toMatchObject({ id: "2", payload: { data: { __typename: "query_root" } } });
  });

  it("A hidden field and a refused value are errors", async () => {
    const client = await ready(ines, protocol);
    client.send(begin("{ member { fines_due } }"));
    const error = failure(
      "field 'fines_due' not found in type: 'member'",
      "$.selectionSet.member.selectionSet.fines_due",
    );
    const payload = protocol === older ? { errors: [error] } : [error];
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload },
      { type: "complete", id: "1" },
    ]);
    const other = await ready({ ...ines, "X-Engine-User-Id": "nobody" }, protocol);
    const refused = failure('invalid input syntax for type uuid: "nobody"', "$", "data-exception");
    other.send(begin("{ loan { id } }"));
    const message =
      protocol === older
        ? { type: "data", id: "1", payload: { data: null, errors: [refused] } }
        : { type: "error", id: "1", payload: [refused] };
    expect(await other.take(2)).toEqual([message, { type: "complete", id: "1" }]);
    // A subscription without a first result has not started.
    other.send(begin("subscription { loan { id } }"));
    expect(await other.take(2)).toEqual([
      { type: "error", id: "1", payload: protocol === older ? { errors: [refused] } : [refused] },
      { type: "complete", id: "1" },
    ]);
  });

  it("A missing session variable is an error before execution", async () => {
    const client = await ready({ "X-Engine-Role": "member" }, protocol);
    client.send(begin("{ loan { id } }"));
    const error = failure('missing session variable: "x-engine-user-id"', "$", "not-found");
    expect(await client.next()).toEqual({
      type: "error",
      id: "1",
      payload: protocol === older ? { errors: [error] } : [error],
    });
  });
});

describe("Rules of subscriptions", () => {
  const ask = async (text: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const client = await ready(headers);
    client.send(begin(text));
    return ((await client.next()) as { payload: unknown }).payload;
  };

  it("A subscription has the type subscription_root, also in fragments", async () => {
    expect(await ask("subscription { nothing { id } }")).toEqual({
      errors: [failure("field 'nothing' not found in type: 'subscription_root'", "$.selectionSet.nothing")],
    });
    expect(
      await ask(
        "subscription { ... on query_root { nothing } ...f } fragment f on subscription_root { book_by_pk(id: 1) { id } }",
      ),
    ).toEqual({
      errors: [failure("subscriptions must select one top level field")],
    });
    expect(await ask("subscription { ...f } fragment f on subscription_root { book_by_pk(id: 1) { id } }")).toEqual({
      data: { book_by_pk: { id: 1 } },
    });
    expect(await ask("subscription { book_aggregate { aggregate { count } } }")).toEqual({
      data: { book_aggregate: { aggregate: { count: 5 } } },
    });
  });

  it("A subscription has one root field unless a hidden directive permits several", async () => {
    const fields = "a: book_by_pk(id: 1) { id } b: book_by_pk(id: 2) { id }";
    expect(await ask(`subscription { ${fields} }`)).toEqual({
      errors: [failure("subscriptions must select one top level field")],
    });
    expect(await ask(`subscription @_multiple_top_level_fields { ${fields} }`)).toEqual({
      data: { a: { id: 1 }, b: { id: 2 } },
    });
  });

  it.each([
    ["cached", "directive 'cached' is not allowed on a subscription"],
    ["live", "directive 'live' is not defined in the schema"],
  ])("A subscription refuses the directive %s", async (name, message) => {
    expect(await ask(`subscription @${name} { book { id } }`)).toEqual({ errors: [failure(message)] });
  });

  it("A subscription refuses a repeated hidden directive", async () => {
    const twice = "@_multiple_top_level_fields @_multiple_top_level_fields";
    const message = "the following directives are used more than once: ['_multiple_top_level_fields']";
    expect(await ask(`subscription ${twice} { book { id } }`)).toEqual({ errors: [failure(message)] });
  });

  it("A subscription refuses introspection at its root", async () => {
    const message = "Introspection at root field level is not supported over subscriptions";
    expect(await ask("subscription { __typename }")).toEqual({ errors: [failure(message, "$", "not-supported")] });
    expect(await ask("subscription { __schema { types { name } } }")).toEqual({
      errors: [failure("field '__schema' not found in type: 'subscription_root'", "$.selectionSet.__schema")],
    });
  });

  it("Subscriptions exist only for roles with queries", async () => {
    expect(await ask("subscription { no_queries_available }", { "X-Engine-Role": "nobody" })).toEqual({
      errors: [failure("no subscriptions exist")],
    });
  });

  it("A subscription is refused over plain HTTP", async () => {
    const message = "subscriptions are not supported over HTTP, use websockets instead";
    expect(await server.graphql("subscription { book { id } }")).toEqual({
      errors: [failure(message, "$", "unexpected-payload")],
    });
  });
});

describe("Headers of WebSocket connections", () => {
  it("The headers of connection_init take precedence over those of the handshake", async () => {
    const client = await ready(
      { "x-engine-role": "member" },
      { ...older, headers: { ...ines, "X-Engine-Role": "visitor" } },
    );
    client.send(begin("{ loan_aggregate { aggregate { count } } }"));
    expect(await client.next()).toMatchObject({ payload: { data: { loan_aggregate: { aggregate: { count: 2 } } } } });
  });

  it("Header values may contain any letters", async () => {
    await server.metadata("pg_create_select_permission", {
      table: "author",
      role: "gäst",
      permission: { columns: ["id"], filter: { biography: { _neq: "X-Engine-Word" } }, limit: 1 },
    });
    await query(server.databaseUrl, "update author set biography = 'né' where id = 1");
    const client = await ready({ "X-Engine-Role": "gäst", "X-Engine-Word": "né" });
    client.send(begin("{ author(where: {id: {_eq: 1}}) { id } }"));
    expect(await client.next()).toMatchObject({ payload: { data: { author: [] } } });
    const other = await ready({ "X-Engine-Role": "gäst", "X-Engine-Word": "ne" });
    other.send(begin("{ author(where: {id: {_eq: 1}}) { id } }"));
    expect(await other.next()).toMatchObject({ payload: { data: { author: [{ id: 1 }] } } });
  });
});

describe.skipIf(isSealed)("Metadata changes during WebSocket connections", () => {
  it("A metadata change closes connections after the operation in progress", async () => {
    const idle = await open(newer);
    const busy = await ready({});
    busy.send(begin("{ slow { slept } }"));
    await expect.poll(() => isInProgress(server)).toBe(true);
    await server.metadata("reload_metadata", {});
    const closing = { code: 1012, reason: "Server state changed, restarting the server" };
    expect(await idle.closed).toEqual(closing);
    expect(await busy.rest()).toEqual([
      { type: "data", id: "1", payload: { data: { slow: [{ slept: true }] } } },
      { type: "complete", id: "1" },
    ]);
    expect(await busy.closed).toEqual(closing);
  });

  it("Connections stay open on metadata changes if it is configured so", async () => {
    const environment = { ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false" };
    const other = await startTestServer({ on: server, environment });
    try {
      const client = await open(older, other.url);
      client.send({ type: "connection_init" });
      await client.take(3);
      await other.metadata("pg_untrack_table", { table: "slow" });
      client.send(begin("{ slow { slept } }"));
      expect(await client.next()).toMatchObject({
        payload: { errors: [failure("field 'slow' not found in type: 'query_root'", "$.selectionSet.slow")] },
      });
      await other.metadata("pg_track_table", { table: "slow" });
    } finally {
      await other.stop();
    }
  });
});

describe.skipIf(isSealed)("Subscriptions that start during a metadata change", () => {
  const begun = [
    ["a live query", older, "subscription { held { id } }", "held"],
    ["a live query", newer, "subscription { held { id } }", "held"],
    [
      "a stream",
      older,
      "subscription { held_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { id } }",
      "held_stream",
    ],
    [
      "a stream",
      newer,
      "subscription { held_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { id } }",
      "held_stream",
    ],
  ] as const;
  /** Statements that read `held` wait while this connection has the lock. */
  let holder: Client;

  beforeAll(async () => {
    const sql = "create view held as select 1 as id, pg_advisory_xact_lock_shared(57) is not null as free";
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await server.metadata("pg_track_table", { table: "held" });
    holder = new Client(server.databaseUrl);
    await holder.connect();
  });

  afterAll(() => holder?.end());

  const hold = () => holder.query("select pg_advisory_lock(57)");
  const release = () => holder.query("select pg_advisory_unlock_all()");
  const areWaiting = async () => {
    const waiting = "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted";
    return (await holder.query(waiting)).rows[0].n > 0;
  };

  it.each(begun)(
    "A subscription that starts during a metadata change receives no error before its connection closes: %s, %o",
    async (_, protocol, text, name) => {
      const client = await ready({}, protocol);
      await hold();
      try {
        client.send(begin(text));
        await expect.poll(areWaiting).toBe(true);
        await server.metadata("reload_metadata", {});
        // The client reconnects, as after any lost connection.
        expect(await client.rest()).toEqual([]);
        expect(await client.closed).toEqual({ code: 1012, reason: "Server state changed, restarting the server" });
      } finally {
        await release();
      }
      const reconnected = await ready({}, protocol);
      reconnected.send(begin(text));
      expect(await reconnected.next()).toMatchObject({ id: "1", payload: { data: { [name]: [{ id: 1 }] } } });
    },
  );

  it.each(begun)(
    "A subscription that starts during a metadata change runs on the next generation if connections stay open: %s, %o",
    async (_, protocol, text, name) => {
      const environment = { ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false" };
      const other = await startTestServer({ on: server, environment });
      try {
        const client = await open(protocol, other.url);
        client.send({ type: "connection_init" });
        await client.take(3);
        await hold();
        client.send(begin(text));
        await expect.poll(areWaiting).toBe(true);
        await other.metadata("reload_metadata", {});
        await release();
        expect(await client.next()).toMatchObject({ id: "1", payload: { data: { [name]: [{ id: 1 }] } } });
      } finally {
        await release();
        await other.stop();
      }
    },
  );

  it("An event stream that starts during a metadata change ends without an error", async () => {
    await hold();
    try {
      const answer = await fetch(`${server.url}/v1/graphql`, {
        method: "POST",
        headers: { accept: "text/event-stream", "content-type": "application/json" },
        body: JSON.stringify({ query: "subscription { held { id } }" }),
      });
      await expect.poll(areWaiting).toBe(true);
      await server.metadata("reload_metadata", {});
      expect(await answer.text()).not.toMatch(/error|complete/);
    } finally {
      await release();
    }
  });
});

describe.skipIf(isSealed)("Shutdown with WebSocket connections", () => {
  it("A shutdown lets the operation in progress finish and closes connections", async () => {
    const other = await startTestServer({ on: server });
    const client = await open(older, other.url);
    client.send({ type: "connection_init" });
    await client.take(3);
    client.send(begin("{ slow { slept } }"));
    await expect.poll(() => isInProgress(other)).toBe(true);
    const stopped = other.stop();
    expect(await client.rest()).toHaveLength(2);
    expect(await client.closed).toEqual({ code: 1012, reason: "shutting server down" });
    await stopped;
  });
});

describe("The client subscriptions-transport-ws", () => {
  it("subscriptions-transport-ws runs queries and subscriptions until it unsubscribes", async () => {
    const client = new SubscriptionClient(
      `${server.url.replace("http", "ws")}/v1/graphql`,
      // Longer than the default of one second, because busy machines may need more.
      { connectionParams: { headers: ines }, reconnect: false, minTimeout: 10_000 },
      WebSocket,
    );
    const first = (text: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const { unsubscribe } = client.request({ query: text }).subscribe({
          next: (result) => {
            unsubscribe();
            resolve(result);
          },
          error: reject,
        });
      });
    try {
      const data = { loan: [{ id: 1 }, { id: 2 }] };
      for (const kind of ["query", "subscription"]) {
        expect(await first(`${kind} { loan(order_by: {id: asc}) { id } }`)).toEqual({ data });
      }
      await expect(first("{ nothing }")).rejects.toMatchObject({
        message: "field 'nothing' not found in type: 'query_root'",
      });
    } finally {
      client.close();
    }
  });
});

describe("The client graphql-ws", () => {
  it("graphql-ws runs queries and subscriptions", async () => {
    const client = createClient({
      url: `${server.url.replace("http", "ws")}/v1/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { headers: ines },
      retryAttempts: 0,
    });
    try {
      const data = { loan: [{ id: 1 }, { id: 2 }] };
      for (const kind of ["query", "subscription"]) {
        const results = client.iterate({ query: `${kind} { loan(order_by: {id: asc}) { id } }` });
        expect((await results.next()).value).toEqual({ data });
        await results.return?.();
      }
      await expect(client.iterate({ query: "{ nothing }" }).next()).rejects.toEqual([
        failure("field 'nothing' not found in type: 'query_root'", "$.selectionSet.nothing"),
      ]);
    } finally {
      await client.dispose();
    }
  });
});
