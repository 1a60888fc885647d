/** Relationships to remote schemas, and relationships from objects of remote schemas and actions to other targets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const usersSdl = `
  interface Being { id: ID! name: String }
  type User implements Being { id: ID! name: String city: String posts(first: Int, filter: PostFilter): [Post!]! boss: User account: Int }
  type Robot implements Being { id: ID! name: String owner: Int }
  type Post { id: Int! title: String! author_id: Int! }
  input PostFilter { title: String author: AuthorFilter kind: Kind }
  input AuthorFilter { id: Int name: String }
  enum Kind { LONG SHORT }
  type Query {
    user(id: ID!): User
    being(id: ID!): Being
    posts(filter: PostFilter, first: Int = 10): [Post!]!
    fails(id: ID!): User
  }
  type Mutation { rename(id: ID!, to: String!): User }
`;

const postsOf = (author: number) => [1, 2].map((n) => ({ id: author * 10 + n, title: `post ${n}`, author_id: author }));

const user = (id: number): object => ({
  __typename: "User",
  id: String(id),
  name: `user ${id}`,
  city: id === 3 ? null : `city ${id % 2}`,
  account: id,
  posts: ({ first = 2 }: { first?: number }) => postsOf(id).slice(0, first),
  boss: () => (id > 1 ? user(id - 1) : null),
});

const root = {
  user: ({ id }: { id: string }) => (Number(id) < 100 ? user(Number(id)) : null),
  being: ({ id }: { id: string }) =>
    Number(id) % 2 === 0 ? { __typename: "Robot", id, name: `robot ${id}`, owner: Number(id) } : user(Number(id)),
  posts: ({ filter }: { filter: { author: { id: number }; title?: string; kind?: string } }) =>
    postsOf(filter.author.id).filter(({ title }) => filter.title === undefined || title === filter.title),
  fails: () => {
    throw new Error("the secret of the server");
  },
  rename: ({ id, to }: { id: string; to: string }) => ({ ...user(Number(id)), name: to }),
};

const citiesSdl = `type City { name: String! size: Int! mayor: Int } type Query { city(name: String!): City }`;
const cities = {
  city: ({ name }: { name: string }) => ({ name, size: name.length, mayor: Number(name.split(" ")[1]) + 1 }),
};

const toRemote = (remote_schema: string, lhs_fields: readonly string[], remote_field: object) => ({
  definition: { to_remote_schema: { remote_schema, lhs_fields, remote_field } },
});
const toTable = (type: string, table: string, field_mapping: object) => ({
  definition: { to_source: { source: "default", table, relationship_type: type, field_mapping } },
});

let users: RemoteGraphql;
let city: RemoteGraphql;
let handler: ActionHandlerServer;
let engine: TestServer;

beforeAll(async () => {
  [users, city] = await Promise.all([
    startRemoteGraphql(usersSdl, 0, { root }),
    startRemoteGraphql(citiesSdl, 0, { root: cities }),
  ]);
  handler = await startActionHandler((_, response) => {
    response.end(JSON.stringify([{ number: 1 }, { number: 2 }, { number: null }]));
  });
  engine = await startTestServer({
    environment: {
      USERS: `http://127.0.0.1:${users.port}/graphql`,
      CITIES: `http://127.0.0.1:${city.port}/graphql`,
      HANDLER: `http://127.0.0.1:${handler.port}`,
    },
  });
  const sql = `
    create table account (id int primary key, owner int, note text, town text);
    insert into account select n, nullif(n % 4, 0), 'note ' || n, 'city ' || n % 2 from generate_series(1, 8) n;
    create table entry (id int primary key, account_id int, amount numeric(6, 2));
    insert into entry select n, n % 3 + 1, n + 0.50 from generate_series(1, 9) n;
  `;
  await engine.post("/v2/query", { type: "run_sql", args: { sql } });
  for (const table of ["account", "entry"]) await engine.metadata("pg_track_table", { table });
  await engine.metadata("add_remote_schema", { name: "users", definition: { url_from_env: "USERS" } });
  await engine.metadata("add_remote_schema", { name: "cities", definition: { url_from_env: "CITIES" } });
  const ofAccount = (name: string, definition: object) =>
    engine.metadata("pg_create_remote_relationship", { table: "account", name, ...definition });
  await ofAccount("user", toRemote("users", ["owner"], { user: { arguments: { id: "$owner" } } }));
  await ofAccount("being", toRemote("users", ["id"], { being: { arguments: { id: "$id" } } }));
  await ofAccount(
    "owner_posts",
    toRemote("users", ["owner"], { posts: { arguments: { filter: { author: { id: "$owner" } } } } }),
  );
  await ofAccount(
    "boss_name",
    toRemote("users", ["id"], {
      user: { arguments: { id: "$id" }, field: { boss: { arguments: {}, field: { name: { arguments: {} } } } } },
    }),
  );
  await ofAccount(
    "first_user",
    toRemote("users", [], { user: { arguments: { id: 1 }, field: { name: { arguments: {} } } } }),
  );
  await ofAccount("broken", toRemote("users", ["id"], { fails: { arguments: { id: "$id" } } }));
  const ofUser = (type_name: string, name: string, definition: object) =>
    engine.metadata("create_remote_schema_remote_relationship", {
      remote_schema: "users",
      type_name,
      name,
      ...definition,
    });
  await ofUser("User", "account_row", toTable("object", "account", { account: "id" }));
  await ofUser("User", "entries", toTable("array", "entry", { account: "account_id" }));
  await ofUser("User", "home", toRemote("cities", ["city"], { city: { arguments: { name: "$city" } } }));
  await ofUser("Robot", "account_row", toTable("object", "account", { owner: "id" }));
  await engine.metadata("create_remote_schema_remote_relationship", {
    remote_schema: "cities",
    type_name: "City",
    name: "mayor_user",
    ...toRemote("users", ["mayor"], { user: { arguments: { id: "$mayor" } } }),
  });
  await engine.metadata("set_custom_types", {
    objects: [
      {
        name: "Number",
        fields: [{ name: "number", type: "Int" }],
        remote_relationships: [
          { name: "user", ...toRemote("users", ["number"], { user: { arguments: { id: "$number" } } }) },
          { name: "rows", ...toTable("array", "entry", { number: "account_id" }) },
        ],
      },
    ],
  });
  await engine.metadata("create_action", {
    name: "numbers",
    definition: { type: "query", handler: "{{HANDLER}}", output_type: "[Number!]!" },
  });
});

afterAll(async () => {
  await engine?.close();
  await Promise.all([users?.close(), city?.close(), handler?.close()]);
});

beforeEach(() => {
  users.requests.length = 0;
  city.requests.length = 0;
});

const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;

describe("Relationships from tables to remote servers", () => {
  it("A remote relationship requests each key once in one request, and no null keys", async () => {
    const { data, errors } = await ask("{ account(order_by: {id: asc}) { user { name id } id } }");
    expect(errors).toBeUndefined();
    const expected = [1, 2, 3, null, 1, 2, 3, null].map((owner, i) => ({
      user: owner && { name: `user ${owner}`, id: String(owner) },
      id: i + 1,
    }));
    expect(data.account).toEqual(expected);
    expect(users.requests.map(({ query }) => query)).toEqual([
      "query { f0: user(id: 1) { ...s0 } f1: user(id: 2) { ...s0 } f2: user(id: 3) { ...s0 } } fragment s0 on User { name id }",
    ]);
  });

  it("All aliases and relationships of a level share one remote request", async () => {
    const { data } = await ask(`{
      one: account(where: {id: {_eq: 1}}) { a: user { name } b: user { id } boss_name }
      two: account(where: {id: {_eq: 2}}) { boss_name owner_posts(first: 1) { title } }
    }`);
    expect(data).toEqual({
      one: [{ a: { name: "user 1" }, b: { id: "1" }, boss_name: null }],
      two: [{ boss_name: "user 1", owner_posts: [{ title: "post 1" }, { title: "post 2" }] }],
    });
    expect(users.requests).toHaveLength(1);
  });

  it("A remote relationship with constant arguments sends one request", async () => {
    const { data } = await ask("{ account(where: {id: {_lte: 3}}) { first_user } }");
    expect(data).toEqual({ account: Array.from({ length: 3 }, () => ({ first_user: "user 1" })) });
    expect(users.requests).toHaveLength(1);
  });

  it("Arguments not given by the definition remain available to the client", async () => {
    const query = `query ($left: PostFilter_remote_rel_accountowner_posts) {
      account(where: {id: {_eq: 1}}) { owner_posts(filter: $left, first: 3) { title } }
    }`;
    const title = { title: "post 2" };
    expect((await ask(query, { left: { title: "post 2", kind: "LONG", author: { name: "x" } } })).data).toEqual({
      account: [{ owner_posts: [title] }],
    });
    expect(users.requests.at(-1)?.query).toBe(
      'query { f0: posts(filter: {title: "post 2", kind: LONG, author: {name: "x", id: 1}}, first: 3) { title } }',
    );
    const literal = '{ account(where: {id: {_eq: 1}}) { owner_posts(filter: {title: "post 2"}) { title } } }';
    expect((await ask(literal)).data).toEqual({ account: [{ owner_posts: [title] }] });
    const refused = "{ account { owner_posts(filter: {author: {id: 7}}) { title } } }";
    expect((await ask(refused)).errors[0].message).toBe(
      "field 'id' not found in type: 'AuthorFilter_remote_rel_accountowner_posts'",
    );
  });

  it("Errors of a remote server are shown only to admins", async () => {
    const { errors } = await ask("{ account { broken { name } } }");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      message: "Errors from remote server",
      extensions: { code: "unexpected", path: "$" },
    });
    expect(errors[0].extensions.internal.errors[0].message).toBe("the secret of the server");
  });

  it("A remote relationship supports fragments on interfaces, whose types may have relationships", async () => {
    const { data } = await ask(`{
      account(where: {id: {_in: [1, 2]}}, order_by: {id: asc}) {
        being {
          __typename
          ... on User { name account_row { note } }
          ... on Robot { account_row { note town } }
        }
      }
    }`);
    expect(data.account).toEqual([
      { being: { __typename: "User", name: "user 1", account_row: { note: "note 1" } } },
      { being: { __typename: "Robot", account_row: { note: "note 2", town: "city 0" } } },
    ]);
  });

  it("A remote relationship joins the rows of a mutation", async () => {
    const { data } = await ask(`mutation {
      insert_account_one(object: {id: 100, owner: 2}) { user { name } id }
    }`);
    expect(data).toEqual({ insert_account_one: { user: { name: "user 2" }, id: 100 } });
    await ask("mutation { delete_account_by_pk(id: 100) { id } }");
  });
});

describe("Relationships from remote servers", () => {
  it("A remote type joins tables and other servers in turn", async () => {
    const { data, errors } = await ask(`{
      user(id: 2) {
        home { mayor_user { name account_row { note user { id } } } size }
        entries(order_by: {id: asc}, limit: 1) { id amount }
        entries_aggregate { aggregate { count } }
        boss { account_row { note } id }
      }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      user: {
        home: { mayor_user: { name: "user 1", account_row: { note: "note 1", user: { id: "1" } } }, size: 6 },
        entries: [{ id: 1, amount: 1.5 }],
        entries_aggregate: { aggregate: { count: 3 } },
        boss: { account_row: { note: "note 1" }, id: "1" },
      },
    });
  });

  it("A null key of a remote object joins no rows", async () => {
    expect((await ask("{ user(id: 3) { home { name } city } none: user(id: 1000) { home { name } } }")).data).toEqual({
      user: { home: null, city: null },
      none: null,
    });
    expect(city.requests).toEqual([]);
  });

  it("A remote type joins the result of a mutation", async () => {
    const query = 'mutation { rename(id: 1, to: "new") { name account_row { note } } }';
    expect((await ask(query)).data).toEqual({ rename: { name: "new", account_row: { note: "note 1" } } });
  });

  it("An alias that resembles a hidden key field does not collide with it", async () => {
    const query = "{ user(id: 1) { _join_User_account: name home: account_row { id } } }";
    expect((await ask(query)).data).toEqual({ user: { _join_User_account: "user 1", home: { id: 1 } } });
  });
});

describe("Relationships from actions", () => {
  it("An action's result joins tables and remote servers", async () => {
    const { data, errors } = await ask(
      "{ numbers { user { name home { size } } number rows(order_by: {id: asc}) { id } rows_aggregate { aggregate { count } } } }",
    );
    expect(errors).toBeUndefined();
    expect(data.numbers).toEqual([
      {
        user: { name: "user 1", home: { size: 6 } },
        number: 1,
        rows: [{ id: 3 }, { id: 6 }, { id: 9 }],
        rows_aggregate: { aggregate: { count: 3 } },
      },
      {
        user: { name: "user 2", home: { size: 6 } },
        number: 2,
        rows: [{ id: 1 }, { id: 4 }, { id: 7 }],
        rows_aggregate: { aggregate: { count: 3 } },
      },
      { user: null, number: null, rows: null, rows_aggregate: null },
    ]);
    expect(users.requests).toHaveLength(1);
    expect(city.requests).toHaveLength(1);
  });
});
