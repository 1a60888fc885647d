/** Saved operations with remote fields, served from precompiled plans by a live server and an artifact. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replaceConsistently } from "../../support/consistent-metadata.ts";
import { expectServedAhead, planSources } from "../../support/plan-sources.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  enum Kind { LONG SHORT }
  input Filter { kind: Kind = LONG title: String owner: ID }
  type User { id: ID! name(upper: Boolean): String town: String posts(first: Int, filter: Filter): [Post!]! }
  type Post { title: String! by: ID! }
  type Town { name: String! size: Int! }
  type Query { user(id: ID!, zone: String): User users(ids: [ID!]!): [User!]! town(name: String!): Town }
  type Mutation { rename(id: ID!, to: String!): User }
`;
const clerkSdl = sdl
  .replace("owner: ID", 'owner: ID @preset(value: "x-engine-user-id")')
  .replace("zone: String", 'zone: String @preset(value: "north")');

const user = (id: string) => ({
  id,
  name: ({ upper }: { upper?: boolean }) => (upper ? `USER ${id}` : `user ${id}`),
  town: `town ${Number(id) % 2}`,
  posts: ({ first = 2, filter }: { first?: number; filter?: { title?: string; owner?: string } }) =>
    [1, 2, 3].slice(0, first).map((n) => ({ title: filter?.title ?? `post ${n}`, by: filter?.owner ?? id })),
});
const root = {
  user: ({ id }: { id: string }) => (Number(id) < 100 ? user(id) : null),
  users: ({ ids }: { ids: string[] }) => ids.map(user).reverse(),
  town: ({ name }: { name: string }) => ({ name, size: name.length }),
  rename: ({ id, to }: { id: string; to: string }) => ({ ...user(id), name: to }),
};

const toRemote = (lhs_fields: readonly string[], remote_field: object, more: object = {}) => ({
  to_remote_schema: { remote_schema: "people", lhs_fields, remote_field, ...more },
});
const toAccount = {
  to_source: { source: "default", table: "account", relationship_type: "object", field_mapping: { id: "id" } },
};

/** Operations with values for their variables. */
const operations: Readonly<Record<string, readonly [query: string, ...variables: object[]]>> = {
  rows: [
    `query Rows($first: Int = 1, $filter: Filter, $with: Boolean!) {
      account(order_by: {id: asc}) {
        id user { name(upper: true) @include(if: $with) posts(first: $first, filter: $filter) { title by } }
      }
    }`,
    { with: true },
    { with: false, first: 2, filter: { title: 'a "b"', kind: "SHORT" } },
    { with: true, first: null, filter: null },
    // Refused with the same message.
    { with: true, first: "x" },
    { with: true, filter: { kind: "NONE" } },
  ],
  there: ["query There { account(limit: 2) { user { home { name size } account { id user { name } } } } }", {}],
  batch: ["query Batch { account(order_by: {id: desc}) { many { id account { note } } } }", {}],
  root: [
    "query Root($id: ID!) { user(id: $id) { __typename name account { note user { id } } } }",
    { id: "1" },
    { id: 2 },
    { id: "1000" },
    { id: true },
  ],
  // Options that omit null values also apply.
  nulls: [
    "query Nulls($first: Int) { user(id: 1) { name(upper: null) posts(first: $first, filter: null) { title } } }",
    { first: 1 },
    { first: null },
  ],
  change: [
    `mutation Change($to: String!) {
      update_account(where: {id: {_eq: 1}}, _set: {note: $to}) { returning { note user { id home { size } } } }
      rename(id: 1, to: $to) { name account { note } }
    }`,
    { to: "new" },
  ],
};

