/** Apollo federation: the SDL for a gateway, and rows by representations. */
import { buildSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create table account (id bigint primary key, name text not null, secret text);
  create table note (account_id bigint not null references account, no integer not null, body text, primary key (no, account_id));
  create table plain (id integer primary key);
  create view keyless as select 1 as id;
  insert into account values (1, 'Ada', 's'), (2, 'Bo', 't'), (9007199254740993, 'Cy', null);
  insert into note values (1, 1, 'first'), (1, 2, 'second'), (2, 1, E'odd \\x1e\\x1f "text"');
`;

const federated = { apollo_federation_config: { enable: "v1" } };
const table = (name: string, more: object = {}) => ({ table: { schema: "public", name }, ...more });

let server: TestServer;
let other: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION: "true" } });
  other = await createDatabase();
  await query(server.databaseUrl, schema);
  await query(
    other.url,
    "create table far (code text primary key, at date); insert into far values ('x', '2020-01-02')",
  );
  const source = (name: string, url: unknown, tables: readonly unknown[]) => ({
    name,
    kind: "postgres",
    tables,
    configuration: { connection_info: { database_url: url } },
  });
  await server.metadata("replace_metadata", {
    version: 3,
    sources: [
      source("default", { from_env: "ENGINE_GRAPHQL_DATABASE_URL" }, [
        table("account", {
          ...federated,
          array_relationships: [
            {
              name: "notes",
              using: { foreign_key_constraint_on: { table: { schema: "public", name: "note" }, column: "account_id" } },
            },
          ],
          select_permissions: [
            { role: "reader", permission: { columns: ["id", "name"], filter: { id: { _eq: "X-Engine-User-Id" } } } },
            { role: "blind", permission: { columns: ["name"], filter: {} } },
          ],
        }),
        table("note", federated),
        table("plain"),
        table("keyless"),
      ]),
      source("other", other.url, [table("far", federated)]),
    ],
  });
});

afterAll(async () => {
  await server?.close();
  await other?.drop();
});

async function ask(document: string, variables: object = {}, headers: Record<string, string> = {}) {
  return (await server.post("/v1/graphql", { query: document, variables }, headers)).json;
}

/** Contains the characters that separate rows in results of several databases. */
const odd = [{ body: 'odd \u001e\u001f "text"' }];

const entities = `query ($r: [_Any!]!) { _entities(representations: $r) {
  __typename ... on account { id name notes(order_by: {no: asc}) { body } } ... on note { body } ... on far { at }
} }`;

it("The SDL for a gateway is hidden from a role without introspection", async () => {
  const reader = { "x-engine-role": "reader", "x-engine-user-id": "1" };
  await server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: ["reader"] });
  try {
    for (const text of ["{ _service { sdl } }", "{ ...F } fragment F on query_root { a: _service { b: sdl } }"]) {
      expect(await server.graphql(text, reader)).toMatchObject({
        errors: [
          { message: 'introspection is disabled for role: "reader"', extensions: { code: "validation-failed" } },
        ],
      });
    }
    expect(await server.graphql("{ _service { __typename } }", reader)).toEqual({
      data: { _service: { __typename: "_Service" } },
    });
    expect(await server.graphql("{ _service { sdl } }")).toHaveProperty("data._service.sdl");
  } finally {
    await server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: [] });
  }
  expect(await server.graphql("{ _service { sdl } }", reader)).toHaveProperty("data._service.sdl");
});

it("Entities join rows of another source regardless of their types and hide join keys", async () => {
  const far = (kind: string) => ({
    table: { schema: "public", name: kind },
    name: "far",
    source: "default",
    definition: {
      to_source: {
        source: "other",
        relationship_type: "object",
        table: { schema: "public", name: "far" },
        field_mapping: { [kind === "account" ? "secret" : "body"]: "code" },
      },
    },
  });
  await query(other.url, "insert into far values ('s', '2020-03-04'), ('first', '2020-05-06')");
  try {
    for (const kind of ["account", "note"]) await server.metadata("pg_create_remote_relationship", far(kind));
    const text = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on account { name far { at } } ... on note { body other: far { at } }
    } }`;
    const account = (id: number) => ({ __typename: "account", id });
    const adaJoined = { name: "Ada", far: { at: "2020-03-04" } };
    expect(await ask(text, { r: [account(2), account(1), account(9)] })).toEqual({
      data: { _entities: [{ name: "Bo", far: null }, adaJoined, null] },
    });
    const both = await ask(text, { r: [account(1), { __typename: "note", no: 1, account_id: 1 }] });
    expect(both).toEqual({ data: { _entities: [adaJoined, { body: "first", other: { at: "2020-05-06" } }] } });
    const note = (no: number) => ({ __typename: "note", no, account_id: 1 });
    const missing = { __typename: "far", code: "none" };
    const some = await ask(`${text.slice(0, -3)} ... on far { code } } }`, {
      r: [note(9), missing, account(2), note(1), { __typename: "far", code: "s" }, account(1)],
    });
    expect(some).toEqual({
      data: {
        _entities: [
          null,
          null,
          { name: "Bo", far: null },
          { body: "first", other: { at: "2020-05-06" } },
          { code: "s" },
          adaJoined,
        ],
      },
    });
  } finally {
    for (const kind of ["account", "note"]) {
      const { table: of, name, source } = far(kind);
      await server.metadata("pg_delete_remote_relationship", { table: of, name, source });
    }
    await query(other.url, "delete from far where code <> 'x'");
  }
});

