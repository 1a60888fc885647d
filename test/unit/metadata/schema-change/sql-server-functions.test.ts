/** SQL that renames or drops objects that the declarations of SQL Server functions name. */
import { describe, expect, it } from "vitest";
import { schemaChange } from "../../../../compiler/metadata/schema-change/schema-change.ts";
import type { Shape } from "../../../../compiler/shape/shape.ts";
import { compileShape } from "../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../support/mssql-shop.ts";

const order = { schema: "sales", name: "order" };
const fields = [
  { name: "hello", definition: { function: "greeting", argument_mapping: { name: "name" } } },
  {
    name: "large",
    definition: {
      function: { schema: "sales", name: "orders_of" },
      argument_mapping: { customer: "id" },
      return_table: order,
    },
  },
];
const tables = shopTables.map((table) => (table.table === "customer" ? { ...table, computed_fields: fields } : table));
const functions = [
  { function: { schema: "sales", name: "orders_of" }, configuration: { response: { type: "table", table: order } } },
];

function changed(after: Shape, cascade = false) {
  const { analysis } = compileShape(shopShape, tables, {}, { functions });
  expect(analysis.inconsistencies).toEqual([]);
  const { catalog } = analysis;
  return schemaChange({ catalog, analysis, source: "default", before: shopShape, after, cascade, path: "$.args" });
}

/** Returns the shop's shape with renamed objects. */
function renamed(names: Readonly<Record<string, string>>): Shape {
  const to = (name: string) => names[name] ?? name;
  return {
    ...shopShape,
    tables: shopShape.tables.map((table) => ({
      ...table,
      name: to(table.name),
      columns: table.columns.map((column) => ({
        ...column,
        name: to(`${table.name}.${column.name}`).split(".").at(-1) ?? "",
      })),
    })),
    functions: shopShape.functions.map((each) => ({ ...each, name: to(each.name) })),
  };
}

describe("Functions of SQL Server", () => {
  it("Functions and computed fields of SQL Server follow renamed tables, columns and functions", () => {
    const change = changed(renamed({ order: "purchase", "customer.name": "called", greeting: "welcome" }));
    if (!change.ok) throw new Error(change.error.message);
    const [source] = change.value.catalog.sources;
    const customer = source?.tables.find(({ table }) => table.name === "customer");
    expect(customer?.computed_fields.map(({ definition }) => definition)).toEqual([
      { function: { schema: "dbo", name: "welcome" }, argument_mapping: { name: "called" } },
      {
        function: { schema: "sales", name: "orders_of" },
        argument_mapping: { customer: "id" },
        return_table: { schema: "sales", name: "purchase" },
      },
    ]);
    expect(source?.functions[0]?.configuration?.response).toEqual({
      type: "table",
      table: { schema: "sales", name: "purchase" },
    });
  });

  it("Dropping a column is refused while a SQL Server function uses it, unless cascade drops both", () => {
    const without: Shape = {
      ...shopShape,
      tables: shopShape.tables.map((table) => ({
        ...table,
        columns: table.columns.filter(({ name }) => table.name !== "customer" || name !== "name"),
      })),
    };
    expect(changed(without)).toMatchObject({
      ok: false,
      error: { code: "dependency-error", message: expect.stringContaining("computed field customer.hello") },
    });
    const change = changed(without, true);
    if (!change.ok) throw new Error(change.error.message);
    const customer = change.value.catalog.sources[0]?.tables.find(({ table }) => table.name === "customer");
    expect(customer?.computed_fields.map(({ name }) => name)).toEqual(["large"]);
  });
});
