/** Metadata operations that query a database, and the metadata of deliveries, on a real server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let users: RemoteGraphql;

async function refused(type: string, args: unknown, endpoint = "/v1/metadata") {
  const { status, json } = await server.post(endpoint, { type, args });
  return { status, ...json };
}

const tables = `
  create table author (id serial primary key, name text not null default 'x', age integer,
    initial text generated always as (left(name, 1)) stored);
  comment on column author.age is 'in years';
  create schema shop;
  create table shop.sale (id integer generated always as identity primary key, author_id integer references author);
  create view names as select id, name from author;
  create materialized view ages as select age from author;
  create table room (id integer primary key, beds integer unique check (beds > 0));
  comment on table room is 'of the hotel';
  create index "it's ""large""" on room ((beds * 2)) where beds > 4;
  create function older(years integer default 30) returns setof author stable language sql
    as $$ select * from author where age > years $$;
  comment on function older is 'than some years';
  create function twice(number integer) returns integer language sql immutable as $$ select number * 2 $$;
  create function twice(of_author author) returns integer language sql stable as $$ select of_author.age * 2 $$;
  create table measure (at date) partition by range (at);
  create table measure_2020 partition of measure for values from ('2020-01-01') to ('2021-01-01');
`;

beforeAll(async () => {
  users = await startRemoteGraphql("type Query { user(id: Int): User } type User { name: String }");
  const environment = { HANDLER: "http://handler", USERS: `http://127.0.0.1:${users.port}/graphql` };
  server = await startTestServer({ environment });
  await server.post("/v2/query", { type: "run_sql", args: { sql: tables } });
  await server.metadata("pg_track_table", { table: "author" });
});
afterAll(async () => {
  await server?.close();
  await users?.close();
});

describe("Introspection operations on metadata", () => {
  it("pg_get_source_tables lists tracked and untracked tables", async () => {
    expect(await server.metadata("pg_get_source_tables", { source: "default" })).toEqual([
      { schema: "public", name: "author" },
      { schema: "public", name: "measure" },
      { schema: "public", name: "names" },
      { schema: "public", name: "room" },
      { schema: "shop", name: "sale" },
    ]);
    await server.post("/v2/query", { type: "run_sql", args: { sql: "create table new (id integer)" } });
    expect(await server.metadata("pg_get_source_tables", { source: "default" })).toContainEqual({
      schema: "public",
      name: "new",
    });
    expect(await refused("pg_get_source_tables", { source: "none" })).toMatchObject({
      status: 400,
      code: "not-exists",
      path: "$.args",
    });
  });

  it("pg_get_table_info describes one table", async () => {
    expect(await server.metadata("pg_get_table_info", { source: "default", table: "author" })).toEqual({
      name: { schema: "public", name: "author" },
      type: "table",
      columns: [
        {
          name: "id",
          type: "integer",
          nullable: false,
          insertable: true,
          updatable: true,
          value_generated: { type: "default_value" },
        },
        {
          name: "name",
          type: "text",
          nullable: false,
          insertable: true,
          updatable: true,
          value_generated: { type: "default_value" },
        },
        {
          name: "age",
          type: "integer",
          nullable: true,
          insertable: true,
          updatable: true,
          description: "in years",
        },
        {
          name: "initial",
          type: "text",
          nullable: true,
          insertable: false,
          updatable: false,
          value_generated: { type: "default_value" },
        },
      ],
      primary_key: ["id"],
      insertable: true,
      updatable: true,
      deletable: true,
    });
    const sale = { source: "default", table: { schema: "shop", name: "sale" } };
    expect(await server.metadata("pg_get_table_info", sale)).toMatchObject({
      columns: [{ name: "id", insertable: false, value_generated: { type: "auto_increment" } }, { name: "author_id" }],
      foreign_keys: {
        sale_author_id_fkey: {
          foreign_table: { schema: "public", name: "author" },
          column_mapping: { author_id: "id" },
        },
      },
    });
    expect(await server.metadata("pg_get_table_info", { source: "default", table: "names" })).toMatchObject({
      type: "view",
      insertable: true,
    });
    expect(await server.metadata("pg_get_table_info", { source: "default", table: "none" })).toBeNull();
  });

  it("pg_describe_table shows indexes, constraints and queries of views", async () => {
    const describe = (table: string) => server.metadata("pg_describe_table", { source: "default", table });
    expect(await describe("room")).toEqual({
      name: { schema: "public", name: "room" },
      type: "table",
      kind: "table",
      comment: "of the hotel",
      columns: [
        expect.objectContaining({ name: "id" }),
        expect.objectContaining({
          name: "beds",
          value: "number",
          operators: expect.arrayContaining([
            { name: "_eq", operand: "number" },
            { name: "_in", operand: "number", list: true },
            { name: "_is_null", operand: "boolean" },
            { name: "_ceq", operand: "column" },
          ]),
        }),
      ],
      primary_key: ["id"],
      unique_keys: { room_beds_key: ["beds"] },
      indexes: [
        {
          name: "room_beds_key",
          unique: true,
          primary: false,
          definition: "CREATE UNIQUE INDEX room_beds_key ON public.room USING btree (beds)",
        },
        {
          name: "room_pkey",
          unique: true,
          primary: true,
          definition: "CREATE UNIQUE INDEX room_pkey ON public.room USING btree (id)",
        },
        {
          name: `it's "large"`,
          unique: false,
          primary: false,
          definition: `CREATE INDEX "it's ""large""" ON public.room USING btree (((beds * 2))) WHERE (beds > 4)`,
        },
      ].sort((a, b) => (a.name < b.name ? -1 : 1)),
      constraints: [{ name: "room_beds_check", type: "check", definition: "CHECK (beds > 0)" }],
      view_definition: null,
      estimated_rows: null,
      insertable: true,
      updatable: true,
      deletable: true,
    });
    expect(await describe("names")).toMatchObject({
      kind: "view",
      indexes: [],
      constraints: [],
      estimated_rows: null,
      view_definition: expect.stringContaining("FROM author"),
    });
    expect(await describe("none")).toBeNull();
  });

  it("pg_describe_table shows values of enum columns, and the number of rows by the statistics", async () => {
    const sql = `
      create type "Size" as enum ('small', 'big "one"', 'it''s');
      create domain sold_size as "Size";
      create table crate (id int primary key, size "Size", sold sold_size, __proto__ "Size", sizes "Size"[]);
      insert into crate select id from generate_series(1, 300) id;
      analyze crate;`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    const described = await server.metadata("pg_describe_table", { source: "default", table: "crate" });
    const values = ["small", 'big "one"', "it's"];
    expect(described).toMatchObject({
      estimated_rows: 300,
      columns: [
        expect.not.objectContaining({ enum_values: expect.anything() }),
        { name: "size", enum_values: values },
        { name: "sold", enum_values: values },
        { name: "__proto__", enum_values: values },
        expect.not.objectContaining({ enum_values: expect.anything() }),
      ],
    });
    await server.post("/v2/query", { type: "run_sql", args: { sql: "drop table crate" } });
  });

  it("pg_describe_tables shows columns and keys of all tables except partitions", async () => {
    const sql = `
      create table shop.shelf (id int, code text unique, primary key (id, code));
      create table shop.item (id int primary key, shelf int, code text,
        constraint item_on_shelf foreign key (shelf, code) references shop.shelf);`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    const outlines = (await server.metadata("pg_describe_tables", { source: "default" })) as Described["tables"];
    expect(outlines.find(({ name }) => name === "shelf")).toMatchObject({
      schema: "shop",
      kind: "table",
      primary_key: ["id", "code"],
      unique_keys: [["code"]],
      foreign_keys: [],
    });
    expect(outlines.find(({ name }) => name === "item")).toMatchObject({
      columns: [
        { name: "id", type: "integer", nullable: false },
        { name: "shelf", type: "integer", nullable: true },
        { name: "code", type: "text", nullable: true },
      ],
      foreign_keys: [
        {
          name: "item_on_shelf",
          foreign_table: { schema: "shop", name: "shelf" },
          column_mapping: { shelf: "id", code: "code" },
        },
      ],
    });
    expect(outlines.map(({ name }) => name)).toEqual(expect.arrayContaining(["measure", "names", "ages"]));
    expect(outlines.map(({ name }) => name)).not.toContain("measure_2020");
    await server.post("/v2/query", { type: "run_sql", args: { sql: "drop table shop.item, shop.shelf" } });
  });

  it("pg_describe_source shows kinds of tables, functions and why some cannot be tracked", async () => {
    const { tables, functions } = (await server.metadata("pg_describe_source", { source: "default" })) as Described;
    expect(tables).toEqual(
      expect.arrayContaining([
        { schema: "public", name: "ages", kind: "materialized_view" },
        { schema: "public", name: "measure", kind: "partitioned_table" },
        { schema: "public", name: "names", kind: "view" },
        { schema: "shop", name: "sale", kind: "table" },
      ]),
    );
    expect(tables.map(({ name }) => name)).not.toContain("measure_2020");
    expect(functions).toEqual([
      {
        schema: "public",
        name: "older",
        volatility: "stable",
        comment: "than some years",
        arguments: [{ name: "years", type: "integer", has_default: true, table: null }],
        returns: { type: expect.any(String), set: true, table: { schema: "public", name: "author" } },
        problems: [],
      },
      expect.objectContaining({
        name: "twice",
        problems: [
          "overloaded functions are not supported",
          'the function does not return a "COMPOSITE" type',
          "the function does not return a table",
        ],
      }),
      expect.objectContaining({
        name: "twice",
        arguments: [{ name: "of_author", type: expect.any(String), has_default: false, table: expect.anything() }],
      }),
    ]);
    for (const type of ["pg_describe_source", "pg_describe_table", "pg_describe_tables"]) {
      const args = { source: "none", table: "author" };
      expect(await refused(type, args)).toMatchObject({ status: 400, code: "not-exists", path: "$.args" });
    }
  });
});

interface Described {
  readonly tables: readonly { readonly name: string }[];
  readonly functions: readonly unknown[];
}

describe("Native query operations", () => {
  const query = (changes: object) => ({
    source: "default",
    root_field_name: "people",
    code: "select id, name, array[age] as ages from author where age > {{age}};",
    arguments: { age: { type: "integer" } },
    returns: {
      fields: [
        { name: "id", type: { scalar: "int" } },
        { name: "name", type: { scalar: "text" } },
        { name: "ages", type: { array: { scalar: "integer" } } },
      ],
    },
    ...changes,
  });
  const fields = (...list: readonly (readonly [string, string])[]) => ({
    fields: list.map(([name, scalar]) => ({ name, type: { scalar } })),
  });

  it("A native query is tracked if the database accepts it", async () => {
    expect(await server.metadata("pg_track_native_query", query({}))).toEqual({ message: "success" });
    expect(await server.metadata("pg_get_native_query", { source: "default" })).toMatchObject([
      { root_field_name: "people" },
    ]);
    await server.metadata("pg_untrack_native_query", { source: "default", root_field_name: "people" });
  });

  it.each<[object, string, string?]>([
    [
      { code: "select id from nowhere where 1 > {{age}}" },
      "Failed to validate query",
      'relation "nowhere" does not exist',
    ],
    [
      { code: "select {{age}}) q; drop table author; select (1" },
      "Failed to validate query",
      'syntax error at or near ";"',
    ],
    [{ code: "delete from author where id = {{age}} returning id" }, "Failed to validate query"],
    [{ arguments: { age: { type: "no_type" } } }, "Failed to validate query", 'type "no_type" does not exist'],
    [{ returns: fields(["id", "integer"], ["born", "date"]) }, "Column named 'born' is not returned from the query."],
    [
      { returns: fields(["id", "bigint"]) },
      "Return column 'id' has a type mismatch. The expected type is 'bigint', but the actual type is 'integer'.",
    ],
    [
      { returns: fields(["id", "no_type"]) },
      "Return column 'id' has a type mismatch. The expected type is 'no_type', but the actual type is 'integer'.",
    ],
  ])("The native query %j is refused", async (changes, reason, message) => {
    const response = await refused("pg_track_native_query", query(changes));
    expect(response).toMatchObject({
      status: 400,
      code: "invalid-configuration",
      error: `Inconsistent object: ${reason}`,
      path: "$.args",
    });
    if (message !== undefined) expect(response.internal[0].message).toBe(message);
    expect(await server.metadata("pg_get_native_query", { source: "default" })).toEqual([]);
  });

  it("Tracking a native query does not run it or its functions", async () => {
    const sql = "create function fails() returns integer language plpgsql as $$ begin raise 'called'; end $$";
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    const changes = { code: "select fails() as id where 1 = {{age}}", returns: fields(["id", "integer"]) };
    expect(await server.metadata("pg_track_native_query", query(changes))).toEqual({ message: "success" });
    await server.metadata("pg_untrack_native_query", { source: "default", root_field_name: "people" });
  });

  it("A native query is validated again after a database change", async () => {
    await server.metadata("pg_track_native_query", query({}));
    const response = await server.post("/v2/query", {
      type: "run_sql",
      args: { sql: "alter table author drop column age cascade" },
    });
    expect(response.json).toMatchObject({
      code: "unexpected",
      error: "cannot continue due to newly found inconsistent metadata",
      internal: [{ type: "native_query", name: "native_query people in source default" }],
    });
    await server.metadata("pg_untrack_native_query", { source: "default", root_field_name: "people" });
    await server.metadata("reload_metadata", {});
  });

  it("A native query is accepted unchecked if validation is disabled", async () => {
    const environment = { ENGINE_GRAPHQL_DISABLE_NATIVE_QUERY_VALIDATION: "true" };
    const trusting = await startTestServer({ environment });
    try {
      const response = await trusting.metadata("pg_track_native_query", query({ code: "nonsense {{age}}" }));
      expect(response).toEqual({ message: "success" });
    } finally {
      await trusting.close();
    }
  });
});

describe("State of tools", () => {
  it("The state of each tool is stored next to the metadata", async () => {
    const empty = await server.metadata("get_catalog_state", {});
    expect(empty).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), cli_state: {}, console_state: {} });
    const state = { migrations: { default: { 1: false } }, big: 12 };
    expect(await server.metadata("set_catalog_state", { type: "cli", state })).toEqual({ message: "success" });
    await server.metadata("set_catalog_state", { type: "console", state: ["any"] });
    expect(await server.metadata("get_catalog_state", {})).toEqual({
      ...(empty as object),
      cli_state: state,
      console_state: ["any"],
    });
  });

  it("The lock of a tool has one holder until it is released or expires", async () => {
    const lock = (holder: string, seconds: number) =>
      server.metadata("lock_catalog_state", { type: "cli", holder, label: `deployment ${holder[0]}`, seconds });
    const [one, two] = ["1", "2"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [string, string];
    expect(await lock(one, 60)).toEqual({ locked: true });
    expect(await lock(two, 60)).toEqual({ locked: false, held_by: "deployment 1", since: expect.any(String) });
    expect(await lock(one, 60)).toEqual({ locked: true });
    expect(await lock(two, 0)).toEqual({ locked: false });
    expect(await lock(two, 60)).toMatchObject({ locked: false, held_by: "deployment 1" });
    await lock(one, 0);
    expect(await lock(two, 1)).toEqual({ locked: true });
    await expect.poll(() => lock(one, 60), { timeout: 5000 }).toEqual({ locked: true });
    await lock(one, 0);
  });

  it("Changing the state does not increase the metadata version", async () => {
    const version = async () => {
      const { json } = await server.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
      return json.resource_version;
    };
    const before = await version();
    await server.metadata("set_catalog_state", { type: "cli", state: {} });
    expect(await version()).toBe(before);
    await server.metadata("remove_api_limits", {});
    expect(await version()).toBe(before + 1);
  });
});

describe("Templates of transforms", () => {
  const trigger = (request_transform: object) => ({
    name: "c",
    webhook: "{{HANDLER}}/c",
    schedule: "* * * * *",
    include_in_metadata: true,
    request_transform,
  });
  const broken = { version: 2, body: { action: "transform", template: "{{ $body" } };

  it("A malformed transform template is refused", async () => {
    expect(await refused("create_cron_trigger", trigger(broken))).toMatchObject({
      status: 400,
      code: "validation-failed",
      error: "request transform validation failed",
      path: "$.args",
      internal: [{ error_code: "Parse Error" }],
    });
    expect(await server.metadata("get_cron_triggers", {})).toEqual({ cron_triggers: [] });
    expect(await server.metadata("create_cron_trigger", trigger({ method: "GET" }))).toEqual({ message: "success" });
    await server.metadata("delete_cron_trigger", { name: "c" });
  });

  it("A malformed transform template is stored at the older endpoint", async () => {
    const { status } = await server.post("/v1/query", { type: "create_cron_trigger", args: trigger(broken) });
    expect(status).toBe(200);
    await server.metadata("delete_cron_trigger", { name: "c" });
  });

  it("Malformed transform templates of actions and event triggers are refused", async () => {
    const definition = { handler: "{{HANDLER}}", output_type: "Int", response_transform: { body: "{{" } };
    expect(await refused("create_action", { name: "a", definition })).toMatchObject({
      error: "response transform validation failed",
    });
    const event = { name: "e", table: "author", webhook: "{{HANDLER}}", enable_manual: true, transform: broken };
    expect(await refused("pg_create_event_trigger", event)).toMatchObject({
      error: "request transform validation failed",
    });
  });
});

describe("Remote schema operations", () => {
  const document = {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        tables: [
          {
            table: { name: "author", schema: "public" },
            remote_relationships: [
              {
                name: "user",
                definition: {
                  to_remote_schema: {
                    remote_schema: "users",
                    lhs_fields: ["id"],
                    remote_field: { user: { arguments: { id: "$id" } } },
                  },
                },
              },
            ],
          },
        ],
        configuration: {
          connection_info: {
            database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" },
            isolation_level: "read-committed",
          },
        },
      },
    ],
    remote_schemas: [{ name: "users", definition: { url: "{{USERS}}" } }],
  };

  it("Metadata with a remote schema loads, is exported unchanged and leaves other objects in service", async () => {
    expect(await server.metadata("replace_metadata", document)).toEqual({ message: "success" });
    expect(await server.metadata("export_metadata", {})).toEqual(document);
    expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([]);
    expect(await server.graphql("{ author { id } }")).toEqual({ data: { author: [] } });
    expect(await refused("remove_remote_schema", { name: "users" })).toMatchObject({ code: "dependency-error" });
  });

  it("Dropping a column that a remote relationship needs is refused", async () => {
    const args = { sql: "alter table author drop column id cascade" };
    const refusal = await server.post("/v2/query", { type: "run_sql", args });
    expect(refusal.json).toMatchObject({
      code: "dependency-error",
      path: "$.args",
      error: 'cannot drop due to the following dependent objects: remote relationship author.user in source "default"',
    });
    const done = await server.post("/v2/query", { type: "run_sql", args: { ...args, cascade: true } });
    expect(done.json).toEqual({ result_type: "CommandOk", result: null });
    expect(await server.metadata("remove_remote_schema", { name: "users" })).toEqual({ message: "success" });
  });
});
