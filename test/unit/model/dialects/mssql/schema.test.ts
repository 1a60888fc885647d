/** The schema of a role on SQL Server: its fields, and the missing ones. */
import { describe, expect, it } from "vitest";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../../../runtime/model/schema/sdl.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";

const shop = compileShape(shopShape, shopTables);
const sdl = printSchema(roleSchema(shop.role("admin")));

describe("The GraphQL schema of SQL Server sources", () => {
  it.each([
    "on_conflict",
    "Connection",
    "_by_path",
    "path: String",
    "_similar",
    "_regex",
    "_cast",
    "_append",
    "_mul",
    " String_comparison_exp",
  ])("The SQL Server schema has no %s", (name) => {
    expect(sdl.includes(name)).toBe(false);
  });

  it.each([
    "if_matched: customer_if_matched",
    "count(column: customer_select_column, distinct: Boolean): Int!",
    "String_MSSQL_comparison_exp",
    "sales_order_inc_input",
    "enum customer_insert_match_column",
    "sales_order_stddev_pop_fields",
    "_nlike: String",
    "_nilike: String",
    "_st_d_within: st_d_within_geography_MSSQL_input",
    "orders_aggregate: sales_order_aggregate_bool_exp",
  ])("The SQL Server schema has %s", (text) => {
    expect(sdl).toContain(text);
  });
});
