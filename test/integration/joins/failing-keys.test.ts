/** Join keys for which a remote schema returns errors, in responses with values for other keys. */
import { GraphQLError } from "graphql";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const sdl = `
  type User { id: ID! name: String title: String! email: String friends: [User] boss: User }
  type Query {
    user(id: ID!): User
    present(id: ID!): User!
    members(id: ID!): [User]
    users(ids: [ID!]!): [User]
    found(ids: [ID!]!): [User]
    in: Inner
  }
  type Inner { user(id: ID!): User }
`;

/** Ids of users for which the remote schema returns errors. */
let failing: ReadonlySet<string> = new Set();

const refused = (id: string) => new GraphQLError(`no user ${id}`, { extensions: { secret: "of the server" } });
const user = (id: string, depth = 1): object | Error => {
  if (failing.has(id)) return refused(id);
  return {
    id: () => (failing.has(`id ${id}`) ? refused(id) : id),
    name: `user ${id}`,
    title: () => (failing.has(`title ${id}`) ? refused(id) : "Dr."),
    email: () => (failing.has(`email ${id}`) ? refused(id) : `${id}@x`),
    friends: () => (depth === 0 ? [] : ["1", "2"].map((friend) => user(friend, 0))),
    boss: () => user("9", 0),
  };
};
const byId = ({ id }: { id: string }) => user(id);
const root = {
  user: byId,
  present: byId,
  members: ({ id }: { id: string }) => [user(id), user("1")],
  users: ({ ids }: { ids: readonly string[] }) => {
    if (failing.has("list")) return refused("list");
    return ids.map((id) => user(id));
  },
  found: ({ ids }: { ids: readonly string[] }) => ids.toReversed().map((id) => user(id)),
  in: { user: byId },
};

let people: TestDatabase;
let remote: RemoteGraphql;
let engine: TestServer;
const clients: WebsocketClient[] = [];

const environment = () => ({
  REMOTE: `http://127.0.0.1:${remote.port}/graphql`,
  PEOPLE: people.url,
  ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "remote_joins_in_subscriptions",
  ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
  ENGINE_GRAPHQL_REMOTE_RELATIONSHIPS_BATCH_SIZE: "3",
});

const saved = "{ task(order_by: {id: asc}) { id user { name } } }";

beforeAll(async () => {
  people = await createDatabase("failing_people");
  await query(people.url, "create table person (id int primary key, name text)");
  await query(people.url, "insert into person select n, 'person ' || n from generate_series(1, 9) n");
  remote = await startRemoteGraphql(sdl, 0, { root });
  engine = await startTestServer({ environment: environment() });
  await query(
    engine.databaseUrl,
    `create table task (id int primary key, person int);
     insert into task values (1, 1), (2, 2), (3, 1), (4, null), (5, 5)`,
  );
  await engine.metadata("pg_track_table", { table: "task" });
  const connection_info = { database_url: { from_env: "PEOPLE" } };
  await engine.metadata("pg_add_source", { name: "people", configuration: { connection_info } });
  await engine.metadata("pg_track_table", { source: "people", table: "person" });
  await engine.metadata("add_remote_schema", { name: "users", definition: { url_from_env: "REMOTE" } });
  const relate = (name: string, definition: object, of: object = { table: "task" }) =>
    engine.metadata("pg_create_remote_relationship", { ...of, name, definition });
  const toRemote = (remote_field: object, more: object = {}) => ({
    to_remote_schema: { remote_schema: "users", lhs_fields: ["person"], remote_field, ...more },
  });
  const argument = { arguments: { id: "$person" } };
  await relate("user", toRemote({ user: argument }));
  await relate("present", toRemote({ present: argument }));
  await relate("members", toRemote({ members: argument }));
  await relate("inner", toRemote({ in: { arguments: {}, field: { user: argument } } }));
  const list = { arguments: { ids: ["$person"] } };
  await relate("listed", toRemote({ users: list }, { batch: { match: "position" } }));
  const match = { person: "id" };
  await relate("found", toRemote({ found: list }, { batch: { match } }));
  await relate("all_found", toRemote({ found: list }, { batch: { match, relationship_type: "array" } }));
  const field_mapping = { person: "id" };
  await relate("who", { to_source: { source: "people", table: "person", relationship_type: "object", field_mapping } });
  const ofPerson = { remote_schema: "users", lhs_fields: ["id"], remote_field: { user: { arguments: { id: "$id" } } } };
  await relate("user", { to_remote_schema: ofPerson }, { source: "people", table: "person" });
  const toPerson = { source: "people", table: "person", relationship_type: "object", field_mapping: { id: "id" } };
  await engine.metadata("create_remote_schema_remote_relationship", {
    remote_schema: "users",
    type_name: "User",
    name: "person",
    definition: { to_source: { ...toPerson } },
  });
  const permission = { columns: ["id"], filter: {} };
  await engine.metadata("pg_create_select_permission", { table: "task", role: "clerk", permission });
  const queries = [{ name: "tasks", query: `query tasks ${saved}` }];
  await engine.metadata("create_query_collection", { name: "c", definition: { queries } });
  const collection = { collection_name: "c", query_name: "tasks" };
  await engine.metadata("create_rest_endpoint", {
    name: "tasks",
    url: "tasks",
    methods: ["GET"],
    definition: { query: collection },
  });
}, 60_000);

