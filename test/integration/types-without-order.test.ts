/** Types whose values the database cannot compare or sort: the schema offers only the operations that work. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** A value of each type. */
const types: Readonly<Record<string, string>> = {
  xml: "<a/>",
  json: '{"a": 1}',
  jsonb: '{"a": 1}',
  jsonpath: "$.a",
  point: "(1,2)",
  polygon: "((0,0),(1,1),(1,0))",
  box: "(2,2),(1,1)",
  circle: "<(1,2),3>",
  line: "{1,2,3}",
  lseg: "[(1,2),(3,4)]",
  path: "[(1,2),(3,4)]",
  xid: "7",
  cid: "7",
  pg_snapshot: "10:20:",
  refcursor: "c",
  lquery: "a.*",
  ltxtquery: "a & b",
  ltree: "a.b",
  hstore: '"a"=>"1"',
  inet: "10.0.0.1",
  cidr: "10.0.0.0/8",
  macaddr: "08:00:2b:01:02:03",
  tsvector: "'a'",
  tsquery: "'a'",
  int4range: "[1,3)",
  bytea: "\\x01",
  bit: "1",
  varbit: "101",
  interval: "1 day",
  money: "1",
  regclass: "pg_class",
  name: "n",
  "point[]": '{"(1,2)"}',
  "json[]": '{"[]"}',
  "box[]": "{(2,2),(1,1)}",
  "int[]": "{1}",
  a_domain: "(1,2)",
};

const columns = Object.keys(types).map((type, i) => ({ type, column: `c${i}`, text: types[type] ?? "" }));

interface TypeAnswer {
  readonly data: { readonly __type: { readonly inputFields: { name: string; type: { name: string } }[] } | null };
}

describe.each([
  ["live", false],
  ["sealed", true],
])("Column types on a %s server", (_, sealed) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ sealed });
    await query(server.databaseUrl, "create extension ltree; create extension hstore; create domain a_domain as point");
    const declared = columns.map(({ column, type }) => `${column} ${type}`).join(", ");
    const values = columns.map(({ text }) => `'${text.replaceAll("'", "''")}'`).join(", ");
    await query(
      server.databaseUrl,
      `create table t (id int primary key, ${declared}); insert into t values (1, ${values})`,
    );
    await server.metadata("pg_track_table", { table: "t" });
  }, 60_000);

  afterAll(() => server.close());

  async function inputFields(type: string): Promise<ReadonlyMap<string, string>> {
    const text = `{ __type(name: "${type}") { inputFields { name type { name } } } }`;
    const { data } = (await server.graphql(text)) as TypeAnswer;
    return new Map(data.__type?.inputFields.map((field) => [field.name, field.type.name]));
  }

  it("Column types have exactly the operators and orderings of the database", async () => {
    const filters = await inputFields("t_bool_exp");
    const orderings = await inputFields("t_order_by");
    const refused: string[] = [];
    const offered = new Map<string, readonly string[]>();
    for (const { column, type, text } of columns) {
      const operators = [...(await inputFields(filters.get(column) ?? "")).keys()];
      const common = ["_eq", "_neq", "_gt", "_lt", "_gte", "_lte", "_in", "_nin", "_is_null", "_contains"].filter(
        (name) => operators.includes(name),
      );
      offered.set(type, common);
      const ask = async (args: string): Promise<void> => {
        const answer = (await server.graphql(`{ t(${args}) { id } }`)) as { errors?: { message: string }[] };
        if (answer.errors) refused.push(`${type} ${args}: ${answer.errors[0]?.message}`);
      };
      for (const name of common) {
        const literal = JSON.stringify(text);
        if (name === "_is_null") await ask(`where: {${column}: {_is_null: false}}`);
        else if (name === "_in" || name === "_nin") await ask(`where: {${column}: {${name}: [${literal}]}}`);
        else await ask(`where: {${column}: {${name}: ${literal}}}`);
      }
      if (orderings.has(column)) {
        await ask(`order_by: {${column}: asc}`);
        await ask(`distinct_on: ${column}`);
      } else {
        const answer = JSON.stringify(await server.graphql(`{ t(distinct_on: ${column}) { id } }`));
        expect(answer).toContain("cannot be compared for equality");
        const counted = `{ t_aggregate { aggregate { count(columns: ${column}, distinct: true) } } }`;
        expect(JSON.stringify(await server.graphql(counted))).toContain("cannot be compared for equality");
      }
    }
    expect(refused).toEqual([]);
    expect(offered.get("json")).toEqual(["_is_null"]);
    expect(offered.get("point[]")).toEqual(["_is_null"]);
    expect(offered.get("a_domain")).toEqual(["_is_null"]);
    expect(offered.get("xid")).toEqual(["_eq", "_neq", "_in", "_nin", "_is_null"]);
    expect(offered.get("box")).toContain("_lt");
    expect(offered.get("int[]")).toContain("_contains");
    expect(orderings.has(columns.find(({ type }) => type === "jsonb")?.column ?? "")).toBe(true);
  });

  it("hstore values are accepted in the form in which they are returned", async () => {
    const column = columns.find(({ type }) => type === "hstore")?.column;
    const given = { 'a "b" \\c': "x=>y, z", empty: "", none: null };
    const text = `mutation ($v: hstore) { update_t(where: {}, _set: {${column}: $v}) { returning { ${column} } } }`;
    const answer = { data: { update_t: { returning: [{ [column ?? ""]: given }] } } };
    expect(await server.graphql(text, {}, { v: given })).toEqual(answer);
    const found = await server.graphql(
      `query ($v: hstore) { t(where: {${column}: {_eq: $v}}) { id } }`,
      {},
      { v: given },
    );
    expect(found).toEqual({ data: { t: [{ id: 1 }] } });
    const literal = await server.graphql(
      `mutation { update_t(where: {}, _set: {${column}: {k: "v"}}) { affected_rows } }`,
    );
    expect(literal).toEqual({ data: { update_t: { affected_rows: 1 } } });
    const bad = await server.graphql(text, {}, { v: { a: 1 } });
    expect(JSON.stringify(bad)).toContain("values of type hstore must be strings or null");
  });
});
