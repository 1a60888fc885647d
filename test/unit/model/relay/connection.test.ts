/** Statements of pages omit everything that is not selected. */
import { parse as parseSql } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { defineRole } from "../../../../runtime/model/definitions/roots.ts";
import { planQuery } from "../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import { defineRelay, selectConnection, selectNode, tableView } from "../../../../runtime/model/support/index.ts";
import { author, book } from "../../../support/sample-role.ts";

const tables = { default: { public: { author: () => author, book: () => book } } };
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  node: selectNode(tables),
};
const schema = roleSchema(
  defineRole({ role: "member", query: {}, tables }),
  "frontend",
  defineRelay({ query: roots, subscription: {} }),
);

async function statement(query: string, variables: Record<string, unknown> = {}): Promise<string> {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planQuery(readOperation(query, null), schema, variables, options);
  expect(plan.statements).toHaveLength(1);
  const text = plan.statements[0]?.text ?? "";
  await parseSql(text);
  return text;
}

const cursor = (value: unknown) => JSON.stringify(Buffer.from(JSON.stringify(value)).toString("base64"));

describe("Relay connection pages", () => {
  it("A page of rows alone is one sorted select with a limit", async () => {
    expect(await statement("{ author_connection(first: 2) { edges { node { name } } } }")).toBe(
      `select (select json_build_object('edges', coalesce(json_agg(t2.c1), '[]')) from ` +
        `(select json_build_object('node', json_build_object('name', t1."name")) as c1 from "public"."author" t1 ` +
        `order by t1."id" asc limit $1::int8) t2)::text`,
    );
  });

  it("A page is compared with its cursor by one condition that an index can serve", async () => {
    const text = await statement(
      `{ author_connection(first: 2, after: ${cursor({ id: 1 })}) { edges { node { name } } } }`,
    );
    expect(text).toContain(`where t1."id" > $1::int4 order by`);
    expect(text).not.toContain("exists");
  });

  it("A page is compared key by key if keys are nullable or have mixed directions", async () => {
    const order = "order_by: [{born: desc_nulls_last}, {name: asc}]";
    const after = (value: unknown) =>
      statement(`{ author_connection(${order}, after: ${cursor(value)}) { edges { cursor } } }`);
    expect(await after({ born: "1900-01-01", name: "x", id: 1 })).toContain(
      `where (((t1."born" < $1::date or t1."born" is not distinct from null)) or ` +
        `((t1."born" = $1::date) and ((t1."name", t1."id") > ($2::text, $3::int4)))) order by`,
    );
    expect(await after({ born: null, name: "x", id: 1 })).toContain(
      `where (t1."born" is not distinct from null) and ((t1."name", t1."id") > ($1::text, $2::int4)) order by`,
    );
  });

  it("A page reads one row ahead and beyond its cursor only if its flags are selected", async () => {
    const page = `author_connection(first: 2, after: ${cursor({ id: 1 })})`;
    const next = await statement(`{ ${page} { pageInfo { hasNextPage } } }`);
    expect(next).toContain("limit $1::int8 + 1");
    expect(next).not.toContain("exists");
    const previous = await statement(`{ ${page} { pageInfo { hasPreviousPage } } }`);
    expect(previous).not.toContain("+ 1");
    expect(previous).toContain(`exists (select 1 from "public"."author" t3 where t3."id" <= $2::int4)`);
  });

  it("The row of a cursor is before the page, even if the last key of the order is nullable", async () => {
    const page = `author_connection(order_by: [{id: asc}, {born: asc}], after: ${cursor({ id: 1, born: "1900-01-01" })})`;
    expect(await statement(`{ ${page} { pageInfo { hasPreviousPage } } }`)).toContain(
      `((t3."id" = $1::int4) and (((t3."born" < $2::date) or ((t3."born" = $2::date) and (true)))))`,
    );
  });

  it("A page needs no query for values that are already known", async () => {
    expect(await statement("{ author_connection { __typename pageInfo { hasPreviousPage } } }")).toBe(
      `select json_build_object('__typename', 'authorConnection', 'pageInfo', json_build_object('hasPreviousPage', false))::text`,
    );
  });

  it("A page applies the row filter to every use of the table, and the permission's limit", async () => {
    const text = await statement(
      `{ book_connection(last: 9, before: ${cursor({ id: 7 })}) { edges { cursor } pageInfo { hasNextPage } } }`,
    );
    expect(text.match(/"withdrawn" is null/g)).toHaveLength(2);
    expect(text).toContain(`order by t1."id" desc limit least($1::int8, 50)`);
  });

  it("A page evaluates an aggregate of its ordering once for each row", async () => {
    const order = "order_by: {books_aggregate: {sum: {price: desc}}}";
    const after = cursor({ books_aggregate: { sum: { price: 1.5 } }, id: 1 });
    const text = await statement(`{ author_connection(${order}, after: ${after}) { edges { cursor } } }`);
    expect(text.match(/sum\(/g)).toHaveLength(1);
  });

  it("A cursor with an average of exact numbers is compared exactly", async () => {
    const order = "order_by: {books_aggregate: {avg: {price: asc}}}";
    const after = cursor({ books_aggregate: { avg: { price: 1.5 } }, id: 1 });
    const text = await statement(`{ author_connection(${order}, after: ${after}) { edges { cursor } } }`);
    expect(text).toContain("t3.v > $2::numeric or");
  });
});

describe("Relay connections without an encryption key", () => {
  const titled = tableView(book.table, { columns: book.columns.filter(({ field }) => field !== "id") });
  const tables = { default: { public: { book: () => titled } } };
  const roots = { book_connection: selectConnection(() => titled), node: selectNode(tables) };
  const relay = defineRelay({ query: roots, subscription: {} });
  const plan = (query: string) => {
    const role = roleSchema(defineRole({ role: "reader", query: {}, tables }), "frontend", relay, null);
    return planQuery(readOperation(query, null), role, {}, { stringifyNumbers: false, nullCollapse: false });
  };
  const message =
    "ids and cursors of this role are encrypted, and this server has no key for them; " +
    "to set one, use the ENGINE_GRAPHQL_RELAY_ID_KEY environment variable";

  it.each([
    ["{ book_connection { edges { node { title id } } } }", "edges.selectionSet.node.selectionSet.id"],
    ["{ book_connection { edges { cursor } } }", "edges.selectionSet.cursor"],
    ["{ book_connection { pageInfo { endCursor } } }", "pageInfo.selectionSet.endCursor"],
  ])("A connection without an encryption key refuses encrypted values: %s", (query, path) => {
    const at = `$.selectionSet.book_connection.selectionSet.${path}`;
    expect(() => plan(query)).toThrow(expect.objectContaining({ code: "not-supported", message, path: at }));
  });

  it("A connection without an encryption key plans all other fields", () => {
    expect(plan("{ book_connection { edges { node { title } } pageInfo { hasNextPage } } }").plan.parts).toHaveLength(
      1,
    );
  });
});

describe("Variables with Relay ids", () => {
  it("An id in a variable selects the table to read", async () => {
    const id = (table: string) => Buffer.from(JSON.stringify([1, "public", table, 1])).toString("base64");
    const document = "query ($id: ID!) { node(id: $id) { id } }";
    expect(await statement(document, { id: id("author") })).toContain(`from "public"."author"`);
    expect(await statement(document, { id: id("book") })).toContain(`from "public"."book"`);
  });
});
