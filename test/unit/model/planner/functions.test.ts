/** SQL of computed fields, tracked functions and enum tables, from handwritten views. */
import { parse as parseSql } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { bind } from "../../../../runtime/model/definitions/parameters.ts";
import { planQuery } from "../../../../runtime/model/planner/plan.ts";
import { planMutation } from "../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";
import { shapeOf } from "../../../../runtime/model/planner/request/shape.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import {
  argument,
  column,
  computedRows,
  computedValue,
  defineEnum,
  defineFunction,
  defineRole,
  defineSource,
  defineTable,
  engineDefault,
  enumOf,
  joinOn,
  pg,
  pgArray,
  postgres,
  selectFunction,
  selectFunctionAggregate,
  selectMany,
  sql,
  type TableView,
  tableView,
  toOne,
  toRows,
  trackFunction,
} from "../../../../runtime/model/support/index.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const source = defineSource({ name: "default", dialect: postgres, naming: engineDefault() });
const defined = (name: string, args: Parameters<typeof argument>[], returnsSet: boolean) =>
  defineFunction({
    source,
    sql: `"public"."${name}"`,
    displayName: name,
    arguments: args.map((each) => argument(...each)),
    returnsSet,
  });
const named = (field: string, hasDefault = false) => ({ field, sql: `"${field}"`, hasDefault });
const row = [pg("author", { category: "composite" })] as const;

const kind = defineEnum({ source, type: "kind", values: { essay: "Short.", novel: null } });
const columns = {
  id: column("id", `"id"`, pg("int4")),
  kind: column("kind", `"kind"`, enumOf(kind, pg("text"))),
  size: column("size", `"size"`, pg("text")),
  boss: column("boss", `"boss"`, pg("int4"), { nullable: true }),
};
const table = defineTable({
  source,
  sql: `"public"."author"`,
  type: "author",
  displayName: "author",
  primaryKey: [columns.id],
  constraints: [],
});
const many = computedValue(
  defined(
    "many",
    [[pg("int4"), named("n")], [...row], [pg("text")], [pg("jsonb"), named("session")], [pg("int8"), named("m", true)]],
    false,
  ),
  pg("int8"),
  { row: 1, session: 3 },
);
const friends = defined("friends", [[...row]], true);

const author: TableView = tableView(table, {
  columns: Object.values(columns),
  relationships: {
    chief: toOne(
      joinOn((a, b) => sql`${b}."id" = ${a}."boss"`, { unique: true }),
      () => author,
    ),
  },
  computedFields: {
    full_name: computedValue(defined("full_name", [[...row]], false), pg("text"), { row: 0 }),
    many,
    tags: computedValue(defined("tags", [[...row]], false), pgArray(pg("text")), { row: 0 }),
    friends: toRows(computedRows(friends, { row: 0 }), () => author),
    best: toRows(computedRows(defined("best", [[...row]], false), { row: 0 }), () => author),
  },
  visible: (a) => sql`${a}."id" > 0`,
  rowLimit: 9,
  aggregations: true,
});
const search = trackFunction(
  defined("search", [[pg("text")], [pgArray(pg("int4")), named("ids", true)], [pg("json"), named("session")]], true),
  { type: "find", session: 2 },
);
const one = trackFunction(defined("one", [], false), { type: "one" });

const schema = roleSchema(
  defineRole({
    role: "user",
    query: {
      author: selectMany(() => author),
      find: selectFunction(() => author, search),
      find_aggregate: selectFunctionAggregate(() => author, search),
      one: selectFunction(() => author, one),
    },
    mutation: { renew: selectFunction(() => author, search), renew_one: selectFunction(() => author, one) },
  }),
);
const options = { stringifyNumbers: true, nullCollapse: false };

function plan(query: string, variables: Record<string, unknown> = {}) {
  const { plan, uses } = planQuery(readOperation(query, null), schema, variables, options);
  const { text = "", slots = [] } = plan.statements[0] ?? {};
  const session = new Map([["x-engine-role", "user"]]);
  return { text, values: bind(slots, { variables, session }), shape: shapeOf(variables, uses, new Set()) };
}

