/**
 * Relationships between sources in combination with key types, roles, names, REST, the Relay API and sealed artifacts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const left = `
  create type mood as enum ('glad', 'sad');
  create table thing (
    id int primary key, big bigint, exact numeric, token uuid, name text, code varchar(10), at timestamptz, day date,
    feeling mood, yes boolean, half float8, parent int
  );
  create table key (
    id int primary key, number numeric(10, 2), float float8, wide int8, padded char(10), upper text, narrow int4,
    stamp timestamptz
  );
  insert into key values
    (1, 1.00, 1, 1, 'ab', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 1, '2020-02-03T00:00:00Z'),
    (2, 1.50, 1.5, 9007199254740993, 'ab c', 'B0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 2, null),
    (3, 99999999.00, 1e30, 4, '', null, null, null),
    (4, 'NaN', 'NaN', 2147483648, null, null, null, null);
  insert into thing values
    (1, 9007199254740993, 1.50, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'it''s "quoted" \\ ü', 'c', '2020-01-01T00:00:00.123456Z', '2020-02-03', 'glad', true, 0.1, null),
    (2, 5, 2, null, '', null, null, null, 'sad', false, null, 1);
`;

const right = `
  create table other (
    id serial primary key, big numeric, exact numeric(10, 3), token text, name text, code char(3), at timestamp, day timestamptz,
    feeling text, yes text, half numeric, thing int, tenant int, note text
  );
  insert into other (big, exact, token, name, code, at, day, feeling, yes, half, thing, tenant, note) values
    (9007199254740993, 1.5, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'it''s "quoted" \\ ü', 'c', '2020-01-01T00:00:00.123456', '2020-02-03T00:00Z', 'glad', 'true', 0.1, 1, 1, 'a'),
    (5, 2.000, null, '', null, null, null, 'sad', 'false', null, 2, 2, 'b'),
    (null, null, null, null, null, null, null, null, null, null, 1, 2, 'c'),
    (null, null, null, null, null, null, null, null, null, null, 1, 1, 'd');
`;

const keyed = `
  create table held (
    id int primary key, small int2, whole int4, wide int8, number numeric, name text, short varchar(4), padded char(6), token uuid,
    stamp timestamp
  );
  insert into held values
    (1, 1, 1, 1, 1.0, 'ab', 'ab', 'ab', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2020-02-03'),
    (2, 2, 2, 2, 2.5, 'ab c', 'ab c', 'ab c', null, null),
    (3, 3, 3, 9007199254740993, 3.00, '', '', '', null, null);
`;

let people: TestDatabase;
let server: TestServer;
const clerk = (tenant: number, role = "clerk") => ({ "x-engine-role": role, "x-engine-tenant": String(tenant) });

const toSource = (source: string, table: string, relationship_type: string, field_mapping: object) => ({
  to_source: { source, table, relationship_type, field_mapping },
});

async function setUp(on: TestServer): Promise<void> {
  await on.metadata("pg_track_table", { table: "thing" });
  const configuration = {
    connection_info: { database_url: { from_env: "PEOPLE" }, isolation_level: "read-committed" },
  };
  const customization = { root_fields: { namespace: "far", prefix: "p_" }, type_names: { prefix: "Far_" } };
  await on.metadata("pg_add_source", { name: "people", configuration, customization });
  await on.metadata("pg_track_table", { source: "people", table: "other" });
  const join = (name: string, definition: object) =>
    on.metadata("pg_create_remote_relationship", { table: "thing", name, definition });
  for (const key of ["big", "exact", "token", "name", "code", "at", "feeling", "yes", "half"]) {
    await join(`by_${key}`, toSource("people", "other", "object", { [key]: key }));
  }
  await join("others", toSource("people", "other", "array", { id: "thing" }));
  await join("pair", toSource("people", "other", "object", { id: "thing", big: "big" }));
  await on.metadata("pg_create_remote_relationship", {
    source: "people",
    table: "other",
    name: "things",
    definition: toSource("default", "thing", "array", { thing: "id" }),
  });
  const permit = (source: string, table: string, role: string, permission: object) =>
    on.metadata("pg_create_select_permission", { source, table, role, permission });
  await permit("default", "thing", "clerk", { columns: ["id"], filter: {} });
  await permit("default", "thing", "guest", { columns: ["id", "name"], filter: { id: { _eq: 1 } } });
  const tenant = { tenant: { _eq: "X-Engine-Tenant" } };
  await permit("people", "other", "clerk", { columns: ["note"], filter: tenant, limit: 1 });
  await permit("people", "other", "counter", {
    columns: ["tenant"],
    filter: { tenant: { _gt: 1 } },
    allow_aggregations: true,
  });
  await on.metadata("add_inherited_role", { role_name: "both", role_set: ["guest", "clerk", "counter"] });
  await on.metadata("pg_create_insert_permission", {
    table: "thing",
    role: "clerk",
    permission: { columns: ["id", "parent"], check: {}, set: { name: "x-engine-tenant" } },
  });
}

beforeAll(async () => {
  people = await createDatabase("joined_surroundings");
  await query(people.url, right + keyed);
  server = await startTestServer({ environment: { PEOPLE: people.url } });
  await query(server.databaseUrl, left);
  await setUp(server);
});

afterAll(async () => {
  await server?.close();
  await people?.drop();
});

const ask = (text: string, headers?: Record<string, string>) => server.graphql(text, headers);

describe("Join keys of other types", () => {
  it.each(["big", "exact", "token", "name", "code", "at", "feeling", "yes", "half"])(
    "Joins find rows by a key of type %s",
    async (key) => {
      const found = await ask(`{ thing(order_by: {id: asc}) { by_${key} { note } } }`);
      const second = ["token", "code", "at", "half"].includes(key) ? null : { note: "b" };
      expect(found).toEqual({ data: { thing: [{ [`by_${key}`]: { note: "a" } }, { [`by_${key}`]: second }] } });
    },
  );

  it.each([
    // Only a number without a fraction equals an integer.
    ["number", "small", [1, null, null, null]],
    ["number", "whole", [1, null, null, null]],
    ["number", "wide", [1, null, null, null]],
    ["number", "number", [1, null, null, null]],
    ["float", "small", [1, null, null, null]],
    ["float", "wide", [1, null, null, null]],
    ["float", "number", [1, null, null, null]],
    // A value outside the range of the other type matches no rows.
    ["wide", "small", [1, null, null, null]],
    ["wide", "whole", [1, null, null, null]],
    ["wide", "wide", [1, 3, null, null]],
    ["narrow", "wide", [1, 2, null, null]],
    ["narrow", "number", [1, null, null, null]],
    // Padding blanks are not part of the value.
    ["padded", "name", [1, 2, 3, null]],
    ["padded", "short", [1, 2, 3, null]],
    ["padded", "padded", [1, 2, 3, null]],
    ["upper", "token", [1, null, null, null]],
    ["stamp", "stamp", [1, null, null, null]],
  ])("Join keys of %s and %s are compared by value", async (from, to, ids) => {
    const table = { table: "key", source: "default" };
    await server.metadata("bulk", [
      { type: "pg_track_table", args: table },
      { type: "pg_track_table", args: { source: "people", table: "held" } },
      {
        type: "pg_create_remote_relationship",
        args: { ...table, name: "found", definition: toSource("people", "held", "object", { [from]: to }) },
      },
    ]);
    try {
      const rows = ids.map((id) => ({ found: id === null ? null : { id } }));
      expect(await ask("{ key(order_by: {id: asc}) { found { id } } }")).toEqual({ data: { key: rows } });
    } finally {
      await server.metadata("bulk", [
        { type: "pg_untrack_table", args: { ...table, cascade: true } },
        { type: "pg_untrack_table", args: { source: "people", table: "held", cascade: true } },
      ]);
    }
  });

  it("Joins find rows if numbers are returned as strings", async () => {
    const stringified = await startTestServer({
      on: server,
      environment: { PEOPLE: people.url, ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: "true" },
    });
    try {
      const text = "{ thing(where: {id: {_eq: 1}}) { big by_big { big note } by_exact { exact } pair { note } } }";
      expect(await stringified.graphql(text)).toEqual({
        data: {
          thing: [
            {
              big: "9007199254740993",
              by_big: { big: "9007199254740993", note: "a" },
              by_exact: { exact: "1.500" },
              pair: { note: "a" },
            },
          ],
        },
      });
    } finally {
      await stringified.stop();
    }
  });
});

describe("Arguments of joined fields", () => {
  it("Joined lists take the arguments of the target for each row", async () => {
    const text = `{ thing(order_by: {id: asc}) {
      others(distinct_on: tenant, order_by: [{tenant: desc}, {note: desc}], where: {note: {_neq: "c"}}, limit: 1, offset: 0) { note }
      others_aggregate(where: {tenant: {_eq: 1}}) { aggregate { count } }
    } }`;
    expect(await ask(text)).toEqual({
      data: {
        thing: [
          { others: [{ note: "d" }], others_aggregate: { aggregate: { count: 2 } } },
          { others: [{ note: "b" }], others_aggregate: { aggregate: { count: 0 } } },
        ],
      },
    });
  });

  it("Filters and orderings cannot use other sources", async () => {
    for (const text of [
      "{ thing(where: {others: {note: {_eq: 1}}}) { id } }",
      "{ thing(order_by: {by_big: {note: asc}}) { id } }",
      "{ thing(order_by: {others_aggregate: {count: asc}}) { id } }",
    ]) {
      expect(await ask(text)).toMatchObject({
        errors: [{ message: expect.stringMatching(/not found in type/), extensions: { code: "validation-failed" } }],
      });
    }
  });

  it("Joins may be four and more levels deep", async () => {
    const text = `{ thing(where: {id: {_eq: 2}}) {
      others { things { others { things { others_aggregate { nodes { things { id by_big { note } } } } } } } }
    } }`;
    const inner = [{ things: [{ id: 2, by_big: { note: "b" } }] }];
    expect(await ask(text)).toEqual({
      data: { thing: [{ others: [{ things: [{ others: [{ things: [{ others_aggregate: { nodes: inner } }] }] }] }] }] },
    });
  });
});

describe("Roles and joined sources", () => {
  it("A role sees the permitted rows, columns and limits of the joined target", async () => {
    expect(await ask("{ thing(order_by: {id: asc}) { others { note } by_big { note } } }", clerk(1))).toEqual({
      data: {
        thing: [
          { others: [{ note: "a" }], by_big: { note: "a" } },
          { others: [], by_big: null },
        ],
      },
    });
    for (const field of ["others { tenant }", "others_aggregate { aggregate { count } }", "name"]) {
      expect(await ask(`{ thing { ${field} } }`, clerk(1))).toMatchObject({
        errors: [{ extensions: { code: "validation-failed" } }],
      });
    }
    expect(await ask("{ thing { others { note } } }", clerk(1, "guest"))).toMatchObject({
      errors: [{ message: "field 'others' not found in type: 'thing'" }],
    });
  });

  it("An inherited role has the relationships of its parents and their targets", async () => {
    const text =
      "{ thing(order_by: {id: asc}) { id name others(order_by: {note: asc}) { note tenant } others_aggregate { aggregate { count } } } }";
    expect(await ask(text, clerk(1, "both"))).toEqual({
      data: {
        thing: [
          {
            id: 1,
            name: 'it\'s "quoted" \\ ü',
            others: expect.arrayContaining([expect.objectContaining({ note: "a" })]),
            others_aggregate: { aggregate: { count: 3 } },
          },
          { id: 2, name: null, others: [{ note: null, tenant: 2 }], others_aggregate: { aggregate: { count: 1 } } },
        ],
      },
    });
  });

  it("A role joins other sources to its written rows, with presets", async () => {
    const text = "mutation { insert_thing_one(object: {id: 9}) { id by_name { note } others { note } } }";
    expect(await ask(text, clerk(1))).toEqual({ data: { insert_thing_one: { id: 9, by_name: null, others: [] } } });
    expect(await ask("mutation { delete_thing_by_pk(id: 9) { name by_name { id } } }")).toEqual({
      data: { delete_thing_by_pk: { name: "1", by_name: null } },
    });
  });

  it("Joined types have the customized names of their source", async () => {
    const text =
      '{ __type(name: "thing") { fields { name type { name kind ofType { ofType { ofType { name } } } } } } }';
    const { data } = (await ask(text, clerk(1))) as { data: { __type: { fields: { name: string; type: unknown }[] } } };
    expect(data.__type.fields.map(({ name }) => name)).toEqual([
      "by_at",
      "by_big",
      "by_code",
      "by_exact",
      "by_feeling",
      "by_half",
      "by_name",
      "by_token",
      "by_yes",
      "id",
      "others",
      "pair",
    ]);
    const type = (name: string) => data.__type.fields.find((field) => field.name === name)?.type;
    expect(type("by_big")).toMatchObject({ kind: "OBJECT", name: "Far_other" });
    expect(
      await ask(
        "{ far { p_other(order_by: {note: asc}, limit: 1) { __typename things { id __typename } } } }",
        clerk(1),
      ),
    ).toEqual({
      data: { far: { p_other: [{ __typename: "Far_other", things: [{ id: 1, __typename: "thing" }] }] } },
    });
  });
});

describe("Joins in the Relay API", () => {
  it("The Relay API joins rows to nodes", async () => {
    const text = "{ thing_connection(order_by: {id: asc}) { edges { node { by_big { note } } } } }";
    const { json } = await server.post("/v1beta1/relay", { query: text });
    expect(json).toEqual({
      data: { thing_connection: { edges: [{ node: { by_big: { note: "a" } } }, { node: { by_big: { note: "b" } } }] } },
    });
  });
});

describe("Joins in REST endpoints and saved operations", () => {
  it("REST endpoints and saved operations return joined rows and describe them", async () => {
    const text =
      "query Things($id: Int!) { thing(where: {id: {_eq: $id}}) { id others(order_by: {note: asc}) { note } } }";
    await server.metadata("create_query_collection", {
      name: "rest",
      definition: { queries: [{ name: "things", query: text }] },
    });
    const definition = { query: { collection_name: "rest", query_name: "things" } };
    await server.metadata("create_rest_endpoint", { name: "things", url: "things/:id", methods: ["GET"], definition });
    const response = await fetch(`${server.url}/api/rest/things/2`);
    expect(await response.json()).toEqual({ data: { thing: [{ id: 2, others: [{ note: "b" }] }] } });
    const described = await (await fetch(`${server.url}/api/swagger/json`)).json();
    expect(JSON.stringify(described)).toContain("others");
    await server.metadata("add_collection_to_allowlist", { collection: "rest" });
    expect(await ask(text.replace("Things", "Other").replace("$id: Int!", "$id: Int! = 2"))).toHaveProperty(
      "data.thing.0.others",
    );
  });
});

describe("Joins in sealed artifacts", () => {
  it("A sealed artifact joins like the live server", { timeout: 120_000 }, async () => {
    const sealed = await startTestServer({ on: server, environment: { PEOPLE: people.url }, sealed: true });
    try {
      const text = "{ thing(order_by: {id: asc}) { id others { note things { by_big { note } } } } }";
      expect(await sealed.graphql(text)).toEqual(await ask(text));
      expect(await sealed.graphql(text.replace("by_big { note }", "id"), clerk(1))).toEqual(
        await ask(text.replace("by_big { note }", "id"), clerk(1)),
      );
    } finally {
      await sealed.stop();
    }
  });
});
