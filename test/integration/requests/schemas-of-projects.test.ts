/** Schemas of imported projects, which are stricter than necessary because clients are generated from them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sql = `
  create table colour (value text primary key, comment text);
  insert into colour values ('red', null), ('blue', null);
  create table thing (
    id uuid primary key default gen_random_uuid(), code text not null, part int not null, tags bigint[] not null,
    colour text references colour, size int not null default 1);
  create unique index thing_code_part on thing (code, part) include (size);
  create unique index thing_lower on thing (lower(code), tags);
  create unique index thing_some on thing (tags) where part > 100;
  create schema ext;
  create function ext.fold(text) returns text immutable language sql as 'select lower($1)';
  create type ext.state as enum ('open', 'closed');
  create table ticket (
    id int primary key, "Title" text, state ext.state, note text, unique (note) deferrable initially deferred);
  create unique index "ticket open" on ticket (note) where note is null;
  create unique index ticket_open on ticket (ext.fold("Title"), (id % 10)) where state = 'open';
  insert into ticket values (1, 'A', 'open', 'first');
  create view big_thing as select * from thing where size > 10;
  create view summary as select code, count(*) as number from thing group by code;
  create function half(thing) returns int stable language sql as 'select $1.size / 2';
  create function chosen(ids uuid[], codes text[] default '{}') returns setof thing stable language sql as
    'select * from thing where id = any(ids) or code = any(codes)';
  insert into thing (id, code, part, tags, colour, size) values
    ('00000000-0000-4000-8000-000000000001', 'a', 1, '{1,2}', 'red', 3),
    ('00000000-0000-4000-8000-000000000002', 'b', 1, '{3}', 'blue', 6);
`;
const a = "00000000-0000-4000-8000-000000000001";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const { status, text } = await server.post("/v2/query", { type: "run_sql", args: { sql } });
  if (status !== 200) throw new Error(text);
  for (const table of ["thing", "ticket", "colour", "big_thing", "summary"])
    await server.metadata("pg_track_table", { table });
  await server.metadata("pg_set_table_is_enum", { table: "colour", is_enum: true });
  await server.metadata("pg_track_function", { function: "chosen" });
  await server.metadata("pg_add_computed_field", { table: "thing", name: "half", definition: { function: "half" } });
  for (const [name, remote_table] of [
    ["same", "big_thing"],
    ["sums", "summary"],
  ]) {
    const manual_configuration = { remote_table, column_mapping: { code: "code" } };
    await server.metadata("pg_create_array_relationship", { table: "thing", name, using: { manual_configuration } });
  }
});

afterAll(() => server?.close());

async function inputsOf(type: string): Promise<Record<string, string>> {
  const reference = "name kind ofType { name kind ofType { name kind ofType { name kind ofType { name kind } } } }";
  const query = `{ __type(name: "${type}") { inputFields { name type { ${reference} } } fields { name type { ${reference} } } enumValues { name } } }`;
  const { data } = (await server.graphql(query)) as { data: { __type: Fields } };
  const { inputFields, fields, enumValues } = data.__type;
  return Object.fromEntries(
    (inputFields ?? fields ?? enumValues ?? []).map(({ name, type }) => [name, type ? textOf(type) : name]),
  );
}
type Fields = Record<"inputFields" | "fields" | "enumValues", { name: string; type?: Reference }[] | null>;
interface Reference {
  readonly name: string | null;
  readonly kind: string;
  readonly ofType?: Reference;
}

function textOf({ name, kind, ofType }: Reference): string {
  if (ofType && kind === "LIST") return `[${textOf(ofType)}]`;
  return ofType ? `${textOf(ofType)}!` : String(name);
}

describe("Array arguments of functions", () => {
  it("An array argument is a scalar with the name of the array", async () => {
    expect(await inputsOf("chosen_args")).toEqual({ codes: "_text", ids: "_uuid" });
  });

  it.each(["_uuid", "_uuid!", "[uuid!]", "[uuid!]!", "[uuid]"])(
    "An array argument accepts a variable of type %s",
    async (type) => {
      const query = `query ($ids: ${type}) { chosen(args: {ids: $ids}) { code } }`;
      for (const ids of [[a], `{${a}}`]) {
        expect(await server.graphql(query, {}, { ids })).toEqual({ data: { chosen: [{ code: "a" }] } });
      }
    },
  );

  it("An array argument accepts lists with variables as items", async () => {
    const query = `query ($id: uuid!) { chosen(args: {ids: [$id, "${a}"], codes: ["b"]}) { code } }`;
    expect(await server.graphql(query, {}, { id: a })).toEqual({ data: { chosen: [{ code: "a" }, { code: "b" }] } });
  });

  it.each(["uuid", "[text!]", "[[uuid!]!]", "String"])(
    "An array argument refuses a variable of type %s",
    async (type) => {
      const query = `query ($ids: ${type}) { chosen(args: {ids: $ids}) { code } }`;
      expect(await server.graphql(query, {}, { ids: a })).toMatchObject({
        errors: [{ message: `variable 'ids' is declared as '${type}', but used where '_uuid' is expected` }],
      });
    },
  );
});

describe("Comparison types", () => {
  it("Array comparisons accept lists of arrays", async () => {
    expect(await inputsOf("bigint_array_comparison_exp")).toMatchObject({ _in: "[[bigint!]!]", _eq: "[bigint!]" });
    for (const type of ["[[bigint!]!]", "[[bigint!]!]!", "[bigint!]"]) {
      const query = `query ($in: ${type}) { thing(where: {tags: {_in: $in}}) { code } }`;
      expect(await server.graphql(query, {}, { in: [[3], [9, 9]] })).toEqual({ data: { thing: [{ code: "b" }] } });
    }
    expect(await server.graphql("{ thing(where: {tags: {_nin: [[3], []]}}) { code } }")).toEqual({
      data: { thing: [{ code: "a" }] },
    });
  });

  it("Comparisons of enum table values have no order operators", async () => {
    expect(Object.keys(await inputsOf("colour_enum_comparison_exp"))).toEqual([
      "_eq",
      "_in",
      "_is_null",
      "_neq",
      "_nin",
    ]);
    expect(await server.graphql("{ thing(where: {colour: {_gt: red}}) { code } }")).toMatchObject({
      errors: [{ message: expect.stringContaining("field '_gt' not found in type: 'colour_enum_comparison_exp'") }],
    });
    const permission = { columns: ["code"], filter: { colour: { _gt: "blue" } } };
    await server.metadata("pg_create_select_permission", { table: "thing", role: "user", permission });
    expect(await server.graphql("{ thing { code } }", { "x-engine-role": "user" })).toEqual({
      data: { thing: [{ code: "a" }] },
    });
  });
});

describe("Constraints in on_conflict", () => {
  it("on_conflict accepts partial and expression indexes, but no deferrable constraints or invalid GraphQL names", async () => {
    expect(Object.keys(await inputsOf("thing_constraint"))).toEqual([
      "thing_pkey",
      "thing_code_part",
      "thing_lower",
      "thing_some",
    ]);
    expect(Object.keys(await inputsOf("ticket_constraint"))).toEqual(["ticket_pkey", "ticket_open"]);
  });

  it("on_conflict on a partial expression index finds conflicts in any schema", async () => {
    const upsert = (object: string, update: string) =>
      `mutation { insert_ticket_one(object: ${object}, on_conflict: {constraint: ticket_open, update_columns: [${update}]}) { id note } }`;
    const same = '{id: 11, Title: "a", state: "open", note: "second"}';
    expect(await server.graphql(upsert(same, ""))).toEqual({ data: { insert_ticket_one: null } });
    expect(await server.graphql(upsert(same, "note"))).toEqual({
      data: { insert_ticket_one: { id: 1, note: "second" } },
    });
    expect(await server.graphql(upsert('{id: 21, Title: "a", state: "closed", note: "third"}', "note"))).toEqual({
      data: { insert_ticket_one: { id: 21, note: "third" } },
    });
  });

  it("on_conflict on a unique index finds conflicts by its columns", async () => {
    const upsert = (columns: string) =>
      `mutation { insert_thing_one(object: {code: "a", part: 1, tags: [7], size: 4}, on_conflict: {constraint: thing_code_part, update_columns: [${columns}]}) { id size } }`;
    expect(await server.graphql(upsert(""))).toEqual({ data: { insert_thing_one: null } });
    expect(await server.graphql(upsert("size"))).toEqual({ data: { insert_thing_one: { id: a, size: 4 } } });
  });
});

it("Aggregates of computed fields have the type of the field", async () => {
  for (const name of ["avg", "stddev", "sum"]) {
    expect(await inputsOf(`thing_${name}_fields`)).toMatchObject({ half: "Int" });
  }
  expect(await inputsOf("thing_avg_fields")).toMatchObject({ size: "Float" });
  expect(await server.graphql("{ thing_aggregate { aggregate { avg { half } } } }")).toEqual({
    data: { thing_aggregate: { aggregate: { avg: { half: 2.5 } } } },
  });
});

describe("Views in the schema", () => {
  it("Views have inputs for nested rows even if they are not insertable", async () => {
    expect(await inputsOf("thing_insert_input")).toMatchObject({
      same: "big_thing_arr_rel_insert_input",
      sums: "summary_arr_rel_insert_input",
    });
    expect(Object.keys(await inputsOf("mutation_root"))).not.toContain("insert_summary");
    const nested = (rows: string) =>
      `mutation { insert_thing_one(object: {code: "n", part: 1, tags: [], ${rows}}) { same { part } } }`;
    expect(await server.graphql(nested("same: {data: [{part: 2, tags: [1], size: 20}]}"))).toEqual({
      data: { insert_thing_one: { same: [{ part: 2 }] } },
    });
    expect(await server.graphql(nested("sums: {data: [{number: 2}]}"))).toMatchObject({ errors: [{}] });
    expect(await server.graphql('{ thing(where: {code: {_eq: "n"}}) { part } }')).toMatchObject({
      data: { thing: expect.arrayContaining([{ part: 1 }, { part: 2 }]) },
    });
  });
});

it("Unused variables of a query are accepted without values", async () => {
  const query = 'query ($a: Int, $b: [thing_bool_exp!]!, $c: String = "x") { thing(limit: 1) { part } }';
  for (const variables of [undefined, null, {}]) {
    expect(await server.graphql(query, {}, variables)).toEqual({ data: { thing: [{ part: 1 }] } });
  }
  expect(await server.graphql(query, {}, { a: 1, c: "y" })).toMatchObject({
    errors: [{ message: "unexpected variables in variableValues: a, c" }],
  });
});