it("A table without a primary key cannot be an entity", async () => {
  const why = '"keyless" cannot be an entity of Apollo Federation: it has no primary key';
  const set = { type: "pg_set_apollo_federation_config", args: { table: "keyless", ...federated } };
  const { status, json } = await server.post("/v1/metadata", set);
  expect([status, json]).toEqual([400, expect.objectContaining({ code: "invalid-configuration" })]);
  expect(JSON.stringify(json)).toContain(JSON.stringify(why).slice(1, -1));
  await server.metadata("pg_untrack_table", { table: "keyless" });
  const track = { type: "pg_track_table", args: { table: "keyless", ...federated } };
  expect((await server.post("/v1/metadata", track)).status).toBe(400);
  await server.metadata("pg_track_table", { table: "keyless" });
});

describe("The SDL for a gateway", () => {
  it("The SDL contains the keys of entities and no built-in federation types", async () => {
    const { data } = await ask("{ _service { __typename text: sdl } }");
    expect(data._service.__typename).toBe("_Service");
    const sdl: string = data._service.text;
    expect(sdl).toMatch(/^schema \{\n {2}query: query_root\n/);
    expect(sdl).toContain('type account @key(fields: "id") {');
    expect(sdl).toContain('type note @key(fields: "no account_id") {');
    expect(sdl).toContain('type far @key(fields: "code") {');
    expect(sdl).toContain("type plain {");
    expect(sdl).toContain("type keyless {");
    expect(sdl).not.toMatch(/_service|_entities|_Any|_Entity|_Service/);
    const directive = "directive @key(fields: String!) on OBJECT\n";
    expect(buildSchema(directive + sdl).getQueryType()?.name).toBe("query_root");
  });

  it("The SDL contains only the role's schema", async () => {
    const sdlOf = async (role: string): Promise<string> =>
      (await ask("{ _service { sdl } }", {}, { "x-engine-role": role })).data._service.sdl;
    expect(await sdlOf("reader")).toContain('type account @key(fields: "id") {\n  id: bigint!\n  name: String!\n}');
    expect(await sdlOf("reader")).not.toMatch(/secret|note|plain/);
    // An entity whose key is hidden from a role cannot be resolved by that key.
    expect(await sdlOf("blind")).toContain("type account {\n  name: String!\n}");
    expect(await sdlOf("nobody")).toContain("no_queries_available");
  });

  it("Introspection shows the federation types and fields", async () => {
    const { data } = await ask(`{
      entity: __type(name: "_Entity") { kind description possibleTypes { name } }
      any: __type(name: "_Any") { kind description }
      root: __type(name: "query_root") { fields { name description } }
    }`);
    expect(data.entity).toEqual({
      kind: "UNION",
      description: "A union of all types that use the @key directive",
      possibleTypes: [{ name: "account" }, { name: "far" }, { name: "note" }],
    });
    expect(data.any).toEqual({ kind: "SCALAR", description: "Scalar _Any" });
    expect(data.root.fields).toContainEqual({ name: "_entities", description: "query _Entity union" });
  });
});

describe("Entities by representations", () => {
  it("Entities are returned in the requested order, with null for missing rows", async () => {
    const r = [
      { __typename: "note", no: 1, account_id: "2" },
      { __typename: "account", id: 2, name: "whatever" },
      { __typename: "account", id: 77 },
      { __typename: "account", id: "9007199254740993" },
      { __typename: "account", id: 2 },
    ];
    expect(await ask(entities, { r })).toEqual({
      data: {
        _entities: [
          { __typename: "note", body: 'odd \u001e\u001f "text"' },
          { __typename: "account", id: 2, name: "Bo", notes: odd },
          null,
          { __typename: "account", id: expect.anything(), name: "Cy", notes: [] },
          { __typename: "account", id: 2, name: "Bo", notes: odd },
        ],
      },
    });
    expect((await ask(entities, { r: [] })).data).toEqual({ _entities: [] });
  });

  it("Entities may come from several databases", async () => {
    const r = [
      { __typename: "far", code: "x" },
      { __typename: "note", no: 1, account_id: 2 },
      { __typename: "far", code: "y" },
      { __typename: "account", id: 1 },
    ];
    expect(await ask(entities, { r })).toEqual({
      data: {
        _entities: [
          { __typename: "far", at: "2020-01-02" },
          { __typename: "note", body: 'odd \u001e\u001f "text"' },
          null,
          { __typename: "account", id: 1, name: "Ada", notes: [{ body: "first" }, { body: "second" }] },
        ],
      },
    });
  });

  it("Requests for entities share a plan only if their types are equal", async () => {
    const of = async (...r: readonly object[]) => (await ask(entities, { r })).data._entities;
    const bo = { __typename: "account", id: 2, name: "Bo", notes: odd };
    const first = { __typename: "note", body: "first" };
    for (let i = 0; i < 2; i++) {
      expect(await of({ __typename: "account", id: 2 })).toEqual([bo]);
      expect(await of({ __typename: "note", no: 1, account_id: 1 })).toEqual([first]);
      expect(await of({ __typename: "account", id: 2 }, { __typename: "note", no: 1, account_id: 1 })).toEqual([
        bo,
        first,
      ]);
      expect(await of({ __typename: "account", id: 2 }, { __typename: "account", id: 2 })).toEqual([bo, bo]);
    }
  });

  it("Representations may be literals of the document", async () => {
    const document = `query ($a: _Any!) { _entities(representations: [{__typename: "account", id: 1}, $a]) { ... on account { name } } }`;
    const answer = await ask(document, { a: { __typename: "account", id: 2 } });
    expect(answer.data).toEqual({ _entities: [{ name: "Ada" }, { name: "Bo" }] });
  });

  it("Entities are only rows that the role may select", async () => {
    const headers = { "x-engine-role": "reader", "x-engine-user-id": "1" };
    const document = "query ($r: [_Any!]!) { _entities(representations: $r) { ... on account { name } } }";
    const r = [2, 1].map((id) => ({ __typename: "account", id }));
    expect((await ask(document, { r }, headers)).data).toEqual({ _entities: [null, { name: "Ada" }] });
    expect((await ask(document, { r }, { "x-engine-role": "blind" })).errors[0].message).toBe(
      "field '_entities' not found in type: 'query_root'",
    );
  });

  const notFound = (type: string) =>
    `${type} is not found in selection set or apollo federation is not enabled for the type`;
  it.each<[string, unknown, string]>([
    ["without a type", [{ id: 1 }], "__typename key not found"],
    ["whose type is not a string", [{ __typename: 1 }], "__typename can only be a string value"],
    ["that are not objects", ["account"], "representations is expecting a list of objects only"],
    ["that are null", [null], "representations is expecting a list of objects only"],
    ["without their key", [{ __typename: "account" }], "cannot find id in _Any type"],
    ["without a part of their key", [{ __typename: "note", no: 1 }], "cannot find account_id in _Any type"],
    ["of a table that is not an entity", [{ __typename: "plain", id: 1 }], notFound("plain")],
    ["of a view", [{ __typename: "keyless", id: 1 }], notFound("keyless")],
    ["of a member of Object.prototype", [{ __typename: "toString" }], notFound("toString")],
  ])("Representations %s are refused", async (_what, r, message) => {
    const answer = await ask(entities, { r });
    expect(answer.errors).toEqual([
      {
        message,
        extensions: { path: "$.selectionSet._entities.args.representations[0]", code: "validation-failed" },
      },
    ]);
  });

  it("A representation with a key of the wrong type is an error of the request", async () => {
    for (const id of [{}, [], true, "x", 1.5]) {
      const answer = await ask(entities, { r: [{ __typename: "account", id }] });
      expect(["parse-failed", "data-exception"]).toContain(answer.errors[0].extensions.code);
    }
  });
});

it("The schema has no federation fields when federation is disabled", async () => {
  const off = await startTestServer({ on: server });
  try {
    expect(await off.graphql("{ _service { sdl } }")).toMatchObject({
      errors: [{ message: "field '_service' not found in type: 'query_root'" }],
    });
  } finally {
    await off.stop();
  }
});
