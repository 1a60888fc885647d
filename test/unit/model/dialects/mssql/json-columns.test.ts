/** Text columns of SQL Server that the metadata declares as JSON. */
import { describe, expect, it } from "vitest";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

type Permission = Readonly<Record<string, unknown>>;

/** Returns the customers of the shop with a column declared as JSON. */
function shopWith(column: string, permission: Permission = { columns: ["id"], filter: {} }) {
  const tables = shopTables.map((table) => {
    if (table.table !== "customer") return table;
    const configuration = { column_config: { [column]: { json: true } } };
    return { ...table, configuration, select_permissions: [{ role: "reader", permission }] };
  });
  return compileShape(shopShape, tables);
}

const options = { stringifyNumbers: false, nullCollapse: false };
const reasons = (column: string, permission?: Permission) =>
  shopWith(column, permission).analysis.inconsistencies.map(({ reason }) => reason);

/** Returns the only statement of an operation of admin, and its values. */
function sent(text: string, variables: Readonly<Record<string, unknown>> = {}) {
  const schema = roleSchema(shopWith("name").role("admin"));
  const operation = readOperation(text, null);
  const { plan } = (text.startsWith("mutation") ? planMutation : planQuery)(operation, schema, variables, options);
  const [statement] = [...plan.statements, ...plan.writes.flatMap(({ steps }) => steps)];
  const values = bind(statement?.slots ?? [], { variables, session: new Map() });
  return { text: statement?.text ?? "", values };
}

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe("JSON columns on SQL Server", () => {
  it("A column declared as JSON must have a text type", () => {
    expect(reasons("name")).toEqual([]);
    expect(reasons("id")).toContain(
      'Inconsistent object: the column "id" is declared as JSON, but its type int is not a text type',
    );
  });

  it("A column declared as JSON can be used in permissions", () => {
    const permission = { columns: ["name"], filter: { _not: { name: { _contains: { tags: ["x"] } } } } };
    expect(reasons("name", permission)).toEqual([]);
    const schema = roleSchema(shopWith("name", permission).role("reader"));
    const { plan } = planQuery(readOperation("{ customer { name } }", null), schema, {}, options);
    expect(plan.statements.flatMap(({ text }) => problemsOfTsql(text))).toEqual([]);
    expect(plan.statements[0]?.text).toContain('N\'{"tags":["x"]}\'');
  });

  it("A permission with JSON nested too deeply for comparison is reported as inconsistent", () => {
    const filter = { name: { _contains: nested(4) } };
    expect(reasons("name", { columns: ["id"], filter })).toEqual([
      expect.stringContaining("JSON that is nested deeper than 3 levels cannot be compared on SQL Server"),
    ]);
  });
});

describe("Values of JSON columns on SQL Server", () => {
  it("JSON values are sent as parameters and never as SQL", () => {
    const query = "query ($v: jsonb) { customer(where: { name: { _contains: $v } }) { id } }";
    const value = { "it's": ["'; drop table x --", 1.5, null] };
    const { text, values } = sent(query, { v: value });
    expect(problemsOfTsql(text)).toEqual([]);
    expect(text).not.toContain("drop");
    expect(values).toEqual([JSON.stringify(value)]);
  });

  it("JSON values nested too deeply for comparison are refused", () => {
    const query = "query ($v: jsonb) { customer(where: { name: { _eq: $v } }) { id } }";
    expect(sent(query, { v: nested(3) }).values).toEqual([JSON.stringify(nested(3))]);
    expect(() => sent(query, { v: nested(4) })).toThrow("nested deeper than 3 levels");
  });

  it("Values inserted into JSON columns are objects or lists", () => {
    const insert = (value: string) => `mutation { insert_customer(objects: [{ name: ${value} }]) { affected_rows } }`;
    expect(sent(insert("[true]")).values).toContain(JSON.stringify(["[true]"]));
    for (const value of ["5", '"{}"', "true"]) {
      expect(() => sent(insert(value))).toThrow("expected an object or a list for a JSON column");
    }
  });
});
