/** Live queries and streams with joins to another database and to a remote schema. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const sdl = "type User { name: String } type Query { user(id: ID!): User }";

let people: TestDatabase;
let users: RemoteGraphql;
let server: TestServer;
const clients: WebsocketClient[] = [];
let failing = false;

const environment = (more: Record<string, string>) => ({
  ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
  ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
  USERS: `http://127.0.0.1:${users.port}/graphql`,
  PEOPLE: people.url,
  ...more,
});

beforeAll(async () => {
  people = await createDatabase("live_people");
  await query(people.url, "create table person (id int primary key, name text, tenant int)");
  await query(people.url, "insert into person values (1, 'Ada', 1), (2, 'Jo', 2)");
  users = await startRemoteGraphql(sdl, 0, {
    answer: ({ query: text }) => {
      if (failing) return JSON.stringify({ errors: [{ message: "not today" }] });
      const aliases = [...text.matchAll(/(f\d+): user\(id: (\d+)\)/g)];
      return JSON.stringify({ data: Object.fromEntries(aliases.map(([, key, id]) => [key, { name: `user ${id}` }])) });
    },
  });
  const feature = { ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "remote_joins_in_subscriptions" };
  server = await startTestServer({ environment: environment(feature) });
  await setUp(server);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.ws.terminate();
  failing = false;
  await query(server.databaseUrl, "truncate task");
});

afterAll(async () => {
  await server?.close();
  await users?.close();
  await people?.drop();
});

async function setUp(on: TestServer): Promise<void> {
  await query(on.databaseUrl, "create table if not exists task (id int primary key, person int, note text)");
  await on.metadata("pg_track_table", { table: "task" });
  const configuration = { connection_info: { database_url: { from_env: "PEOPLE" } } };
  await on.metadata("pg_add_source", { name: "people", configuration });
  await on.metadata("pg_track_table", { source: "people", table: "person" });
  const definition = { url_from_env: "USERS", forward_client_headers: true };
  await on.metadata("add_remote_schema", { name: "users", definition });
  const join = (name: string, more: object) =>
    on.metadata("pg_create_remote_relationship", { table: "task", name, definition: more });
  const to_source = { source: "people", table: "person", relationship_type: "object", field_mapping: { person: "id" } };
  await join("who", { to_source });
  const remote_field = { user: { arguments: { id: "$person" } } };
  await join("user", { to_remote_schema: { remote_schema: "users", lhs_fields: ["person"], remote_field } });
  const clerk = { role: "clerk", permission: { columns: ["id"], filter: {} } };
  await on.metadata("pg_create_select_permission", { table: "task", ...clerk });
  const filter = { tenant: { _eq: "X-Engine-Tenant" } };
  const permission = { columns: ["name"], filter };
  await on.metadata("pg_create_select_permission", { source: "people", table: "person", role: "clerk", permission });
}

async function open(headers: Record<string, string> = {}, on = server): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(on.url, { protocol: "graphql-transport-ws" });
  clients.push(client);
  client.send({ type: "connection_init", payload: { headers } });
  await client.take(3);
  return client;
}

const subscribe = (client: WebsocketClient, text: string, variables?: unknown): void =>
  client.send({ type: "subscribe", id: "1", payload: { query: text, variables } });
const next = (data: unknown) => ({ type: "next", id: "1", payload: { data } });
const tasks = (sql: string) => query(server.databaseUrl, sql);
const clerk = (tenant: number) => ({ "X-Engine-Role": "clerk", "X-Engine-Tenant": String(tenant) });

const withPerson = "subscription { task(order_by: {id: asc}) { id who { name } } }";

describe("Live queries with remote relationships", () => {
  it("A live query is joined again when its own rows change, but not for changes on the other side", async () => {
    const client = await open();
    subscribe(client, withPerson);
    expect(await client.next()).toEqual(next({ task: [] }));
    await tasks("insert into task values (1, 1), (2, null)");
    expect(await client.next()).toEqual(
      next({
        task: [
          { id: 1, who: { name: "Ada" } },
          { id: 2, who: null },
        ],
      }),
    );
    await query(people.url, "update person set name = 'Ada L.' where id = 1");
    await tasks("update task set note = 'of no interest'");
    await tasks("delete from task where id = 2");
    // One message, because a change of the person alone does not trigger the join.
    expect(await client.next()).toEqual(next({ task: [{ id: 1, who: { name: "Ada L." } }] }));
    await query(people.url, "update person set name = 'Ada' where id = 1");
  });

  it("Shared rows of a live query are joined within the permissions of each session", async () => {
    await tasks("insert into task values (1, 1), (2, 2)");
    const [one, two] = [await open(clerk(1)), await open(clerk(2))];
    for (const client of [one, two]) subscribe(client, withPerson);
    const rows = (first: string | null, second: string | null) =>
      next({ task: [first, second].map((name, i) => ({ id: i + 1, who: name && { name } })) });
    expect(await one.next()).toEqual(rows("Ada", null));
    expect(await two.next()).toEqual(rows(null, "Jo"));
    await tasks("update task set person = 3 - person");
    expect(await one.next()).toEqual(rows(null, "Ada"));
    expect(await two.next()).toEqual(rows("Jo", null));
  });

  it("A live query calls remote servers with the headers of each client", async () => {
    await tasks("insert into task values (1, 7)");
    const before = users.headers.length;
    const text = "subscription { task { user { name } } }";
    const seen = next({ task: [{ user: { name: "user 7" } }] });
    const [one, two] = [await open({ "x-token": "one" }), await open({ "x-token": "two" })];
    for (const client of [one, two]) {
      subscribe(client, text);
      expect(await client.next()).toEqual(seen);
    }
    await tasks("update task set person = 8");
    for (const client of [one, two])
      expect(await client.next()).toEqual(next({ task: [{ user: { name: "user 8" } }] }));
    const tokens = users.headers.slice(before).map((headers) => headers["x-token"]);
    expect(tokens.toSorted()).toEqual(["one", "one", "two", "two"]);
  });

  it("A live query reports an error of the other side once and recovers", async () => {
    await tasks("insert into task values (1, 7)");
    const client = await open();
    subscribe(client, "subscription { task { user { name } } }");
    expect(await client.next()).toEqual(next({ task: [{ user: { name: "user 7" } }] }));
    failing = true;
    await tasks("update task set person = 8");
    expect(await client.next()).toMatchObject({
      payload: { errors: [{ message: "Errors from remote server", extensions: { code: "unexpected" } }] },
    });
    failing = false;
    expect(await client.next()).toEqual(next({ task: [{ user: { name: "user 8" } }] }));
  });

  it("Variables of a live query apply to joined fields", async () => {
    await tasks("insert into task values (1, 1)");
    const text = "subscription ($with: Boolean!) { task { who { name @include(if: $with) tenant } } }";
    const [one, two] = [await open(), await open()];
    subscribe(one, text, { with: true });
    subscribe(two, text, { with: false });
    expect(await one.next()).toEqual(next({ task: [{ who: { name: "Ada", tenant: 1 } }] }));
    expect(await two.next()).toEqual(next({ task: [{ who: { tenant: 1 } }] }));
  });

  it("A stream joins its rows as they arrive", async () => {
    const client = await open();
    await tasks("insert into task values (1, 1), (2, 2)");
    const stream = `subscription { task_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { id who { name } } }`;
    subscribe(client, stream);
    expect(await client.next()).toEqual(next({ task_stream: [{ id: 1, who: { name: "Ada" } }] }));
    expect(await client.next()).toEqual(next({ task_stream: [{ id: 2, who: { name: "Jo" } }] }));
    await tasks("insert into task values (3, 7)");
    expect(await client.next()).toEqual(next({ task_stream: [{ id: 3, who: null }] }));
  });

  it("A stopped live query sends no more requests", async () => {
    await tasks("insert into task values (1, 7)");
    const [one, other] = [await open(), await open()];
    subscribe(one, "subscription { task { user { name } } }");
    await one.next();
    one.send({ type: "complete", id: "1" });
    const before = users.requests.length;
    subscribe(other, "subscription { task { person } }");
    await other.next();
    await tasks("update task set person = 8");
    await other.next();
    await tasks("update task set person = 9");
    await other.next();
    expect(users.requests).toHaveLength(before);
  });
});

describe("Subscriptions with joins without the experimental feature", () => {
  it("Live queries and streams with joins are refused without the experimental feature", async () => {
    const plain = await startTestServer({ environment: environment({}) });
    try {
      await setUp(plain);
      const message = "Remote relationships are not allowed in subscriptions";
      const stream = "subscription { task_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { who { name } } }";
      for (const text of [withPerson, stream]) {
        const client = await open({}, plain);
        subscribe(client, text);
        expect(await client.next()).toEqual({
          type: "error",
          id: "1",
          payload: [{ message, extensions: { path: "$", code: "not-supported" } }],
        });
      }
    } finally {
      await plain.close();
    }
  });
});

// Artifacts have no explain endpoint.
describe.skipIf(isSealed)("Explaining joins", () => {
  const text = "{ task { person a: who { name } user { name } } }";
  const explain = (body: object) => server.post("/v1/graphql/explain", body);

  it("Explain refuses remote relationships and remote fields", async () => {
    const refused = async (query: string) => {
      const { status, json } = await explain({ query });
      return [status, json];
    };
    const error = (message: string) => [400, { path: "$", code: "invalid-params", error: message }];
    expect(await refused(text)).toEqual(error("queries with remote relationships cannot be explained"));
    expect(await refused(withPerson)).toEqual(error("queries with remote relationships cannot be explained"));
    expect(await refused("{ user(id: 1) { name } }")).toEqual(error("only engine queries can be explained"));
  });

  it("Explain shows the joined sources and statements on request", async () => {
    const joins = [
      {
        fields: ["task.who"],
        source: "people",
        sql: expect.stringMatching(/unnest\(.*"person"/s),
        plan: expect.arrayContaining([expect.stringContaining("person")]),
      },
      { fields: ["task.user"], remote_schema: "users", query: "query { f0: user(id: $person) { name } }" },
    ];
    const { status, json } = await explain({ query: text, joins: true });
    expect(status).toBe(200);
    expect(json).toEqual([{ field: "task", sql: expect.stringContaining('"task"'), plan: expect.any(Array), joins }]);
    const live = await explain({ query: `subscription ${text}`, joins: true });
    expect(live.json).toMatchObject({ sql: expect.stringContaining('"task"'), joins });
    expect((await explain({ query: text, joins: 1 })).json).toMatchObject({ path: "$.joins", code: "parse-failed" });
    const role = { "x-engine-role": "clerk", "x-engine-tenant": "17" };
    const explained = await explain({ query: "{ task { who { name } } }", user: role, joins: true });
    expect(explained.json[0].joins[0].sql).toContain("'17'");
  });
});