const select = { role: "clerk", permission: { columns: ["id", "note"], filter: {} } };
const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [
        {
          table: "account",
          remote_relationships: [
            { name: "user", definition: toRemote(["owner"], { user: { arguments: { id: "$owner" } } }) },
            {
              name: "many",
              definition: toRemote(
                ["owner"],
                { users: { arguments: { ids: ["$owner"] } } },
                { batch: { match: { owner: "id" } } },
              ),
            },
          ],
          select_permissions: [select],
          update_permissions: [{ role: "clerk", permission: { columns: ["note"], filter: {} } }],
        },
      ],
    },
  ],
  remote_schemas: [
    {
      name: "people",
      definition: { url: "{{PEOPLE}}" },
      permissions: [{ role: "clerk", definition: { schema: clerkSdl } }],
      remote_relationships: [
        {
          type_name: "User",
          relationships: [
            { name: "account", definition: toAccount },
            { name: "home", definition: toRemote(["town"], { town: { arguments: { name: "$town" } } }) },
          ],
        },
      ],
    },
  ],
  query_collections: [
    { name: "desk", definition: { queries: Object.entries(operations).map(([name, [query]]) => ({ name, query })) } },
  ],
  rest_endpoints: [
    {
      name: "root",
      url: "users/:id",
      methods: ["GET"],
      definition: { query: { collection_name: "desk", query_name: "root" } },
    },
  ],
};

let people: RemoteGraphql;

beforeAll(async () => {
  people = await startRemoteGraphql(sdl, 0, { root });
});

afterAll(() => people?.close());

describe.each([
  ["the live server", false],
  ["an artifact", true],
])("Saved operations with joins on %s", (_, sealed) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      sealed,
      environment: {
        PEOPLE: `http://127.0.0.1:${people.port}/graphql`,
        ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
        ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS: "true",
      },
    });
    const sql = `create table account (id int primary key, owner int, note text);
      insert into account select n, nullif(n, 3), 'note ' || n from generate_series(1, 4) n`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await replaceConsistently(server, metadata);
  }, 180_000);

  afterAll(() => server?.close());

  const clerk = { "x-engine-role": "clerk", "x-engine-user-id": "7" };

  /** Returns the response, and the requests that the remote server received for it. */
  async function send(query: string, variables: object, headers: Record<string, string>) {
    people.requests.length = 0;
    const { json } = await server.post("/v1/graphql", { query, variables }, headers);
    if (sealed) expect(server.sealing?.live).toEqual({});
    // Steps of one level run concurrently.
    return { json, requests: people.requests.toSorted((a, b) => (a.query < b.query ? -1 : 1)) };
  }

  it.each(Object.entries(operations))(
    "The saved operation %s with joins runs from its plan with the same result as a request-time plan",
    async (_name, [query, ...values]) => {
      for (const headers of [{ "x-engine-role": "admin" }, clerk]) {
        for (const variables of values) {
          await expectServedAhead(server, query, (text) => send(text, variables, headers));
        }
      }
    },
  );

  it("A REST endpoint with joins runs from the saved plan", async () => {
    const before = await planSources(server);
    const response = await fetch(`${server.url}/api/rest/users/2`, { headers: clerk });
    expect(await response.json()).toEqual({
      data: { user: { __typename: "User", name: "user 2", account: { note: "note 2", user: { id: "2" } } } },
    });
    expect(await planSources(server)).toEqual({ ...before, saved: before.saved + 1 });
  });

  it("Presets and variables have their places in a saved plan with joins", async () => {
    const [query] = operations.rows ?? [""];
    const before = await planSources(server);
    const { json, requests } = await send(query, { with: true, filter: { title: "t" } }, clerk);
    expect(json.data.account).toEqual([
      { id: 1, user: { name: "USER 1", posts: [{ title: "t", by: "7" }] } },
      { id: 2, user: { name: "USER 2", posts: [{ title: "t", by: "7" }] } },
      { id: 3, user: null },
      { id: 4, user: { name: "USER 4", posts: [{ title: "t", by: "7" }] } },
    ]);
    expect(await planSources(server)).toEqual({ ...before, saved: before.saved + 1 });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.query).toContain('user(id: 1, zone: "north")');
    expect(requests[0]?.variables).toEqual({ filter: { title: "t", owner: "7" } });
  });
});
