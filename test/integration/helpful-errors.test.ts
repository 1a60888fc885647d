/** Error messages beyond the specification: the position in the text, and the likely intended name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

const secret = { "x-engine-admin-secret": "shibboleth" };
const asUser = { ...secret, "x-engine-role": "reader" };
const asBlind = { ...secret, "x-engine-role": "blind" };
const modern = { accept: "application/graphql-response+json, application/json;q=0.9" };

let development: TestServer;
let production: TestServer;

beforeAll(async () => {
  const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "shibboleth" };
  production = await startTestServer({ sealed: false, environment });
  const admin = (type: string, args: unknown) => production.post("/v1/metadata", { type, args }, secret);
  const sql = "create table book (id int primary key, title text, tilte_hidden text)";
  await production.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  await admin("pg_track_table", { table: "book" });
  for (const role of ["reader", "blind"]) {
    const permission = { columns: ["id", "title"], filter: {} };
    await admin("pg_create_select_permission", { table: "book", role, permission });
  }
  await admin("set_graphql_schema_introspection_options", { disabled_for_roles: ["blind"] });
  development = await startTestServer({
    sealed: false,
    on: production,
    environment: { ...environment, ENGINE_GRAPHQL_DEV_MODE: "true" },
  });
}, 60_000);

afterAll(async () => {
  await development.stop();
  await production.close();
});

async function errorOf(on: TestServer, query: string, headers: Record<string, string>) {
  const { json } = await on.post("/v1/graphql", { query }, headers);
  return json.errors[0];
}

describe("Locations of errors", () => {
  it.each([
    ["{ book { id }", { line: 1, column: 14 }],
    ["query A {\n  book {\n    titel\n  }\n}", { line: 3, column: 5 }],
    ["{ book { ...f } }\nfragment f on book { id titel }", { line: 2, column: 25 }],
    ["{ b: book { id titel } }", { line: 1, column: 16 }],
    ["{ book(limt: 1) { id } }", { line: 1, column: 8 }],
    ["{ book(where: {_and: [{id: {}}, {titel: {}}]}) { id } }", { line: 1, column: 34 }],
    ["{ book(limit: true) { id } }", { line: 1, column: 8 }],
    ["{ book }", { line: 1, column: 3 }],
  ])("The error location of %j is returned to clients that accept the modern media type", async (query, location) => {
    expect((await errorOf(production, query, { ...asUser, ...modern })).locations).toEqual([location]);
    expect(await errorOf(production, query, asUser)).not.toHaveProperty("locations");
  });

  it("Each request of a batch has its own error locations", async () => {
    const body = [{ query: "{ book { id } }" }, { query: "{\nboook { id } }" }];
    const { json } = await production.post("/v1/graphql", body, { ...asUser, ...modern });
    expect(json[1].errors[0].locations).toEqual([{ line: 2, column: 1 }]);
  });

  it("An error without a location in the document has no locations", async () => {
    const query = "query ($id: Int!) { book(where: {id: {_eq: $id}}) { id } }";
    expect(await errorOf(production, query, { ...asUser, ...modern })).not.toHaveProperty("locations");
  });
});

describe("Schema coordinates of errors", () => {
  it.each([
    ["{ boook { id } }", "query_root.boook"],
    ["{ b: book { id titel } }", "book.titel"],
    ["{ book { ...f } } fragment f on book { titel }", "book.titel"],
    ["{ book(limt: 1) { id } }", "query_root.book(limt:)"],
    ["{ book(where: {titel: {}}) { id } }", "book_bool_exp.titel"],
  ])(
    "The schema coordinate in %j is returned to clients that accept the modern media type",
    async (query, coordinate) => {
      const { extensions, message } = await errorOf(production, query, { ...asUser, ...modern });
      expect(extensions).toEqual({ path: extensions.path, code: "validation-failed", coordinate });
      const usual = await errorOf(production, query, asUser);
      expect(usual).toEqual({ message, extensions: { path: extensions.path, code: "validation-failed" } });
    },
  );

  it("Other errors have no schema coordinate", async () => {
    const { extensions } = await errorOf(production, "{ book(limit: true) { id } }", { ...asUser, ...modern });
    expect(extensions).not.toHaveProperty("coordinate");
  });
});

describe("Hints of errors", () => {
  it.each([
    ["{ boook { id } }", 'did you mean "book"?'],
    ["{ book { tilte } }", 'did you mean "title"?'],
    ["{ book(limt: 1) { id } }", 'did you mean "limit"?'],
    ["{ book(where: {titel: {}}) { id } }", 'did you mean "title"?'],
    ["query ($most: Int) { book(limit: $mots) { id } }", 'did you mean "most"?'],
    ["{ book { ...Parst } } fragment Parts on book { id }", 'did you mean "Parts"?'],
    ["{ book { id @inclde(if: true) } }", 'did you mean "include"?'],
    ["query ($id: Int) { book(where: {id: {_eq: $id}}) { id } }", "the variable 'id' is null or missing"],
    ["query ($ids: [Int!]) { book(where: {id: {_in: $ids}}) { id } }", "the variable 'ids' is null or missing"],
  ])("The hint for %j names the nearest name in development mode", async (query, hint) => {
    const { message, extensions } = await errorOf(development, query, asUser);
    expect(extensions).toMatchObject({ code: "validation-failed", hint });
    expect(await errorOf(production, query, asUser)).toMatchObject({ message, extensions: { path: extensions.path } });
    expect((await errorOf(production, query, asUser)).extensions).not.toHaveProperty("hint");
  });

  it("Hints name keys of the body and operations of the document", async () => {
    const { json } = await development.post("/v1/graphql", { qurey: "{ book { id } }" }, asUser);
    expect(json.errors[0].extensions.hint).toBe('did you mean "query" instead of "qurey"?');
    const named = { query: "query Books { book { id } }", operationName: "Boks" };
    const unnamed = await development.post("/v1/graphql", named, asUser);
    expect(unnamed.json.errors[0].extensions.hint).toBe('did you mean "Books"?');
  });

  it("Hints name only fields that the role has", async () => {
    const query = "{ book { tilte_hiden } }";
    expect((await errorOf(development, query, secret)).extensions.hint).toBe('did you mean "tilte_hidden"?');
    const { extensions } = await errorOf(development, query, asUser);
    expect(extensions.hint ?? "").not.toContain("hidden");
  });

  it("Hints are omitted for roles without introspection", async () => {
    const { extensions } = await errorOf(development, "{ book { tilte } }", asBlind);
    expect(extensions).not.toHaveProperty("hint");
  });

  it("Admins with the modern media type receive hints in production", async () => {
    const query = "{ book { tilte } }";
    expect((await errorOf(production, query, { ...secret, ...modern })).extensions.hint).toBe('did you mean "title"?');
    expect((await errorOf(production, query, { ...asUser, ...modern })).extensions).not.toHaveProperty("hint");
    expect((await errorOf(production, query, secret)).extensions).not.toHaveProperty("hint");
  });

  it("Hints name metadata operations and the objects that they refer to", async () => {
    const ask = (on: TestServer, type: string, args: unknown) => on.post("/v1/metadata", { type, args }, secret);
    const unknown = await ask(development, "pg_track_tabel", { table: "book" });
    expect(unknown.json.hint).toBe('did you mean "pg_track_table"?');
    const untracked = await ask(development, "pg_untrack_table", { table: "boook" });
    expect(untracked.json.hint).toContain("book");
    const definition = {
      to_source: { source: "defalt", table: "book", relationship_type: "object", field_mapping: {} },
    };
    const nowhere = { table: "book", name: "r", definition };
    const related = await ask(development, "pg_create_remote_relationship", nowhere);
    expect(related.json).toMatchObject({ code: "invalid-configuration", hint: 'did you mean "default"?' });
    expect((await ask(production, "pg_create_remote_relationship", nowhere)).json).not.toHaveProperty("hint");
    expect((await ask(production, "pg_track_tabel", {})).json).not.toHaveProperty("hint");
    const misnamed = { type: "pg_track_tabel", args: {} };
    const wanted = await production.post("/v1/metadata", misnamed, { ...secret, ...modern });
    expect(wanted.json.hint).toBe('did you mean "pg_track_table"?');
    expect((await production.post("/v1/metadata", misnamed, { ...asUser, ...modern })).json).not.toHaveProperty("hint");
    const misspelt = await development.post("/v1/metadata", { tpye: "pg_track_table", args: {} }, secret);
    expect(misspelt.json.hint).toBe('did you mean "type" instead of "tpye"?');
    const otherSchema = await ask(development, "pg_track_table", { table: { schema: "pubic", name: "book" } });
    expect(otherSchema.json.hint).toBe('did you mean "public.book"?');
    const unset = { name: "away", definition: { url_from_env: "ENGINE_GRAPHQL_DATABSE_URL" } };
    const variable = 'did you mean "ENGINE_GRAPHQL_DATABASE_URL"?';
    expect((await ask(development, "add_remote_schema", unset)).json.hint).toBe(variable);
    expect((await ask(production, "add_remote_schema", unset)).json).not.toHaveProperty("hint");
    const objects = [{ name: "Pet", fields: [{ name: "id", type: "Strin" }] }];
    const types = await ask(development, "set_custom_types", { objects });
    expect(types.json.hint).toBe('did you mean "String"?');
    expect((await ask(production, "set_custom_types", { objects })).json).not.toHaveProperty("hint");
    const anybody = await development.post(
      "/v1/metadata",
      { type: "pg_untrack_table", args: { table: "boook" } },
      asUser,
    );
    expect(anybody.json).not.toHaveProperty("hint");
  });
});
