import { parse } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import type { AnalyzedRelationship, Predicate } from "../../../compiler/2-analyze/analyzed-table.ts";
import { compile } from "../../../compiler/index.ts";
import type { TableView } from "../../../runtime/model/definitions/view.ts";
import { loaderOf, renderFilter } from "./load.ts";
import { analysis, arrayOf, builtIn, equals, source, table } from "./sample-analysis.ts";

const int4 = builtIn("int4", "integer");
const text = builtIn("text");
const timestamptz = builtIn("timestamptz", "timestamp with time zone");
const jsonb = builtIn("jsonb");

const customerOf: AnalyzedRelationship = {
  name: "customer",
  kind: "object",
  comment: undefined,
  target: "public.customer",
  mapping: [{ local: "customer_id", remote: "id" }],
  unique: true,
  required: true,
  origin: "foreign_key",
  insertionOrder: "before_parent",
};
const ordersOf: AnalyzedRelationship = {
  ...customerOf,
  name: "orders",
  kind: "array",
  target: "public.order",
  mapping: [{ local: "id", remote: "customer_id" }],
};

/** Returns the program of a table with one filter and of a second table. */
function compileFilter(filter: Predicate) {
  const order = table("default", "order", { columns: { id: { type: int4 } }, select: { user: { filter } } });
  const customer = table("default", "customer", { schema: "public", columns: { id: { type: int4 } } });
  return compile({ analysis: analysis(source("default", [order, customer])) });
}

const path = "roles/user/default/public.order.ts";

function sqlOf(filter: Predicate): { readonly sql: string; readonly values: unknown[]; readonly text: string } {
  const program = compileFilter(filter);
  const rendered = renderFilter(loaderOf(program).require(path).order as TableView);
  const values = rendered.slots.map((slot) =>
    slot.kind === "session"
      ? slot.variable
      : slot.kind === "value" && slot.source.kind === "constant" && slot.source.value,
  );
  return { sql: rendered.text.replace(/\s+/g, " ").trim(), values, text: program.module(path).text };
}

const literal = (value: Extract<Extract<Predicate, { kind: "compare" }>["operand"], { kind: "literal" }>["value"]) =>
  ({ kind: "literal", value }) as const;
const session = (variable: string) => ({ kind: "session", variable }) as const;
const compare = (
  name: string,
  type: typeof int4,
  operator: string,
  operand: ReturnType<typeof literal | typeof session>,
) => ({ kind: "compare", column: { name, type }, operator, operand }) as const;

