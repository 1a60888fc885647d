/** Live queries and streams on a real database, over real sockets. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let server: TestServer;
const clients: WebsocketClient[] = [];

const environment = {
  ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
  ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
};

const schema = `
  create table item (
    id serial primary key, owner int, name text, tags text[], data jsonb,
    price numeric, at timestamptz, mood varchar(5), place uuid
  );
  create function owned(engine_session json) returns setof item stable language sql as
    $$ select * from item where owner = (engine_session ->> 'x-engine-user-id')::int $$;
  create table noted (id serial);
  create function noting() returns setof item volatile language plpgsql as
    $$ begin insert into noted default values; return; end $$;
`;

beforeAll(async () => {
  server = await startTestServer({ environment });
  await query(server.databaseUrl, schema);
  await server.metadata("pg_track_table", { table: "item" });
  await server.metadata("pg_track_function", {
    function: "owned",
    configuration: { session_argument: "engine_session" },
  });
  await server.metadata("pg_track_function", { function: "noting", configuration: { exposed_as: "query" } });
  await server.metadata("pg_create_select_permission", {
    table: "item",
    role: "owner",
    permission: { columns: "*", filter: { owner: { _eq: "X-Engine-User-Id" } }, limit: 3 },
  });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.ws.terminate();
  await query(server.databaseUrl, "truncate item restart identity");
});

afterAll(() => server.close());

async function open(headers: Record<string, string> = {}): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
  clients.push(client);
  client.send({ type: "connection_init", payload: { headers } });
  await client.take(3);
  return client;
}

const owner = (id: number) => ({ "X-Engine-Role": "owner", "X-Engine-User-Id": String(id) });
const start = (id: string, text: string, variables?: unknown) => ({
  type: "start",
  id,
  payload: { query: text, variables },
});
const data = (id: string, value: unknown) => ({ type: "data", id, payload: { data: value } });
const sqlOf = (sql: string) => query(server.databaseUrl, sql);

describe("Live queries in requests", () => {
  it("A live query follows the database with the rows of each session", async () => {
    const [one, two] = [await open(owner(1)), await open(owner(2))];
    const text = "subscription { item(order_by: {id: asc}) { id name } }";
    for (const client of [one, two]) {
      client.send(start("a", text));
      expect(await client.next()).toEqual(data("a", { item: [] }));
    }
    await sqlOf("insert into item (owner, name) values (1, 'x'), (2, 'y')");
    expect(await one.next()).toEqual(data("a", { item: [{ id: 1, name: "x" }] }));
    expect(await two.next()).toEqual(data("a", { item: [{ id: 2, name: "y" }] }));
    await sqlOf("update item set name = 'z' where owner = 2");
    expect(await two.next()).toEqual(data("a", { item: [{ id: 2, name: "z" }] }));
    await sqlOf("delete from item");
    expect(await one.next()).toEqual(data("a", { item: [] }));
  });

  it("A live query returns the same values of every kind alone and multiplexed", async () => {
    await sqlOf(`insert into item (owner, name, tags, data, price, at, mood, place) values
      (1, 'a"b\\\\', '{x,"y z"}', '{"k": [1, null]}', 12.50, '2024-02-03 04:05:06.789012+02', 'low', '${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}')`);
    const text = `subscription ($name: String, $tags: [String!], $names: [String!], $data: jsonb, $price: numeric, $at: timestamptz,
        $mood: String, $place: uuid, $n: Int, $key: String) {
      item(where: {name: {_eq: $name, _in: $names}, tags: {_eq: $tags}, data: {_contains: $data, _has_key: $key}, price: {_lte: $price},
        at: {_eq: $at}, mood: {_eq: $mood}, place: {_eq: $place}}, limit: $n) { id }
    }`;
    const values = {
      name: 'a"b\\\\',
      tags: ["x", "y z"],
      names: ['a"b\\\\', "{}", "NULL"],
      data: { k: [null] },
      price: 12.5,
      at: "2024-02-03T02:05:06.789012Z",
      mood: "low",
      place: "00000000-0000-4000-8000-000000000000",
      n: 5,
      key: "k",
    };
    const client = await open();
    client.send(start("a", text, values));
    expect(await client.next()).toEqual(data("a", { item: [{ id: 1 }] }));
    client.send(start("b", text, { ...values, name: "other" }));
    expect(await client.next()).toEqual(data("b", { item: [] }));
    // From now on both run in one statement, and the result of the first one changes.
    await sqlOf("update item set id = 7");
    expect(await client.next()).toEqual(data("a", { item: [{ id: 7 }] }));
  });

  it("A live query with values that the database refuses ends with its own error", async () => {
    const client = await open();
    const text = "subscription ($at: timestamptz) { item(where: {at: {_lt: $at}}) { id } }";
    client.send(start("a", text, { at: "2024-01-01" }));
    expect(await client.next()).toEqual(data("a", { item: [] }));
    client.send(start("b", text, { at: "never" }));
    expect(await client.take(2)).toEqual([
      {
        type: "error",
        id: "b",
        payload: {
          errors: [
            {
              message: 'invalid input syntax for type timestamp with time zone: "never"',
              extensions: { path: "$", code: "data-exception" },
            },
          ],
        },
      },
      { type: "complete", id: "b" },
    ]);
    await sqlOf("insert into item (at) values ('2023-01-01')");
    expect(await client.next()).toEqual(data("a", { item: [{ id: 1 }] }));
  });

  it("A live query continues after an error", async () => {
    const client = await open();
    client.send(start("a", "subscription { item(order_by: {id: asc}) { id } }"));
    expect(await client.next()).toEqual(data("a", { item: [] }));
    await sqlOf("alter table item rename to gone");
    const { payload } = (await client.next()) as { payload: { data: unknown; errors: { extensions: unknown }[] } };
    expect(payload.data).toBeNull();
    expect(payload.errors[0]?.extensions).toEqual({ path: "$", code: "unexpected" });
    await sqlOf("alter table gone rename to item");
    expect(await client.next()).toEqual(data("a", { item: [] }));
  });

  it("A live query of a function sees its own session", async () => {
    const [one, two] = [await open({ "X-Engine-User-Id": "1" }), await open({ "X-Engine-User-Id": "2" })];
    for (const client of [one, two]) {
      client.send(start("a", "subscription { owned { owner } }"));
      expect(await client.next()).toEqual(data("a", { owned: [] }));
    }
    await sqlOf("insert into item (owner) values (2)");
    expect(await two.next()).toEqual(data("a", { owned: [{ owner: 2 }] }));
  });

  it("A live query cannot write", async () => {
    const client = await open();
    client.send(start("a", "subscription { noting { id } }"));
    expect(await client.next()).toMatchObject({ type: "error", id: "a" });
    expect(await sqlOf("select * from noted")).toEqual([]);
  });

  it("A live query stops on request or with its connection", async () => {
    const idle = async (): Promise<boolean> => {
      const [row] = await sqlOf(
        "select coalesce(max(query_start) < now() - interval '200 ms', true) as idle from pg_stat_activity where query like '%\"mood\"%' and pid <> pg_backend_pid()",
      );
      return row?.idle === true;
    };
    const client = await open();
    client.send(start("a", "subscription { item { mood } }"));
    await client.next();
    expect(await idle()).toBe(false);
    client.send({ type: "stop", id: "a" });
    await expect.poll(idle).toBe(true);
    client.send(start("a", "subscription { item { mood } }"));
    await client.next();
    client.ws.terminate();
    await expect.poll(idle).toBe(true);
  });
});

describe("Streams in requests", () => {
  it("A stream delivers each row once, ties together, within the role's limit", async () => {
    await sqlOf("insert into item (owner, price) values (1, 1), (1, 2), (1, 2), (2, 1), (1, 3), (1, null), (1, 4)");
    const client = await open(owner(1));
    client.send(
      start(
        "s",
        "subscription ($n: Int!) { s: item_stream(batch_size: $n, cursor: {initial_value: {price: 0}}) { id } }",
        {
          n: 2,
        },
      ),
    );
    expect(await client.next()).toEqual(data("s", { s: [{ id: 1 }, { id: 2 }, { id: 3 }] }));
    expect(await client.next()).toEqual(data("s", { s: [{ id: 5 }, { id: 7 }] }));
    await sqlOf("insert into item (owner, price) values (1, 4), (1, 5), (1, 6), (1, 7), (1, 8)");
    // The first new row has the price of the last delivered one and a greater key.
    expect(await client.next()).toEqual(data("s", { s: [{ id: 8 }, { id: 9 }] }));
    expect(await client.next()).toEqual(data("s", { s: [{ id: 10 }, { id: 11 }] }));
    expect(await client.next()).toEqual(data("s", { s: [{ id: 12 }] }));
  });

  it("A stream keeps every digit of its cursor and supports descending order", async () => {
    await sqlOf(`insert into item (owner, at) select 1, timestamptz '2024-01-01 00:00:00.000001+00' + n * interval '1 microsecond'
      from generate_series(0, 3) n`);
    const client = await open(owner(1));
    const text = `subscription { item_stream(batch_size: 1, cursor: [{initial_value: {at: "2024-01-01T00:00:00.000004Z"}, ordering: DESC}]) { id } }`;
    client.send(start("s", text));
    for (const id of [3, 2, 1]) expect(await client.next()).toEqual(data("s", { item_stream: [{ id }] }));
  });

  it("Streams at different cursors share one statement", async () => {
    const client = await open();
    const text =
      "subscription ($from: Int!) { item_stream(batch_size: 2, cursor: {initial_value: {id: $from}}) { id } }";
    client.send(start("a", text, { from: 0 }));
    client.send(start("b", text, { from: 1 }));
    await sqlOf("insert into item (owner) select 1 from generate_series(1, 3)");
    const messages = (await client.take(3)) as { id: string; payload: { data: { item_stream: { id: number }[] } } }[];
    const of = (id: string) =>
      messages.filter((each) => each.id === id).flatMap(({ payload }) => payload.data.item_stream.map((row) => row.id));
    expect([of("a"), of("b")]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
  });
});

describe("Sources with a namespace in subscriptions", () => {
  it("A namespaced source supports streams and live queries of several fields", async () => {
    await server.metadata("pg_add_source", {
      name: "spaced",
      configuration: { connection_info: { database_url: server.databaseUrl } },
      customization: { root_fields: { namespace: "spaced" }, type_names: { prefix: "spaced_" } },
    });
    await sqlOf("create table thing (id serial primary key)");
    await server.metadata("pg_track_table", { source: "spaced", table: "thing" });
    const client = await open();
    client.send(
      start(
        "s",
        "subscription { n: spaced { __typename s: thing_stream(batch_size: 2, cursor: {initial_value: {id: 0}}) { id } } }",
      ),
    );
    await sqlOf("insert into thing default values");
    expect(await client.next()).toEqual(data("s", { n: { __typename: "spaced_spaced_subscription", s: [{ id: 1 }] } }));
    client.send({ type: "stop", id: "s" });
    client.send(start("l", "subscription { spaced { a: thing { id } b: thing_aggregate { aggregate { count } } } }"));
    expect(await client.next()).toEqual(data("l", { spaced: { a: [{ id: 1 }], b: { aggregate: { count: 1 } } } }));
    client.send({ type: "stop", id: "l" });
    await server.metadata("pg_drop_source", { name: "spaced", cascade: true });
  });
});

describe.skipIf(isSealed)("Metadata changes during subscriptions", () => {
  it("A metadata change applies new permissions to subscriptions and ends invalid ones", async () => {
    await sqlOf("insert into item (owner, name) values (1, 'a'), (1, 'b')");
    const client = await open(owner(1));
    const text = "subscription { item(order_by: {name: asc}) { name } }";
    client.send(start("a", text));
    expect(await client.next()).toEqual(data("a", { item: [{ name: "a" }, { name: "b" }] }));
    const permission = (columns: readonly string[]) => [
      { type: "pg_drop_select_permission", args: { table: "item", role: "owner" } },
      {
        type: "pg_create_select_permission",
        args: { table: "item", role: "owner", permission: { columns, filter: { name: { _neq: "a" } } } },
      },
    ];
    await server.metadata("bulk", permission(["name"]));
    expect(await client.next()).toEqual(data("a", { item: [{ name: "b" }] }));
    await server.metadata("bulk", permission(["id"]));
    expect(await client.take(2)).toMatchObject([
      { type: "data", id: "a", payload: { data: null, errors: [{ extensions: { code: "validation-failed" } }] } },
      { type: "complete", id: "a" },
    ]);
    // The connection stays open.
    client.send(start("b", "subscription { item(order_by: {id: asc}) { id } }"));
    expect(await client.next()).toEqual(data("b", { item: [{ id: 2 }] }));
  });
});

describe("Sources with change notifications in requests", () => {
  it("Triggers wake live queries, which are rarely polled otherwise", async () => {
    const watched = await startTestServer({
      on: server,
      environment: { ...environment, ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY: "default" },
    });
    try {
      await query(watched.databaseUrl, "create table part (id int) partition by range (id)");
      await query(watched.databaseUrl, "create table part_1 partition of part for values from (0) to (10)");
      await watched.metadata("pg_track_table", { table: "part" });
      const client = await WebsocketClient.open(watched.url, { protocol: "graphql-ws" });
      clients.push(client);
      client.send({ type: "connection_init" });
      await client.take(3);
      client.send(start("a", "subscription { item { id } }"));
      client.send(start("b", "subscription { part { id } }"));
      expect(await client.take(2)).toHaveLength(2);
      const polls = async (): Promise<number> => {
        const [row] = await sqlOf(
          "select sum(seq_scan + idx_scan)::int as scans from pg_stat_user_tables where relname = 'item'",
        );
        return Number(row?.scans);
      };
      const isNotified = async (): Promise<boolean> => {
        const [row] = await sqlOf(
          "select count(*)::int as count from pg_trigger where tgname = 'notify_engine_live_queries'",
        );
        return row?.count === 3;
      };
      await expect.poll(isNotified).toBe(true);
      const isQuiet = async (): Promise<boolean> => {
        const before = await polls();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return (await polls()) === before;
      };
      await expect.poll(isQuiet, { timeout: 5000 }).toBe(true);
      await sqlOf("insert into item (id) values (5)");
      expect(await client.next()).toEqual(data("a", { item: [{ id: 5 }] }));
      await sqlOf("insert into part values (1)");
      expect(await client.next()).toEqual(data("b", { part: [{ id: 1 }] }));
      await sqlOf("truncate part_1");
      expect(await client.next()).toEqual(data("b", { part: [] }));
      // Without its notification connection, the engine polls until the connection is restored.
      await sqlOf("select pg_terminate_backend(pid) from pg_stat_activity where query = 'LISTEN engine_live_queries'");
      await sqlOf("delete from item");
      expect(await client.next()).toEqual(data("a", { item: [] }));
    } finally {
      await watched.stop();
    }
  });
});