afterEach(() => {
  failing = new Set();
  for (const client of clients.splice(0)) client.ws.terminate();
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
  await people?.drop();
});

const admin = {};
const ask = async (text: string, headers: Record<string, string> = admin, on = engine) => {
  const response = await on.post("/v1/graphql", { query: text }, headers);
  expect(response.status).toBe(200);
  return response.json;
};
const failed = { message: "Errors from remote server", extensions: { code: "unexpected" } };
const at = (...path: readonly (string | number)[]) => ({ ...failed, path });
const messages = (errors: readonly { extensions: { internal: { errors: readonly { message: string }[] } } }[]) =>
  errors.map(({ extensions }) => extensions.internal.errors.map(({ message }) => message));
const named = (name: string) => ({ name });

describe("A failing key next to successful keys", () => {
  it("A failing key is null with one error for each field, at its path in the response", async () => {
    failing = new Set(["1"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { id user { name } } }");
    const [one, two, three, four, five] = data.task;
    expect([one, two, three, four, five]).toEqual([
      { id: 1, user: null },
      { id: 2, user: named("user 2") },
      { id: 3, user: null },
      { id: 4, user: null },
      { id: 5, user: named("user 5") },
    ]);
    expect(errors).toMatchObject([at("task", 0, "user"), at("task", 2, "user")]);
    expect(messages(errors)).toEqual([["no user 1"], ["no user 1"]]);
  });

  it("The error of a key hides the server's message and internals from roles", async () => {
    failing = new Set(["1"]);
    const text = "{ some: task(where: {id: {_lte: 2}}, order_by: {id: asc}) { u: user { n: name } } }";
    const { data, errors } = await ask(text, { "x-engine-role": "clerk" });
    expect(data).toEqual({ some: [{ u: null }, { u: { n: "user 2" } }] });
    const path = "$.selectionSet.task.selectionSet.user";
    expect(errors).toEqual([{ ...failed, path: ["some", 0, "u"], extensions: { code: "unexpected", path } }]);
  });

  it("A failing key keeps the partial data of the server, with nulls where its types allow them", async () => {
    failing = new Set(["email 2", "title 5"]);
    const text = "{ task(order_by: {id: asc}) { user { name email } inner { name title } } }";
    const { data, errors } = await ask(text);
    expect(data.task[1]).toEqual({ user: { name: "user 2", email: null }, inner: { name: "user 2", title: "Dr." } });
    expect(data.task[4]).toEqual({ user: { name: "user 5", email: "5@x" }, inner: null });
    expect(errors).toMatchObject([at("task", 1, "user", "email"), at("task", 4, "inner", "title")]);
  });

  it("A failing item leaves the other items of its list", async () => {
    failing = new Set(["5"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { members { name friends { name } } } }");
    expect(data.task[4].members).toMatchObject([null, named("user 1")]);
    expect(errors).toMatchObject([at("task", 4, "members", 0)]);
    failing = new Set(["2"]);
    const within = await ask("{ task(where: {id: {_in: [1, 5]}}) { user { friends { name } } } }");
    // Both keys have the failing friend.
    expect(within.data).toBeUndefined();
    expect(within.errors).toMatchObject([failed]);
  });

  it("A failing key leaves other relationships to the same server unchanged", async () => {
    failing = new Set(["title 1", "title 2", "title 5"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { a: user { name } b: user { title } } }");
    expect(data.task.map(({ a }: { a: unknown }) => a)).toEqual([1, 2, 1, null, 5].map((n) => n && named(`user ${n}`)));
    expect(data.task.map(({ b }: { b: unknown }) => b)).toEqual([null, null, null, null, null]);
    expect(errors).toHaveLength(4);
  });

  it("The error of a key stays with its key if the keys of its level need several requests", async () => {
    failing = new Set(["2", "5"]);
    const { data, errors } = await ask(
      `{ task(order_by: {id: asc}) { a: user { name } b: inner { name } } one: task_by_pk(id: 3) { user { name } } }`,
    );
    expect(data.task[0]).toEqual({ a: named("user 1"), b: named("user 1") });
    expect(data.one).toEqual({ user: named("user 1") });
    const paths = errors.map(({ path }: { path: unknown }) => JSON.stringify(path)).toSorted();
    expect(paths).toEqual([`["task",1,"a"]`, `["task",1,"b"]`, `["task",4,"a"]`, `["task",4,"b"]`]);
  });
});

describe("A failing key on another level", () => {
  it("A failing key below rows of another source has the whole path", async () => {
    failing = new Set(["5"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { who { user { name } } } }");
    expect(data.task[1]).toEqual({ who: { user: named("user 2") } });
    expect(data.task[4]).toEqual({ who: { user: null } });
    expect(errors).toMatchObject([at("task", 4, "who", "user")]);
  });

  it("A field reports the error of the key that the server cannot resolve", async () => {
    failing = new Set(["id 5"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { members { name person { name } } } }");
    expect(data.task[1].members[0]).toEqual({ name: "user 2", person: named("person 2") });
    expect(data.task[4].members).toEqual([null, { name: "user 1", person: named("person 1") }]);
    expect(errors).toMatchObject([at("task", 4, "members", 0, "person")]);
  });

  it("A failing key has its path in the result of a mutation, and the write stays", async () => {
    failing = new Set(["5"]);
    const text = `mutation { update_task(where: {id: {_in: [2, 5]}}, _inc: {id: 10}) { returning { id user { name } } } }`;
    const { data, errors } = await ask(text);
    expect(data.update_task.returning).toEqual([
      { id: 12, user: named("user 2") },
      { id: 15, user: null },
    ]);
    expect(errors).toMatchObject([at("update_task", "returning", 1, "user")]);
    await query(engine.databaseUrl, "update task set id = id - 10 where id > 10");
  });
});

describe("Failing keys of a batch", () => {
  it("The error of a batch item belongs to the key at its position", async () => {
    failing = new Set(["2", "email 5"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { listed { name email } } }");
    expect(data.task.map(({ listed }: { listed: unknown }) => listed)).toEqual([
      { name: "user 1", email: "1@x" },
      null,
      { name: "user 1", email: "1@x" },
      null,
      { name: "user 5", email: null },
    ]);
    expect(errors).toMatchObject([at("task", 1, "listed"), at("task", 4, "listed", "email")]);
  });

  it("The error of a batch item belongs to the key in the item", async () => {
    failing = new Set(["email 5"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { found { email } all_found { email } } }");
    expect(data.task[4]).toEqual({ found: { email: null }, all_found: [{ email: null }] });
    expect(data.task[1]).toEqual({ found: { email: "2@x" }, all_found: [{ email: "2@x" }] });
    expect(errors).toMatchObject([at("task", 4, "found", "email"), at("task", 4, "all_found", 0, "email")]);
  });

  it("A batch fails completely if the failing item has no key", async () => {
    failing = new Set(["5"]);
    const { data, errors } = await ask("{ task { found { name } } }");
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([failed]);
  });

  it("A batch fails completely if its list fails", async () => {
    failing = new Set(["list"]);
    const { data, errors } = await ask("{ task(order_by: {id: asc}) { user { name } listed { name } } }");
    expect(data.task[1]).toEqual({ user: named("user 2"), listed: null });
    expect(errors).toMatchObject([0, 1, 2, 4].map((row) => at("task", row, "listed")));
  });
});

describe("Failing responses", () => {
  it("The response fails if every key fails", async () => {
    failing = new Set(["1", "2", "5"]);
    const { data, errors } = await ask("{ task { user { name } } }");
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ ...failed, extensions: { code: "unexpected", path: "$" } }]);
    expect(errors[0].path).toBeUndefined();
  });

  it("The response fails if more than 1000 fields have errors", async () => {
    failing = new Set(["5"]);
    await query(engine.databaseUrl, "insert into task select n, 5 from generate_series(100, 1200) n");
    try {
      const { data, errors } = await ask("{ task { user { name } } }");
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ ...failed, extensions: { path: "$" } }]);
      expect((await ask("{ task(order_by: {id: asc}, limit: 600) { user { name } } }")).errors).toHaveLength(596);
    } finally {
      await query(engine.databaseUrl, "delete from task where id >= 100");
    }
  });

  it("The response fails if the server responds without data", async () => {
    failing = new Set(["1"]);
    const { data, errors } = await ask("{ task { present { name } } }");
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([failed]);
  });
});

describe("Errors of keys on other endpoints", () => {
  it("REST endpoints return errors of keys with the data", async () => {
    failing = new Set(["5"]);
    const response = await fetch(`${engine.url}/api/rest/tasks`, { headers: admin });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      data: { task: [{ id: 1 }, { user: named("user 2") }, {}, {}, { id: 5, user: null }] },
      errors: [at("task", 4, "user")],
    });
  });

  it("Each response of a batched request has its own errors", async () => {
    failing = new Set(["5"]);
    const { json } = await engine.post("/v1/graphql", [{ query: saved }, { query: "{ __typename }" }], admin);
    expect(json).toMatchObject([{ errors: [at("task", 4, "user")] }, { data: { __typename: "query_root" } }]);
    expect(json[1].errors).toBeUndefined();
  });

  it("A response with errors of keys is not cached", async () => {
    const text = `query @cached { ${saved.slice(2)}`;
    failing = new Set(["5"]);
    expect((await ask(text)).errors).toMatchObject([at("task", 4, "user")]);
    failing = new Set();
    expect((await ask(text)).errors).toBeUndefined();
  });

  it("A sealed artifact returns the same response", async () => {
    const sealed = await startTestServer({ on: engine, environment: environment(), sealed: true });
    try {
      failing = new Set(["5"]);
      const text = `query tasks ${saved}`;
      expect(await ask(text, admin, sealed)).toEqual(await ask(text));
      expect((await ask(text, admin, sealed)).errors).toMatchObject([at("task", 4, "user")]);
    } finally {
      await sealed.stop();
    }
  }, 90_000);

  it("Live queries deliver an error of a key once, and its value after recovery", async () => {
    failing = new Set(["5"]);
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    clients.push(client);
    client.send({ type: "connection_init", payload: { headers: admin } });
    await client.take(3);
    client.send({ type: "subscribe", id: "1", payload: { query: `subscription ${saved}` } });
    expect(await client.next()).toMatchObject({
      type: "next",
      payload: {
        data: { task: [{}, { user: named("user 2") }, {}, {}, { user: null }] },
        errors: [at("task", 4, "user")],
      },
    });
    const before = remote.requests.length;
    await expect.poll(() => remote.requests.length).toBeGreaterThan(before + 2);
    failing = new Set();
    const task = [1, 2, 1, null, 5].map((person, i) => ({ id: i + 1, user: person && named(`user ${person}`) }));
    expect(await client.next()).toEqual({ type: "next", id: "1", payload: { data: { task } } });
    client.send({ type: "subscribe", id: "2", payload: { query: saved } });
    expect(await client.next()).toMatchObject({ id: "2", type: "next" });
  });
});