describe("Emitted row filters", () => {
  it.each([
    ["a session variable", equals("id", int4, session("x-engine-user-id")), `t1."id" = $1::int4`, ["x-engine-user-id"]],
    ["a number", equals("id", int4, literal(7)), `t1."id" = '7'::int4`, []],
    ["a text", equals("name", text, literal("O'Hara \\")), `t1."name" = E'O''Hara \\\\'::text`, []],
    ["JSON", compare("data", jsonb, "_contains", literal({ a: [1] })), `t1."data" @> '{"a":[1]}'::jsonb`, []],
    ["a null", compare("id", int4, "_gt", literal(null)), `t1."id" > null::int4`, []],
    ["the current time", compare("due", timestamptz, "_lt", literal("NOW()")), `t1."due" < $1::timestamptz`, ["NOW()"]],
    ["a list", compare("id", int4, "_in", literal([1, 2])), `t1."id" = any('{1,2}'::int4[])`, []],
    ["an empty list", compare("id", int4, "_nin", literal([])), `t1."id" <> all('{}'::int4[])`, []],
    [
      "a list of dates",
      compare("due", builtIn("date"), "_in", literal(["today"])),
      `t1."due" = any($1::date[])`,
      ["{today}"],
    ],
    [
      "a list from the session",
      compare("id", int4, "_in", session("x-engine-ids")),
      `t1."id" = any($1::int4[])`,
      ["x-engine-ids"],
    ],
    ["keys", compare("data", jsonb, "_has_keys_any", literal(["a"])), `t1."data" ?| '{a}'::text[]`, []],
    ["an array", compare("tags", arrayOf(text), "_contains", literal(["a"])), `t1."tags" @> '{a}'::text[]`, []],
    [
      "a cast",
      {
        kind: "compare",
        column: { name: "data", type: jsonb, cast: "String" },
        operator: "_like",
        operand: literal("%x%"),
      },
      `t1."data"::text like '%x%'::text`,
      [],
    ],
    [
      "several operands",
      {
        kind: "compare_structured",
        column: { name: "place", type: { ...builtIn("geometry"), schema: "public" } },
        operator: "_st_d_within",
        operands: [literal(10), session("x-engine-place")],
      },
      `ST_DWithin(t1."place", case when $1::text like '{%' then ST_GeomFromGeoJSON($1::text) else $1::text::geometry end, '10'::float8)`,
      ["x-engine-place"],
    ],
    ["null", { kind: "is_null", column: { name: "due", type: timestamptz }, negated: false }, `t1."due" is null`, []],
    [
      "not null",
      { kind: "is_null", column: { name: "due", type: timestamptz }, negated: true },
      `t1."due" is not null`,
      [],
    ],
    [
      "another column",
      { kind: "compare_columns", left: { name: "a", type: int4 }, operator: "<=", right: { column: "b", of: "row" } },
      `t1."a" <= t1."b"`,
      [],
    ],
    ["nothing", { kind: "or", items: [] }, "false", []],
    ["a negated empty condition", { kind: "not", item: { kind: "and", items: [] } }, "not (true)", []],
  ] as const)("A row filter compares with %s", async (_, filter, expected, values) => {
    const found = sqlOf(filter as Predicate);
    expect(found.sql).toBe(expected);
    expect(found.values).toEqual(values);
    await expect(parse(`select ${found.sql.replaceAll("$1", "'x'")}`)).resolves.toBeDefined();
  });

  it("Combined row filters have only the necessary parentheses", () => {
    const [a, b, c] = [1, 2, 3].map((value) => equals("id", int4, literal(value))) as [Predicate, Predicate, Predicate];
    const either: Predicate = { kind: "or", items: [b, c] };
    const [sqlA, sqlB, sqlC] = [1, 2, 3].map((value) => `t1."id" = '${value}'::int4`);
    expect(sqlOf({ kind: "and", items: [a, either] }).sql).toBe(`${sqlA} and (${sqlB} or ${sqlC})`);
    expect(sqlOf({ kind: "or", items: [a, { kind: "and", items: [b, c] }] }).sql).toBe(
      `${sqlA} or (${sqlB} and ${sqlC})`,
    );
    expect(sqlOf({ kind: "not", item: either }).sql).toBe(`not (${sqlB} or ${sqlC})`);
    expect(sqlOf({ kind: "and", items: [a, { kind: "and", items: [b, c] }] }).sql).toBe(
      `${sqlA} and ${sqlB} and ${sqlC}`,
    );
  });

  it("A row filter keeps a branch without effect if it requires a session variable", () => {
    const filter: Predicate = {
      kind: "or",
      items: [{ kind: "and", items: [] }, equals("id", int4, session("x-engine-user-id"))],
    };
    expect(sqlOf(filter)).toMatchObject({ sql: `true or t1."id" = $1::int4`, values: ["x-engine-user-id"] });
  });

  it("Nested relationships in a row filter have distinct aliases", () => {
    const inner: Predicate = {
      kind: "related",
      relationship: ordersOf,
      where: {
        kind: "related",
        relationship: customerOf,
        where: {
          kind: "compare_columns",
          left: { name: "id", type: int4 },
          operator: "=",
          right: { column: "customer_id", of: "root" },
        },
      },
    };
    const { sql } = sqlOf({ kind: "related", relationship: customerOf, where: inner });
    expect(sql.replaceAll("( ", "(").replaceAll(" )", ")")).toBe(
      `exists (select 1 from "public"."customer" customer_1 where customer_1."id" = t1."customer_id" and ` +
        `exists (select 1 from "public"."order" order_1 where order_1."customer_id" = customer_1."id" and ` +
        `exists (select 1 from "public"."customer" customer_2 where customer_2."id" = order_1."customer_id" and ` +
        `customer_2."id" = t1."customer_id")))`,
    );
  });

  it("A row filter on other rows takes no row parameter if it does not use the row", () => {
    const filter: Predicate = { kind: "exists", table: "public.customer", where: { kind: "and", items: [] } };
    const { sql, text } = sqlOf(filter);
    expect(sql).toBe(`exists (select 1 from "public"."customer" customer_1 where true)`);
    expect(text).toContain("const visible: RowFilter = () =>");
  });

  it("A row filter takes only the parameters that it uses", () => {
    const filter: Predicate = {
      kind: "exists",
      table: "public.customer",
      where: equals("id", int4, session("x-engine-user-id")),
    };
    expect(sqlOf(filter).text).toContain("const visible: RowFilter = (_order, session) =>");
  });

  it("A row filter that is true for every row is omitted", () => {
    const program = compileFilter({ kind: "and", items: [{ kind: "and", items: [] }] });
    expect(program.module(path).text).not.toContain("visible");
  });

  it("Lines of a row filter stay within the line length if they can be broken", () => {
    const tests = Array.from({ length: 6 }, (_, i) => equals("customer_name", text, session(`x-engine-name-${i}`)));
    const deep: Predicate = { kind: "related", relationship: customerOf, where: { kind: "or", items: tests } };
    const { text: module } = sqlOf({ kind: "and", items: [...tests, { kind: "not", item: deep }] });
    expect(module.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });
});
