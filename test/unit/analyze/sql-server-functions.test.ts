/**
 * Functions of SQL Server, which has no row types: the metadata defines the arguments that they take from a row, and
 * the table whose rows they return.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import { planQuery } from "../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../support/compiled.ts";
import { sqlServerLibrary } from "../../support/mssql-golden.ts";
import { shopShape, shopTables } from "../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const ordersOf = { schema: "sales", name: "orders_of" };
const order = { schema: "sales", name: "order" };

interface Given {
  readonly tracked?: readonly unknown[];
  /** The columns of customers. */
  readonly fields?: readonly unknown[];
  /** More members of the table of customers. */
  readonly customer?: Readonly<Record<string, unknown>>;
}

function shop({ tracked = [], fields = [], customer = {} }: Given) {
  const tables = shopTables.map((table) =>
    table.table === "customer" ? { ...table, ...customer, computed_fields: fields } : table,
  );
  return compileShape(shopShape, tables, {}, { functions: tracked });
}

const reasons = (given: Given) => shop(given).analysis.inconsistencies.map(({ reason }) => reason);

const tracked = (configuration: unknown, name: unknown = ordersOf) => ({
  tracked: [{ function: name, configuration }],
});
const field = (definition: Readonly<Record<string, unknown>>) => ({ fields: [{ name: "f", definition }] });

const response = { type: "table", table: order };
const mapped = { function: ordersOf, argument_mapping: { customer: "id" }, return_table: order };
const greeting = { function: "greeting", argument_mapping: { name: "name" } };

describe("SQL Server functions", () => {
  it("A SQL Server function is tracked with the table of its rows and has only optional arguments", () => {
    const { analysis, role } = shop(tracked({ response, session_argument: "session" }));
    expect(analysis.inconsistencies).toEqual([]);
    const { plan } = planQuery(
      readOperation("{ sales_orders_of(args: { least: 5 }, limit: 2) { id } }", null),
      roleSchema(role("buyer")),
      {},
      { stringifyNumbers: false, nullCollapse: false },
    );
    const [text = ""] = plan.statements.map((statement) => statement.text);
    expect(problemsOfTsql(text)).toEqual([]);
    expect(text).toMatch(/from \[sales\]\.\[orders_of\]\(default, cast\(@p\d as decimal\(38, 12\)\), @p\d\) t1 where /);
    expect(plan.statements[0]?.slots.map(({ kind }) => kind)).toContain("whole_session");
  });

  it.each([
    ["without a table", {}, '"response" must name the tracked table whose rows it returns'],
    ["with another response", { response: { type: "rows" } }, '"response" must be {"type": "table", "table": …}'],
    ["that gives other rows", { response: { type: "table", table: "customer" } }, 'its rows have no column "name"'],
    ["of an unknown table", { response: { type: "table", table: "nothing" } }, 'table "nothing" is not tracked'],
    ["as a mutation", { response, exposed_as: "mutation" }, "is not marked VOLATILE"],
    [
      "with a short session argument",
      { response, session_argument: "customer" },
      'given session argument "customer" is not of type nvarchar(max)',
    ],
  ])("A SQL Server function %s is inconsistent", (_, configuration, reason) => {
    expect(reasons(tracked(configuration))).toEqual([expect.stringContaining(reason)]);
  });

  it("A SQL Server function is inconsistent if it takes a table, returns a scalar or has columns of other types", () => {
    const lines = { response: { type: "table", table: { schema: "sales", name: "order_line" } } };
    expect(reasons(tracked(lines, { schema: "sales", name: "lines_of" }))).toEqual([
      expect.stringMatching(
        /argument "orders" takes a table.*column "order_id" of its rows is of type int, and that of table "sales.order_line" is bigint.*no column "product"/s,
      ),
    ]);
    expect(reasons(tracked({ response }, "greeting"))).toEqual([
      expect.stringContaining('it returns a scalar, but "response" names a table'),
    ]);
  });
});

