/** Native queries and logical models on GraphQL, on a real database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const schema = `
  create table author (id int primary key, name text not null);
  create table article (id int primary key, author_id int not null references author, title text not null, words int);
  insert into author values (1, 'Ada'), (2, 'Bob');
  insert into article values (1, 1, 'One', 10), (2, 1, 'Two', null), (3, 2, 'Three', 30);
`;

const model = {
  name: "piece",
  fields: [
    { name: "id", type: { scalar: "integer", nullable: false } },
    { name: "author_id", type: { scalar: "integer", nullable: false } },
    { name: "title", type: { scalar: "text", nullable: true }, description: "What it is called." },
  ],
  select_permissions: [
    {
      role: "writer",
      permission: { columns: ["id", "title"], filter: { author_id: { _eq: "X-Engine-User-Id" } } },
    },
  ],
};

const manual = (mapping: object, more: object) => ({ column_mapping: mapping, insertion_order: null, ...more });

const queries = [
  {
    root_field_name: "pieces_named",
    returns: "piece",
    code: "select id, author_id, title from article where title like {{pattern}} or words > {{ least_words }} -- all;\n ;",
    arguments: {
      pattern: { type: "text", nullable: false, description: "LIKE." },
      least_words: { type: "integer", nullable: true },
    },
  },
  {
    root_field_name: "all_pieces",
    returns: "piece",
    code: "select * from article",
    description: "Everything written.",
    object_relationships: [
      { name: "author", using: manual({ author_id: "id" }, { remote_table: { schema: "public", name: "author" } }) },
    ],
    array_relationships: [
      { name: "others", using: manual({ author_id: "author_id" }, { remote_native_query: "pieces_named" }) },
    ],
  },
];

const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      logical_models: [model],
      native_queries: queries,
      tables: [
        {
          table: "author",
          object_relationships: [
            {
              name: "a_piece",
              using: { manual_configuration: manual({ id: "author_id" }, { remote_native_query: "pieces_named" }) },
            },
          ],
          array_relationships: [
            {
              name: "pieces",
              using: { manual_configuration: manual({ id: "author_id" }, { remote_native_query: "pieces_named" }) },
            },
          ],
          select_permissions: [{ role: "reader", permission: { columns: "*", filter: {} } }],
        },
      ],
    },
  ],
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  await server.metadata("replace_metadata", { metadata });
});

afterAll(() => server.close());

const as = (role: string) => ({ "x-engine-role": role, "x-engine-user-id": "1" });

async function ask(text: string, role = "admin", variables?: unknown): Promise<unknown> {
  const answer = (await server.graphql(text, as(role), variables)) as { readonly data?: unknown };
  expect(answer).toEqual({ data: expect.anything() });
  return answer.data;
}

describe("Native queries in requests", () => {
  it("A native query accepts arguments, filters, orderings and limits", async () => {
    const text = `query ($p: String!, $least: Int) {
      pieces_named(
        args: {pattern: $p, least_words: $least}, where: {id: {_gt: 0}, _or: [{title: {_is_null: false}}]}
        order_by: {id: desc}, limit: 2, offset: 0
      ) { __typename id title }
      none: pieces_named(args: {pattern: ""}) { id }
      one: pieces_named(args: {pattern: "%", least_words: null}, distinct_on: [author_id], order_by: [{author_id: asc}, {id: desc}]) { id }
    }`;
    expect(await ask(text, "admin", { p: "O%", least: 20 })).toEqual({
      pieces_named: [
        { __typename: "piece", id: 3, title: "Three" },
        { __typename: "piece", id: 1, title: "One" },
      ],
      none: [],
      one: [{ id: 2 }, { id: 3 }],
    });
  });

  it("Arguments of a native query never become SQL text", async () => {
    const attack = "x' or true; drop table article; --";
    expect(
      await ask("query ($p: String!) { pieces_named(args: {pattern: $p}) { id } }", "admin", { p: attack }),
    ).toEqual({
      pieces_named: [],
    });
    expect(await ask("{ all_pieces { id } }")).toMatchObject({ all_pieces: { length: 3 } });
  });

  it("A native query has relationships to tables and native queries", async () => {
    const text = `{
      all_pieces(order_by: {id: asc}, limit: 1) {
        __typename author { name } others(args: {pattern: "T%"}) { title }
      }
    }`;
    expect(await ask(text)).toEqual({
      all_pieces: [{ __typename: "all_pieces", author: { name: "Ada" }, others: [{ title: "Two" }] }],
    });
  });

  it("A table has relationships to native queries", async () => {
    const text = `{
      author(order_by: {id: asc}) {
        pieces(args: {pattern: "%"}, order_by: {id: desc}, limit: 1) { id }
        a_piece(args: {pattern: "Three"}) { title }
      }
    }`;
    expect(await ask(text)).toEqual({
      author: [
        { pieces: [{ id: 2 }], a_piece: null },
        { pieces: [{ id: 3 }], a_piece: { title: "Three" } },
      ],
    });
  });

  it("A native query shows the rows that its model's permission allows", async () => {
    expect(await ask('{ all_pieces { id others(args: {pattern: "%"}) { id } } }', "writer")).toMatchObject({
      all_pieces: [{ id: 1 }, { id: 2 }],
    });
    const hidden = await server.graphql("{ all_pieces { author_id } }", as("writer"));
    expect(hidden).toMatchObject({ errors: [{ message: "field 'author_id' not found in type: 'all_pieces'" }] });
    const related = await server.graphql("{ all_pieces { author { name } } }", as("writer"));
    expect(related).toMatchObject({ errors: [{ message: "field 'author' not found in type: 'all_pieces'" }] });
    const none = await server.graphql("{ author { pieces { id } } }", as("reader"));
    expect(none).toMatchObject({ errors: [{ message: "field 'pieces' not found in type: 'author'" }] });
    expect(await server.graphql("{ all_pieces { id } }", as("reader"))).toHaveProperty("errors");
  });

  it("A native query refuses unsuitable arguments", async () => {
    const path = "$.selectionSet.pieces_named.args.args";
    const errors = async (text: string) => ((await server.graphql(text)) as { errors: unknown }).errors;
    expect(await errors("{ pieces_named { id } }")).toMatchObject([
      { message: "missing required field 'args'", extensions: { path } },
    ]);
    expect(await errors("{ pieces_named(args: {least_words: 1}) { id } }")).toMatchObject([
      { message: "missing required field 'pattern'", extensions: { path: `${path}.pattern` } },
    ]);
    expect(await errors("{ pieces_named(args: {pattern: null}) { id } }")).toMatchObject([
      { message: "unexpected null value for type 'String'", extensions: { path: `${path}.pattern` } },
    ]);
  });

  it.each(["piece_bool_exp_bool_exp", "piece_bool_exp"])(
    "A native query accepts a filter declared as %s",
    async (type) => {
      const text = `query ($where: ${type}) { pieces_named(args: {pattern: "%"}, where: $where) { id } }`;
      expect(await ask(text, "admin", { where: { id: { _eq: -1 } } })).toEqual({ pieces_named: [] });
    },
  );

  it("Native queries are described in introspection", async () => {
    const text = `{
      __type(name: "query_root") { fields { name description args { name description type { kind ofType { name } } } } }
      arguments: __type(name: "pieces_named_arguments") { inputFields { name description type { kind } } }
      columns: __type(name: "piece_enum_name") { enumValues { name } }
      order: __type(name: "piece_order_by") { inputFields { name } }
      author: __type(name: "author_bool_exp") { inputFields { name } }
    }`;
    const { __type, ...others } = (await ask(text)) as { __type: { fields: { name: string }[] } };
    expect(__type.fields.find(({ name }) => name === "all_pieces")).toMatchObject({
      description: "Everything written.",
    });
    expect(__type.fields.find(({ name }) => name === "pieces_named")).toMatchObject({
      args: [
        {
          name: "args",
          description: "Native Query argument pieces_named",
          type: { kind: "NON_NULL", ofType: { name: "pieces_named_arguments" } },
        },
        { name: "distinct_on" },
        { name: "limit" },
        { name: "offset" },
        { name: "order_by" },
        { name: "top_per" },
        { name: "where" },
      ],
    });
    expect(others).toEqual({
      arguments: {
        inputFields: [
          { name: "least_words", description: null, type: { kind: "SCALAR" } },
          { name: "pattern", description: "LIKE.", type: { kind: "NON_NULL" } },
        ],
      },
      columns: { enumValues: [{ name: "id" }, { name: "author_id" }, { name: "title" }] },
      order: { inputFields: [{ name: "author_id" }, { name: "id" }, { name: "title" }] },
      author: { inputFields: ["_and", "_not", "_or", "id", "name"].map((name) => ({ name })) },
    });
  });

  it("A native query can be subscribed to", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
    client.send({ type: "connection_init", payload: {} });
    await client.take(3);
    const query = `subscription { pieces_named(args: {pattern: "One"}) { id } }`;
    client.send({ type: "start", id: "1", payload: { query } });
    expect(await client.next()).toMatchObject({ type: "data", payload: { data: { pieces_named: [{ id: 1 }] } } });
    client.close();
  });
});
