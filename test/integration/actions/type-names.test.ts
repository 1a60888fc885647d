/** Custom types cannot take the name of any type that a source has, in either naming convention. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create table author (id int primary key, name text, place point, tags jsonb, big bigint, ok boolean);
  create table genre (value text primary key, comment text);
  insert into genre values ('novel', null);
  create table book_copy (
    id int primary key, author_id int references author, kind text, unique (kind), tags text[], genre text references genre
  );
  create function find_author(pattern text) returns setof author stable language sql as 'select * from author';
  create function author_copies(a author, at_most int) returns setof book_copy stable language sql
    as 'select * from book_copy';
`;

describe.each([
  ["engine-default", {}],
  ["graphql-default", {}],
  ["engine-default", { prefix: "My", suffix: "T" }],
  ["graphql-default", { prefix: "my", suffix: "_t" }],
])("Reserved type names with %s and %j", (naming_convention, type_names) => {
  let server: TestServer;

  beforeAll(async () => {
    const environment = { ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "naming_convention" };
    server = await startTestServer({ sealed: false, environment });
    await query(server.databaseUrl, schema);
    const using = { foreign_key_constraint_on: { table: "book_copy", column: "author_id" } };
    await server.metadata("bulk", [
      {
        type: "pg_update_source",
        args: { name: "default", customization: { naming_convention, type_names } },
      },
      { type: "pg_track_table", args: { table: "author" } },
      { type: "pg_track_table", args: { table: "genre" } },
      { type: "pg_set_table_is_enum", args: { table: "genre", is_enum: true } },
      { type: "pg_track_table", args: { table: "book_copy" } },
      { type: "pg_track_function", args: { function: "find_author" } },
      {
        type: "pg_add_computed_field",
        args: { table: "author", name: "copies", definition: { function: "author_copies", table_argument: "a" } },
      },
      { type: "pg_create_array_relationship", args: { table: "author", name: "books", using } },
      {
        type: "pg_create_object_relationship",
        args: { table: "book_copy", name: "author", using: { foreign_key_constraint_on: "author_id" } },
      },
    ]);
  }, 60_000);

  afterAll(() => server?.close());

  it("Every generated type name is reserved against custom types", async () => {
    const answer = (await server.graphql("{ __schema { types { name kind } } }")) as {
      readonly data: {
        readonly __schema: { readonly types: readonly { readonly name: string; readonly kind: string }[] };
      };
    };
    const names = answer.data.__schema.types.filter(({ kind }) => kind !== "SCALAR").map(({ name }) => name);
    expect(names.filter((name) => /author|book/i.test(name)).length).toBeGreaterThan(50);
    expect(names.filter((name) => /args/i.test(name)).length).toBe(2);
    expect(names.filter((name) => /comparison_?exp/i.test(name)).length).toBeGreaterThan(6);
    const objects = names.map((name) => ({ name, fields: [{ name: "f", type: "Int" }] }));
    const { status, json } = await server.post("/v1/metadata", { type: "set_custom_types", args: { objects } });
    expect(status).toBe(400);
    // These types give way to a custom type of their name.
    const reserved = names.filter((name) => !/(?:top_?per|[a-z]_?change)(?:T|_t)?$/i.test(name));
    expect(reserved.filter((name) => !json.error.includes(`the type "${name}" has the name of a type of`))).toEqual([]);
  });
});
