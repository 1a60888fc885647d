import { parse as parseSql } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { bind, sessionSlot } from "../../../../runtime/model/definitions/parameters.ts";
import { parameter, render, sql } from "../../../../runtime/model/definitions/sql.ts";
import { postgres } from "../../../../runtime/model/dialects/postgres/dialect.ts";
import { type Plan, planQuery } from "../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { sampleRole } from "../../../support/sample-role.ts";

const schema = roleSchema(sampleRole);
const options = { stringifyNumbers: false, nullCollapse: false };
const session = new Map([["x-engine-branch-id", "7"]]);

function plan(query: string, variables: Record<string, unknown> = {}, operationName: string | null = null): Plan {
  return planQuery(readOperation(query, operationName), schema, variables, options).plan;
}

/** Returns text and values of the only statement. */
function statement(query: string, variables: Record<string, unknown> = {}): { text: string; values: unknown[] } {
  const { statements } = plan(query, variables);
  expect(statements).toHaveLength(1);
  const { text = "", slots = [] } = statements[0] ?? {};
  return { text, values: bind(slots, { variables, session }) };
}

function failure(query: string, variables: Record<string, unknown> = {}, operationName: string | null = null) {
  try {
    for (const { slots } of plan(query, variables, operationName).statements) bind(slots, { variables, session });
  } catch (error) {
    if (error instanceof EngineError) return { code: error.code, path: error.path, message: error.message };
    throw error;
  }
  throw new Error("the operation was planned");
}

describe("Query statements", () => {
  it("A query contains the role's row filter, limit and join", () => {
    const { text, values } = statement("{ book(limit: 3) { t: title author { name } } }");
    expect(text).toBe(
      `select (select coalesce(json_agg(r.*), '[]') from (select t1."title" as "t", ` +
        `case when t2."id" is not null then json_build_object('name', t2."name") end as "author" ` +
        `from "public"."book" t1 left join "public"."author" t2 on t2."id" = t1."author_id" ` +
        `where t1."branch_id" = $1::int4 and t1."withdrawn" is null limit least($2::int8, 50)) r)::text`,
    );
    expect(values).toEqual(["7", "3"]);
  });

  it("A relationship inside a filter applies the row filter of its target", () => {
    const { text } = statement('{ author(where: {books: {title: {_like: "A%"}}}) { id } }');
    expect(text).toContain(
      `exists (select 1 from "public"."book" t2 where (t2."author_id" = t1."id") and (t2."branch_id" = $1::int4`,
    );
  });

  it.each([
    '{title: {_ilike: "%a%", _neq: "x"}}',
    '{_and: [{title: {_ilike: "%a%"}}, {title: {_neq: "x"}}]}',
    '{_and: [{_not: {title: {_ilike: "%a%"}}}, {_or: [{title: {_regex: "a"}}, {}]}, {title: {_neq: "x"}}]}',
    '{author: {books: {title: {_ilike: "%a%"}, id: {_neq: 3}}}}',
  ])("Pattern operators are evaluated after cheaper conditions: %s", (where) => {
    const { text } = statement(`{ book(where: ${where}) { id } }`);
    expect(text.indexOf("<>")).toBeLessThan(text.indexOf("ilike"));
    expect(text).toContain("<>");
  });

  it("Values are cast to the type of their column if types share a GraphQL scalar", () => {
    const { text } = statement('{ book(where: {isbn: {_eq: "x"}, title: {_eq: "y"}}) { id } }');
    expect(text).toContain(`t1."isbn" = $2::public.isbn`);
    expect(text).toContain(`t1."title" = $3::text`);
  });

  it("Different casts of one session variable use different parameters", () => {
    const { text, values } = statement("{ book { id } author(where: {books: {}}) { id } }");
    expect(text).toContain(`"branch_id" = $1::int4`);
    const mixed = render(
      sql`${parameter(sessionSlot("x-a"))}::uuid, ${parameter(sessionSlot("x-a"))}::int4, ${parameter(sessionSlot("x-a"))}::uuid`,
      postgres,
    );
    expect(mixed.text).toBe("$1::uuid, $2::int4, $1::uuid");
    expect(values).toEqual(["7"]);
  });

  it("All root fields of a source share one statement", () => {
    expect(plan("{ a: book { id } b: author { id } book_aggregate { aggregate { count } } }").statements).toHaveLength(
      1,
    );
  });

  it("The permission's limit applies to aggregate nodes but not to aggregates", () => {
    const { text } = statement("{ book_aggregate { aggregate { count } nodes { id } } }");
    expect(text).toContain("filter (where t2.n <= 50)");
    expect(text).toContain("count(*)");
  });

  it("Query text never contains values of a request", () => {
    const hostile = `'; drop table book; --`;
    const literal = statement(`{ book(where: {title: {_eq: ${JSON.stringify(hostile)}}}) { id } }`);
    const variable = statement("query ($t: String) { book(where: {title: {_eq: $t}}) { id } }", { t: hostile });
    const inObject = statement("query ($w: book_bool_exp) { book(where: $w) { id } }", {
      w: { title: { _eq: hostile } },
    });
    for (const { text, values } of [literal, variable, inObject]) {
      expect(text).not.toContain("drop table");
      expect(values).toContain(hostile);
    }
  });

  it("Aliases are quoted regardless of their spelling, and long ones are not truncated", async () => {
    const long = `a${"b".repeat(80)}`;
    const { text } = statement(`{ book { ${long}: title ok: id } }`);
    expect(text).toContain(`json_build_object('${long}', t1."title", 'ok', t1."id")`);
    await parseSql(text);
  });

  it("A selection may have more fields than one JSON call takes arguments", async () => {
    const fields = Array.from({ length: 70 }, (_, i) => `f${i}: id`).join(" ");
    await parseSql(statement(`{ author { books { author { ${fields} } } } }`).text);
    await parseSql(statement(`{ book_by_pk(id: 1) { ${fields} x${"y".repeat(70)}: id } }`).text);
  });

  it.each([
    "{ __typename author { __typename } }",
    "{ author(order_by: [{name: desc_nulls_last}, {books_aggregate: {max: {price: asc}}}]) { id } }",
    "{ book(order_by: {author: {name: asc}}, offset: 2) { id author { books(limit: 1) { id } } } }",
    "{ book(distinct_on: [title, id], order_by: [{id: asc}, {title: desc}, {price: asc}]) { id } }",
    "{ book(where: {_or: [], _and: [{}, {_not: {}}]}) { id } }",
    '{ book(where: {details: {_has_keys_any: ["a"], _cast: {String: {_like: "%"}}}}) { details(path: "$.a[0]") } }',
    '{ book(where: {genres: {_contains: ["x"]}, price: {_in: [1.5, 2]}, id: {_is_null: false}}) { id } }',
    "{ book_aggregate(distinct_on: title, order_by: {title: asc}) { aggregate { count(columns: [id, title], distinct: true) sum { price } stddev { id } } nodes { id } } }",
  ])("A query is valid SQL: %s", async (query) => {
    for (const { text } of plan(query).statements) await parseSql(text);
  });
});