describe("SQL Server computed fields", () => {
  it("A SQL Server computed field takes columns of the row and can be used in permissions", () => {
    const { analysis, role } = shop({
      fields: [
        { name: "large_orders", definition: { ...mapped, session_argument: "session" } },
        { name: "hello", definition: { ...greeting, argument_mapping: { name: "name", word: "email" } } },
      ],
      customer: {
        select_permissions: [
          {
            role: "buyer",
            permission: { columns: ["id"], computed_fields: ["hello"], filter: { hello: { _like: "Hi%" } } },
          },
        ],
      },
    });
    expect(analysis.inconsistencies).toEqual([]);
    const { plan } = planQuery(
      readOperation("{ customer(order_by: { hello: asc }) { hello large_orders { id } } }", null),
      roleSchema(role("buyer")),
      {},
      { stringifyNumbers: false, nullCollapse: false },
    );
    const [text = ""] = plan.statements.map((statement) => statement.text);
    expect(problemsOfTsql(text)).toEqual([]);
    expect(text).toContain("[dbo].[greeting](t1.[name], t1.[email]) as [hello]");
    expect(text).toContain("where [dbo].[greeting](t1.[name], t1.[email]) like N'Hi%'");
    expect(text).toMatch(/from \[sales\]\.\[orders_of\]\(t1\.\[id\], default, @p\d\) t2/);
  });

  it.each([
    ["without a column", { function: "greeting" }, '"argument_mapping" maps no argument to a column of the row'],
    [
      "of a column that is not there",
      { ...greeting, argument_mapping: { name: "nane" } },
      '"nane" in "argument_mapping" is not a column of table "customer" (did you mean "name"?)',
    ],
    [
      "of an argument that is not there",
      { ...greeting, argument_mapping: { who: "name" } },
      '"who" is not an input argument of the function "greeting"',
    ],
    ["with a row", { ...greeting, table_argument: "name" }, '"table_argument" is only for databases with row types'],
    ["of rows without a table", { ...mapped, return_table: undefined }, '"return_table" must name the tracked table'],
    [
      "of a value with a table",
      { ...greeting, return_table: order },
      'it returns a scalar, but "return_table" names a table',
    ],
    [
      "whose session argument is also a column",
      { ...mapped, session_argument: "session", argument_mapping: { session: "name" } },
      '"session" receives the session variables and cannot be in "argument_mapping"',
    ],
  ])("A SQL Server computed field %s is inconsistent", (_, definition, reason) => {
    const written = Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined));
    expect(reasons(field(written))).toEqual([expect.stringContaining(reason)]);
  });
});

it("A SQL Server computed field may not pass a column that the argument's type cannot be converted from", () => {
  const definition = { ...mapped, argument_mapping: { customer: "placed_at" } };
  const tables = shopTables.map((table) =>
    JSON.stringify(table.table) === JSON.stringify(order)
      ? { ...table, computed_fields: [{ name: "f", definition }] }
      : table,
  );
  const { analysis } = compileShape(shopShape, tables, {});
  expect(analysis.inconsistencies.map(({ reason }) => reason)).toEqual([
    expect.stringContaining(
      'the argument "customer" has type "int", to which the database cannot convert column "placed_at"',
    ),
  ]);
});

describe("Examples of docs/how-to/sql-server.md", () => {
  it("The examples of docs/how-to/sql-server.md are valid operations with the declarations of the golden cases", async () => {
    const page = await readFile(join(import.meta.dirname, "../../../docs/how-to/sql-server.md"), "utf8");
    const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => JSON.parse(text));
    expect(examples.map(({ type }) => type)).toEqual([
      "mssql_track_function",
      "mssql_add_computed_field",
      "mssql_set_table_customization",
    ]);
    for (const example of examples) expect(decodeRequest("/v1/metadata", example)).toMatchObject({ ok: true });
    const [source] = sqlServerLibrary.analysis.catalog.sources;
    const [track, add] = examples.map(({ args }) => args);
    expect(source?.functions[0]?.function).toEqual(track.function);
    expect(source?.functions[0]?.configuration?.response).toEqual({ type: "table", table: "book" });
    expect(track.configuration.response.table).toEqual({ schema: "dbo", name: "book" });
    const author = source?.tables.find(({ table }) => table.name === "author");
    expect(author?.computed_fields).toEqual([{ name: add.name, definition: add.definition }]);
  });
});
