/** Pages and nodes of the Relay API as T-SQL. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { render, sql, verbatim } from "../../../../../runtime/model/definitions/sql.ts";
import { sqlServer } from "../../../../../runtime/model/dialects/mssql/dialect.ts";
import { mssql } from "../../../../../runtime/model/dialects/mssql/scalars.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { defineRelay, selectConnection, selectNode } from "../../../../../runtime/model/support/index.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { expectGolden } from "../../../../support/golden.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";
import { prettySql } from "../../../../support/pretty-sql.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const role = compileShape(shopShape, shopTables).role("admin");
const view = (schema: string, table: string) => {
  const found = role.tables.default?.[schema]?.[table];
  if (!found) throw new Error(`there is no table ${schema}.${table}`);
  return found;
};
const query = {
  customer_connection: selectConnection(view("dbo", "customer")),
  order_connection: selectConnection(view("sales", "order")),
  line_connection: selectConnection(view("sales", "order_line")),
  type_connection: selectConnection(view("dbo", "every_type")),
  node: selectNode(role.tables),
};
const schema = roleSchema(role, "frontend", defineRelay({ query, subscription: {} }));

function statement(text: string): string {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planQuery(readOperation(text, null), schema, {}, options);
  expect(plan.statements).toHaveLength(1);
  return plan.statements[0]?.text ?? "";
}

const base64 = (value: unknown) => JSON.stringify(Buffer.from(JSON.stringify(value)).toString("base64"));

const pages: readonly (readonly [name: string, query: string])[] = [
  ["all", "{ customer_connection { edges { cursor node { id name } } pageInfo { startCursor endCursor } } }"],
  [
    "next",
    `{ customer_connection(first: 2, after: ${base64({ id: 1 })}) { edges { node { name } } pageInfo { hasNextPage hasPreviousPage } } }`,
  ],
  [
    "last",
    `{ line_connection(last: 2, before: ${base64({ order_id: 1, line: 2 })}) { edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
  ],
  [
    "by-null",
    `{ order_connection(order_by: [{total: asc}, {lines_aggregate: {sum: {quantity: desc}}}], after: ${base64({ total: null, lines_aggregate: { sum: { quantity: 3 } }, id: 5 })}) { edges { cursor } } }`,
  ],
  [
    "nested",
    "{ customer_connection(first: 1) { edges { node { orders_connection(first: 2) { edges { node { id } } pageInfo { hasNextPage } } } } } }",
  ],
  [
    "distinct",
    "{ customer_connection(first: 2, distinct_on: email, order_by: [{email: asc}, {id: desc}]) { edges { node { id } } pageInfo { hasPreviousPage } } }",
  ],
  ["without-rows", "{ customer_connection { __typename pageInfo { hasNextPage } } }"],
  ["node", `{ node(id: ${base64([1, "sales", "order_line", 1, 2])}) { id ... on sales_order_line { product } } }`],
];

describe("Relay pages on SQL Server", () => {
  it.each(pages)("A Relay page is valid T-SQL: %s", (_, text) => {
    expect(problemsOfTsql(statement(text))).toEqual([]);
  });

  it("Relay pages match their golden files", async () => {
    const files = new Map(pages.map(([name, text]) => [`${name}.sql`, `${prettySql(statement(text))};\n`]));
    await expectGolden(join(import.meta.dirname, "relay"), files);
  });

  it("Relay pages compare values of legacy text types as nvarchar", () => {
    const after = base64({ a_ntext: "x", a_int: 1 });
    const text = statement(`{ type_connection(order_by: {a_ntext: asc}, after: ${after}) { edges { cursor } } }`);
    expect(problemsOfTsql(text)).toEqual([]);
    expect(text).toContain("cast(t1.[a_ntext] as nvarchar(max)) > @p1");
    expect(text).toContain("cast(t1.[a_ntext] as nvarchar(max)) as [a_ntext]");
  });

  it("Relay pages carry floats and binary values as text without loss", () => {
    const order = "order_by: [{a_float: asc}, {a_varbinary: desc}]";
    const text = statement(`{ type_connection(${order}) { edges { cursor } } }`);
    expect(text).toContain("convert(nvarchar(max), t1.[a_float], 3) as [a_float]");
    expect(text).toContain("convert(nvarchar(max), convert(varbinary(max), t1.[a_varbinary]), 1) as [a_varbinary]");
  });

  it("Texts of several key columns in an id have no collation, because those of the columns may differ", () => {
    const column = (name: string, type: string) => ({ value: verbatim(`t.[${name}]`), type: mssql(type) });
    const idOf = (...key: readonly ReturnType<typeof column>[]) =>
      render(sqlServer.relay?.nodeId(1, ["dbo", "pair"], key) ?? sql``, sqlServer).text;
    expect(idOf(column("first", "varchar"), column("n", "int"))).toContain("string_escape(cast(t.[first] as");
    const both = idOf(column("first", "varchar"), column("second", "nvarchar"));
    expect(both.match(/string_escape\(convert\(nvarchar\(max\), convert\(varbinary\(max\), cast\(/g)).toHaveLength(2);
  });
});