describe("Planning errors", () => {
  const failed = (path: string, message: string, code = "validation-failed") => ({ code, path, message });

  it.each([
    ["{ bok { id } }", failed("$.selectionSet.bok", "field 'bok' not found in type: 'query_root'")],
    ["{ book { nope } }", failed("$.selectionSet.book.selectionSet.nope", "field 'nope' not found in type: 'book'")],
    ["{ book(first: 1) { id } }", failed("$.selectionSet.book", "'book' has no argument named 'first'")],
    ["{ book_by_pk { id } }", failed("$.selectionSet.book_by_pk.args.id", "missing required field 'id'")],
    ["{ book }", failed("$.selectionSet.book", "missing selection set for 'book'")],
    [
      "{ book { id { x } } }",
      failed("$.selectionSet.book.selectionSet.id", "unexpected subselection set for non-object field"),
    ],
    [
      "{ book { a: id a: title } }",
      failed(
        "$.selectionSet.book.selectionSet.title",
        "selection of both 'id' and 'title' specify the same response name, 'a'",
      ),
    ],
    [
      "{ book(limit: 1) { id } book(limit: 2) { id } }",
      failed("$.selectionSet.book", "inconsistent arguments between multiple selections of field 'book'"),
    ],
    [
      "{ book(limit: -1) { id } }",
      failed(
        "$.selectionSet.book.args.limit",
        "expected a non-negative 32-bit integer for type 'Int', but found an integer",
      ),
    ],
    [
      "{ book(offset: true) { id } }",
      failed(
        "$.selectionSet.book.args.offset",
        "expected a 32-bit integer, or a 64-bit integer represented as a string for type 'Int', but found a boolean",
      ),
    ],
    [
      "{ book(order_by: {id: up}) { id } }",
      failed(
        "$.selectionSet.book.args.order_by[0].id",
        "expected one of the values ['asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', 'desc_nulls_last'] for type 'order_by', but found 'up'",
      ),
    ],
    [
      "{ book(where: {id: {_eq: null}}) { id } }",
      failed("$.selectionSet.book.args.where.id._eq", "unexpected null value for type 'Int'"),
    ],
    [
      "{ book(where: {_not: null}) { id } }",
      failed("$.selectionSet.book.args.where._not", "expected an object for type 'book_bool_exp', but found null"),
    ],
    [
      "{ book(where: {_and: null}) { id } }",
      failed("$.selectionSet.book.args.where._and", "expected a list, but found null"),
    ],
    [
      "{ book(where: {id: {_eq: 2147483648}}) { id } }",
      failed(
        "$.selectionSet.book.args.where.id._eq",
        "The value 2.147483648e9 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?",
        "parse-failed",
      ),
    ],
    [
      "{ book(where: {title: {_eq: 5}}) { id } }",
      failed(
        "$.selectionSet.book.args.where.title._eq",
        "parsing Text failed, expected String, but encountered Number",
        "parse-failed",
      ),
    ],
    [
      "{ book(distinct_on: id, order_by: {title: asc}) { id } }",
      failed("$.selectionSet.book.args", '"distinct_on" columns must match initial "order_by" columns'),
    ],
    ["{ ...f }", failed("$.selectionSet", 'reference to undefined fragment "f"')],
    [
      "{ ...a } fragment a on query_root { ...b } fragment b on query_root { ...a }",
      failed("$.selectionSet.a.selectionSet.b.selectionSet", "the fragment definition(s) a and b form a cycle"),
    ],
    [
      "{ book { id @upper } }",
      failed("$.selectionSet.book.selectionSet", "directive 'upper' is not defined in the schema"),
    ],
    ["{ book(limit: $n) { id } }", failed("$.selectionSet.book.args.limit", 'unbound variable "n"')],
    [
      "{ book(where: {id: {_in: [1, $n]}}) { id } }",
      failed("$.selectionSet.book.args.where.id._in[1]", 'unbound variable "n"'),
    ],
    ["{ book { id", failed("$.query", "not a valid graphql query")],
  ])("An invalid query is refused with its path: %s", (query, expected) => {
    expect(failure(query)).toEqual(expected);
  });

  it("A variable's declared type must match its location", () => {
    const at = "$.selectionSet.book.args.where.title._eq";
    expect(failure("query ($t: Int!) { book(where: {title: {_eq: $t}}) { id } }", { t: 1 })).toEqual(
      failed(at, "variable 't' is declared as 'Int!', but used where 'String' is expected"),
    );
    expect(failure("query ($id: Int) { book_by_pk(id: $id) { id } }", { id: 1 }).message).toBe(
      "variable 'id' is declared as 'Int', but used where 'Int!' is expected",
    );
    expect(plan("query ($id: Int = 3) { book_by_pk(id: $id) { id } }").statements).toHaveLength(1);
  });

  const chain = (name: (i: number) => string) =>
    Array.from({ length: 600 }, (_, i) => `fragment ${name(i)} on book { author { books { ...${name(i + 1)} } } }`);

  it.each([
    ["selections", `{ book ${"{ author { books ".repeat(260)}{ id }${" } }".repeat(260)} }`],
    ["values", `{ book(where: ${"{_not: ".repeat(510)}{}${"}".repeat(510)}) { id } }`],
    ["lists", `{ book(where: {details: {_eq: ${"[".repeat(800)}1${"]".repeat(800)}}}) { id } }`],
    ["fragments", `{ book { ...F0 } } ${chain((i) => `F${i}`).join(" ")} fragment F600 on book { id }`],
  ])("A document nested too deeply is refused: %s", (_, query) => {
    expect(failure(query).message).toMatch(/^the query is nested deeper than (?:250|500) levels$/);
  });

  it("An ambiguous operation name is refused", () => {
    const two = "query a { book { id } } query b { book { id } }";
    expect(failure(two).message).toBe(
      "exactly one operation has to be present in the document when operationName is not specified",
    );
    expect(failure(two, {}, "c").message).toBe('no such operation found in the document: "c"');
    expect(failure("{ book { id } }", {}, "a").message).toBe(
      "operationName cannot be used when an anonymous operation exists in the document",
    );
  });

  it("A missing session variable fails the whole operation", () => {
    const { statements } = plan("{ book { id } }");
    expect(() => bind(statements[0]?.slots ?? [], { variables: {}, session: new Map() })).toThrow(
      'missing session variable: "x-engine-branch-id"',
    );
  });
});
