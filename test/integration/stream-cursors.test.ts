/** Where streams begin and how they continue: valid values of `cursor` and `batch_size`, ties, limits, NULL. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;
const clients: WebsocketClient[] = [];

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
      ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "20",
      ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "livequery-poller-log",
    },
  });
  await query(server.databaseUrl, "create table item (id serial primary key, price numeric, name text)");
  await query(
    server.databaseUrl,
    `create domain local_time as timestamp;
     create table moment (
       id serial primary key, at timestamptz, since date default now(), local local_time default clock_timestamp()
     )`,
  );
  await server.metadata("pg_track_table", { table: "item" });
  await server.metadata("pg_track_table", { table: "moment" });
  await server.metadata("pg_create_select_permission", {
    table: "item",
    role: "limited",
    permission: { columns: ["id", "price"], filter: {}, limit: 2 },
  });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.ws.terminate();
  await insert("truncate item restart identity");
});

afterAll(() => server.close());

const insert = (sql: string) => query(server.databaseUrl, sql);

/** Subscribes to a stream with the alias `s`. */
async function stream(field: string, variables?: unknown, role = "admin"): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
  clients.push(client);
  client.send({ type: "connection_init", payload: { headers: { "X-Engine-Role": role } } });
  await client.take(3);
  const type = field.includes("[$cursor") ? "item_stream_cursor_input" : "[item_stream_cursor_input]!";
  const declared = variables === undefined ? "" : `($cursor: ${type})`;
  client.send({ type: "start", id: "s", payload: { query: `subscription ${declared} { s: ${field} }`, variables } });
  return client;
}

async function ids(client: WebsocketClient): Promise<readonly number[]> {
  const message = (await client.next()) as { type: string; payload: { data: { s: { id: number }[] } } };
  expect(message.type).toBe("data");
  return message.payload.data.s.map(({ id }) => id);
}

/** Returns the message of a refused stream. */
async function refusal(client: WebsocketClient): Promise<string> {
  const message = (await client.next()) as { type: string; payload: { errors: { message: string }[] } };
  expect(message.type).toBe("error");
  return message.payload.errors[0]?.message ?? "";
}

/** Checks that polls continue, and that no event precedes the result of a later operation of the same connection. */
async function expectSilence(client: WebsocketClient): Promise<void> {
  const polls = (): number => server.log.filter((line) => line.includes('"kind":"streaming"')).length;
  const before = polls();
  await expect.poll(polls).toBeGreaterThan(before + 2);
  client.send({ type: "start", id: "q", payload: { query: "{ __typename }" } });
  expect(await client.next()).toMatchObject({ type: "data", id: "q" });
  expect(await client.next()).toMatchObject({ type: "complete", id: "q" });
}