function failure(query: string, variables: Record<string, unknown> = {}) {
  try {
    plan(query, variables);
  } catch (error) {
    if (error instanceof EngineError) return [error.code, error.path, error.message];
    throw error;
  }
  throw new Error("the operation was planned");
}

describe("Calls of SQL functions", () => {
  it("A function call passes the row, the session variables and cast request values", () => {
    const { text, values } = plan('{ author { many(args: {n: 5, arg_1: "x"}) } }');
    expect(text).toContain(
      `select "public"."many"($1::int4, t1.*, $2::text, $3::jsonb)::text as "many" from "public"."author" t1`,
    );
    expect(values).toEqual(["5", "x", '{"x-engine-role":"user"}']);
  });

  it.each([
    ['renew(args: {arg_1: "x"}) { id }', '"public"."search"($1::text', "json_agg"],
    ["renew_one { id }", '"public"."one"()', "json_build_object"],
  ])("A mutation calls a function once, in one write: %s", async (field, call, form) => {
    const { plan } = planMutation(readOperation(`mutation { ${field} }`, null), schema, {}, options);
    const [text = "", ...others] = plan.writes.flatMap(({ steps }) => steps.map((step) => step.text));
    expect([plan.statements, others]).toEqual([[], []]);
    await parseSql(text);
    expect(text.split(call)).toHaveLength(2);
    expect(text).toContain(form);
  });

  it("A function call names the arguments that follow an omitted one", () => {
    const { text, values } = plan('{ find(args: {arg_1: "x"}) { id } }');
    expect(text).toContain(`from "public"."search"($1::text, "session" => $2::json) t1 where t1."id" > 0 limit 9`);
    expect(values).toEqual(["x", '{"x-engine-role":"user"}']);
    expect(plan('{ find(args: {arg_1: "x", ids: [1, 2]}) { id } }').text).toContain(
      `from "public"."search"($1::text, $2::int4[], $3::json) t1`,
    );
  });

  it("A function call passes nulls on", () => {
    expect(plan("{ find(args: {arg_1: null, ids: null}) { id } }").text).toContain(
      `"public"."search"(null::text, null::int4[], $1::json)`,
    );
    const query = "query ($s: String, $a: find_args!) { find(args: {arg_1: $s}) { id } b: find(args: $a) { id } }";
    const shapes = [{ a: { arg_1: "x" } }, { s: null, a: { arg_1: null } }, { s: "y", a: { arg_1: "x" } }].map(
      (variables) => plan(query, variables).shape,
    );
    expect(new Set(shapes).size).toBe(3);
  });

  it("A function call without a value for a required argument is refused", () => {
    const at = "$.selectionSet.author.selectionSet.many.args.args";
    expect(failure("{ author { many } }")).toEqual(["validation-failed", at, "missing required field 'args'"]);
    expect(failure("{ author { many(args: null) } }")).toEqual([
      "validation-failed",
      at,
      "expected an object for type 'many_author_args', but found null",
    ]);
    expect(failure("{ author { many(args: {n: 1}) } }")).toEqual([
      "not-supported",
      at,
      "Non default arguments cannot be omitted",
    ]);
    expect(failure("{ author { many(args: {n: 1, session: {}}) } }")).toEqual([
      "validation-failed",
      `${at}.session`,
      "field 'session' not found in type: 'many_author_args'",
    ]);
  });

  it("Function arguments never become statement text", () => {
    const hostile = "'); drop table author; --";
    const query = "query ($s: String!) { find(args: {arg_1: $s}) { id } }";
    expect(plan(query, { s: hostile })).toMatchObject({
      text: expect.not.stringContaining("drop"),
      values: [hostile, expect.anything()],
    });
  });
});

