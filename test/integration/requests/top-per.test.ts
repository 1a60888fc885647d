/** The first rows of each group (`top_per`) on a real database: lists, live queries, REST endpoints, and refusals. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const schema = `
  create table post (id int primary key, title text not null);
  create table comment (
    id int primary key, post_id int not null references post, written int not null, text text, extra json
  );
  create view latest as select * from comment;
  create function comments_after(since int) returns setof comment stable language sql as
    $$ select * from comment where written > since $$;
  insert into post values (1, 'First'), (2, 'Second');
  insert into comment values
    (1, 1, 10, 'a', null), (2, 1, 20, 'b', null), (3, 1, 20, 'c', null), (4, 2, 5, 'd', null), (5, 2, 6, null, null);
`;

const newest =
  "query ($n: Int!) { comment(top_per: {columns: post_id, limit: $n}, order_by: [{written: desc}]) { id } }";

let server: TestServer;

beforeAll(async () => {
  const environment = {
    ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
    ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  };
  server = await startTestServer({ environment });
  await query(server.databaseUrl, schema);
  for (const table of ["post", "comment", "latest"]) await server.metadata("pg_track_table", { table });
  const using = { foreign_key_constraint_on: { table: "comment", column: "post_id" } };
  await server.metadata("pg_create_array_relationship", { table: "post", name: "comments", using });
  await server.metadata("pg_track_function", { function: "comments_after" });
  await server.metadata("pg_track_logical_model", {
    source: "default",
    name: "line",
    fields: [
      { name: "id", type: { scalar: "integer" } },
      { name: "post_id", type: { scalar: "integer" } },
    ],
  });
  await server.metadata("pg_track_native_query", {
    source: "default",
    root_field_name: "lines",
    code: "select id, post_id from comment where id > {{since}}",
    arguments: { since: { type: "integer" } },
    returns: "line",
  });
  await server.metadata("create_query_collection", {
    name: "desk",
    definition: { queries: [{ name: "newest", query: newest }] },
  });
  await server.metadata("create_rest_endpoint", {
    name: "newest",
    url: "newest/:n",
    methods: ["GET"],
    definition: { query: { collection_name: "desk", query_name: "newest" } },
  });
});

afterAll(() => server.close());

const data = async (text: string, variables?: unknown) => {
  const answer = await server.graphql(text, {}, variables);
  expect(answer).toEqual({ data: expect.anything() });
  return (answer as { readonly data: unknown }).data;
};

/** Opens a connection, after its acknowledgement and the first pings. */
async function open(): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init" });
  await client.take(3);
  return client;
}

const ids = (...list: readonly number[]) => list.map((id) => ({ id }));

describe("The first rows of each group", () => {
  it("A list returns the first rows of each group, with ties in the order of the primary key", async () => {
    expect(await data(newest, { n: 1 })).toEqual({ comment: ids(2, 5) });
    expect(await data(newest, { n: 2 })).toEqual({ comment: expect.arrayContaining(ids(2, 3, 5, 4)) });
    expect(await data(newest, { n: 0 })).toEqual({ comment: [] });
  });

  it("Several columns form a group together, and without columns all rows are one group", async () => {
    const list = (top: string) => data(`{ comment(top_per: ${top}, order_by: {id: asc}) { id } }`);
    expect(await list("{columns: [post_id, written], limit: 1}")).toEqual({ comment: ids(1, 2, 4, 5) });
    expect(await list("{columns: [post_id, post_id], limit: 1}")).toEqual({ comment: ids(1, 4) });
    expect(await list("{columns: [], limit: 3}")).toEqual({ comment: ids(1, 2, 3) });
    expect(await list("null")).toEqual({ comment: ids(1, 2, 3, 4, 5) });
  });

  it("The groups are formed after the filter, and before limit and offset", async () => {
    const args = "where: {text: {_is_null: false}}, top_per: {columns: post_id, limit: 1}, order_by: {written: asc}";
    expect(await data(`{ comment(${args}) { id } }`)).toEqual({ comment: ids(4, 1) });
    expect(await data(`{ comment(${args}, limit: 1, offset: 1) { id } }`)).toEqual({ comment: ids(1) });
  });

  it("Array relationships, aggregates, views, functions and native queries have groups", async () => {
    const top = "top_per: {columns: post_id, limit: 1}, order_by: {id: desc}";
    const text = `{
      post(order_by: {id: asc}) { comments(${top}) { id } }
      comment_aggregate(${top}) { aggregate { count sum { written } } }
      latest(${top}) { id }
      comments_after(args: {since: 5}, ${top}) { id }
      lines(args: {since: 1}, ${top}) { id }
    }`;
    expect(await data(text)).toEqual({
      post: [{ comments: ids(3) }, { comments: ids(5) }],
      comment_aggregate: { aggregate: { count: 2, sum: { written: 26 } } },
      latest: ids(5, 3),
      comments_after: ids(5, 3),
      lines: ids(5, 3),
    });
  });

  it("A live query returns the new rows of a group", async () => {
    const client = await open();
    const text = newest.replace("query", "subscription");
    client.send({ type: "subscribe", id: "1", payload: { query: text, variables: { n: 1 } } });
    expect((await client.take(1)).at(-1)).toMatchObject({ type: "next", payload: { data: { comment: ids(2, 5) } } });
    await query(server.databaseUrl, "insert into comment values (6, 2, 30, 'new', null)");
    expect((await client.take(1)).at(-1)).toMatchObject({ type: "next", payload: { data: { comment: ids(6, 2) } } });
    client.ws.terminate();
    await query(server.databaseUrl, "delete from comment where id = 6");
  });

  it("A REST endpoint passes the number of rows as a parameter", async () => {
    const response = await fetch(`${server.url}/api/rest/newest/1`);
    expect([response.status, await response.json()]).toEqual([200, { data: { comment: ids(2, 5) } }]);
  });

  it.each([
    ["comment(top_per: {columns: post_id, limit: -1}) { id }", /non-negative 32-bit integer/],
    ["comment(top_per: {columns: post_id}) { id }", /missing required field 'limit'/],
    ["comment(top_per: {columns: post_id, limit: null}) { id }", /null/],
    ["comment(top_per: {columns: missing, limit: 1}) { id }", /expected one of the values/],
    ["comment(top_per: {columns: extra, limit: 1}) { id }", /cannot be compared for equality/],
    ["comment(distinct_on: id, top_per: {columns: id, limit: 1}) { id }", /cannot be combined with "distinct_on"/],
  ])("A list with an invalid argument is refused: %s", async (field, message) => {
    expect(await server.graphql(`{ ${field} }`)).toMatchObject({
      errors: [{ message: expect.stringMatching(message), extensions: { code: "validation-failed" } }],
    });
  });

  it("Streams have no groups", async () => {
    const client = await open();
    const text =
      "subscription { comment_stream(batch_size: 1, cursor: {initial_value: {id: 0}}, top_per: {columns: id, limit: 1}) { id } }";
    client.send({ type: "subscribe", id: "1", payload: { query: text } });
    expect(JSON.stringify(await client.take(1))).toContain("no argument named 'top_per'");
    client.ws.terminate();
  });
});