describe("Stream cursors", () => {
  it("Null cursors beside a cursor are ignored", async () => {
    await insert("insert into item (price) values (1), (2)");
    const literal = await stream("item_stream(batch_size: 5, cursor: [null, {initial_value: {id: 1}}]) { id }");
    expect(await ids(literal)).toEqual([2]);
    const given = "item_stream(batch_size: 5, cursor: $cursor) { id }";
    const last = await stream(given, { cursor: [{ initial_value: { id: 0 } }, null] });
    expect(await ids(last)).toEqual([1, 2]);
    const first = await stream(given, { cursor: [null, { initial_value: { id: 1 } }] });
    expect(await ids(first)).toEqual([2]);
    const inside = await stream("item_stream(batch_size: 5, cursor: [$cursor, {initial_value: {id: 1}}]) { id }", {
      cursor: null,
    });
    expect(await ids(inside)).toEqual([2]);
  });

  it.each([
    ["[]", "one streaming column field is expected"],
    ["[null]", "one streaming column field is expected"],
    ["{initial_value: {}}", "one streaming column field is expected"],
    ["{initial_value: {id: 0, price: 0}}", "multiple column cursors are not supported yet"],
    ["[{initial_value: {id: 0}}, {initial_value: {price: 0}}]", "multiple column cursors are not supported yet"],
  ])("The cursor %s is refused", async (cursor, message) => {
    expect(await refusal(await stream(`item_stream(batch_size: 5, cursor: ${cursor}) { id }`))).toBe(message);
  });

  it.each([
    ["at", "now()"],
    ["at", " NOW"],
    ["local", "now"],
    ["since", "today"],
    ["at", "yesterday 23:59:59"],
  ])("A cursor column %s with the start %j starts at that moment once", async (column, text) => {
    await insert("insert into moment (at) values ('2000-01-01')");
    const field = `moment_stream(batch_size: 5, cursor: {initial_value: {${column}: ${JSON.stringify(text)}}}) { id }`;
    const client = await stream(field);
    await expectSilence(client);
    const [row] = await insert("insert into moment (at, since) values (now(), 'tomorrow') returning id");
    expect(await ids(client)).toEqual([row?.id]);
    await insert("delete from moment");
  });

  it("Explain shows the resolved value of a relative cursor", async () => {
    const query = `subscription ($at: timestamptz) {
      moment_stream(batch_size: 1, cursor: {initial_value: {at: $at}}) { id }
    }`;
    const explained = async (at: string): Promise<string> =>
      (await server.post("/v1/graphql/explain", { query: { query, variables: { at } } })).json.variables.cursor.at;
    expect(Math.abs(Date.parse(await explained("now()")) - Date.now())).toBeLessThan(60_000);
    expect(await explained("infinity")).toBe("infinity");
    expect(await explained("2020-02-02")).toBe("2020-02-02");
  });

  it("A cursor with an invalid timestamp is refused", async () => {
    const client = await stream('moment_stream(batch_size: 5, cursor: {initial_value: {at: "nowhere"}}) { id }');
    expect(await refusal(client)).toContain('invalid input syntax for type timestamp with time zone: "nowhere"');
  });

  it("A cursor at null has no later rows", async () => {
    const client = await stream("item_stream(batch_size: 5, cursor: {initial_value: {price: null}}) { id }");
    await insert("insert into item (price) values (1), (null)");
    await expectSilence(client);
  });

  it("A cursor on a hidden column is refused", async () => {
    const client = await stream(
      'item_stream(batch_size: 5, cursor: {initial_value: {name: ""}}) { id }',
      undefined,
      "limited",
    );
    expect(await refusal(client)).toBe("field 'name' not found in type: 'item_stream_cursor_value_input'");
  });

  it("A descending cursor continues downward with ties together", async () => {
    await insert("insert into item (price) values (3), (2), (2.0), (1), (null), (9)");
    const client = await stream(
      "item_stream(batch_size: 1, cursor: {initial_value: {price: 5}, ordering: DESC}) { id }",
    );
    expect(await ids(client)).toEqual([1]);
    expect((await ids(client)).toSorted()).toEqual([2, 3]);
    expect(await ids(client)).toEqual([4]);
    await insert("insert into item (price) values (0.5), (7)");
    expect(await ids(client)).toEqual([7]);
    await expectSilence(client);
  });
});

describe("Batch sizes of streams", () => {
  it.each([
    ["0", []],
    ["1", [[1, 2], [3]]],
    ["2147483647", [[1, 2, 3]]],
  ])("A batch size of %s limits the rows delivered at once, except ties", async (size, batches) => {
    await insert("insert into item (price) values (1), (1), (2)");
    const client = await stream(`item_stream(batch_size: ${size}, cursor: {initial_value: {price: 0}}) { id }`);
    for (const batch of batches) expect((await ids(client)).toSorted()).toEqual(batch);
    await expectSilence(client);
  });

  it("The batch size is bounded by the role's limit", async () => {
    await insert("insert into item (price) values (1), (2), (3)");
    const text = "item_stream(batch_size: 10, cursor: {initial_value: {price: 0}}) { id }";
    const client = await stream(text, undefined, "limited");
    expect([await ids(client), await ids(client)]).toEqual([[1, 2], [3]]);
  });

  it("A negative batch size is refused", async () => {
    const client = await stream("item_stream(batch_size: -1, cursor: {initial_value: {price: 0}}) { id }");
    expect(await refusal(client)).toBe("expected a non-negative 32-bit integer for type 'Int', but found an integer");
  });
});