describe("Rows of SQL functions", () => {
  it("The row filter applies to rows of functions, also in filters and orderings", () => {
    expect(plan("{ author { friends(limit: 2) { id } } }").text).toContain(
      `(select coalesce(json_agg(r.*), '[]') from (select t2."id" as "id" from "public"."friends"(t1.*) t2 ` +
        `where t2."id" > 0 limit least($1::int8, 9)) r) as "friends"`,
    );
    expect(plan("{ author(where: {friends: {size: {_is_null: true}}}) { id } }").text).toContain(
      `exists (select 1 from "public"."friends"(t1.*) t2 where (t2."id" > 0) and (t2."size" is null))`,
    );
    expect(plan("{ author(order_by: {friends_aggregate: {count: asc}}) { id } }").text).toContain(
      `order by (select count(*) from "public"."friends"(t1.*) t2 where t2."id" > 0) asc`,
    );
  });

  it("A function without SETOF that returns null yields no row", () => {
    expect(plan("{ author { best { id } } }").text).toContain(
      `from "public"."best"(t1.*) t2 where (not (t2.* is null)) and (t2."id" > 0)`,
    );
    expect(plan("{ one { id } }").text).toContain(
      `(select json_build_object('id', t1."id") from "public"."one"() t1 where (not (t1.* is null)) and (t1."id" > 0) limit 9)`,
    );
  });

  it("A computed field of a missing row is null in orderings", () => {
    expect(plan("{ author(order_by: {chief: {full_name: asc}}) { id } }").text).toContain(
      `order by case when t2."id" is not null then "public"."full_name"(t2.*) end asc`,
    );
  });
});

describe("Aggregates of computed fields", () => {
  it("Each aggregate of a computed field has its own arguments", async () => {
    const query = `{ author_: find_aggregate(args: {arg_1: "x"}) { aggregate {
      sum { a: many(args: {n: 1, arg_1: ""}) b: many(args: {n: 2, arg_1: ""}) } max { many(args: {n: 3, arg_1: ""}) full_name }
      min { full_name } } } }`;
    const { text, values } = plan(query);
    expect(text.match(/"public"."many"\(/g)).toHaveLength(3);
    expect(text.match(/"public"."full_name"\(/g)).toHaveLength(1);
    expect(values).toEqual(expect.arrayContaining(["1", "2", "3"]));
    await parseSql(text);
  });
});

describe("Enum table values", () => {
  it("Enum table values are parameters, so plans are shared between values", () => {
    const query =
      "query ($k: kind_enum, $w: author_bool_exp) { author(where: {_and: [{kind: {_eq: $k}}, $w]}) { id } }".replace(
        "$w: author_bool_exp",
        "$w: author_bool_exp!",
      );
    const plans = (["essay", "novel"] as const).map((value) =>
      plan(query, { k: value, w: { kind: { _in: [value] } } }),
    );
    expect(plans[0]?.text).toBe(plans[1]?.text);
    expect(plans[0]?.shape).toBe(plans[1]?.shape);
    expect(plans.map(({ values }) => values)).toEqual([
      ["essay", "{essay}"],
      ["novel", "{novel}"],
    ]);
  });

  it("Enum table values are not accepted as strings of a text column", () => {
    expect(plan('{ author(where: {size: {_eq: "novel"}, kind: {_eq: novel}}) { id } }').values).toEqual([
      "novel",
      "novel",
    ]);
    const filter = (size: string, kind: string) =>
      `{ author(where: {_or: [{size: {_eq: ${size}}}, {kind: {_eq: ${kind}}}]}) { id } }`;
    expect(failure(filter('"poem"', "poem"))[2]).toBe(
      "expected one of the values ['essay', 'novel'] for type 'kind_enum', but found 'poem'",
    );
    expect(failure(filter("poem", "novel"))[2]).toBe("expected a string for type 'String', but found an enum value");
  });
});

describe("Validity of function SQL", () => {
  it.each([
    '{ author(where: {full_name: {_ilike: "a%"}, tags: {_contains: ["x"]}, best: {kind: {_neq: novel}}}) { tags } }',
    "{ author(order_by: [{full_name: desc}, {best_aggregate: {max: {size: asc}}}, {chief: {tags: asc}}]) { friends(where: {friends: {}}) { best { full_name } } } }",
    '{ find(args: {arg_1: "x"}, distinct_on: [kind], order_by: [{kind: asc}, {full_name: asc}], offset: 1) { chief { full_name } } }',
    '{ find_aggregate(args: {arg_1: "x"}, where: {full_name: {_eq: "a"}}) { aggregate { count max { full_name } } nodes { friends { id } } } }',
    "{ one(where: {id: {_eq: 1}}) { best(limit: 1) { id } __typename } }",
  ])("A query with functions is valid SQL: %s", async (query) => {
    await parseSql(plan(query).text);
  });
});
