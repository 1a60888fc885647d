import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogStatement } from "../../../compiler/dialects/mssql/introspect/statement.ts";
import { introspectMssql, mssql } from "../../../compiler/dialects/mssql/introspect.ts";
import { shopRows, shopShape } from "../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const table = (name: string) => shopShape.tables.find((each) => each.name === name);

describe("Introspection of SQL Server", () => {
  it("The introspection statement is valid T-SQL", () => {
    expect(problemsOfTsql(catalogStatement)).toEqual([]);
  });

  it("Introspection of SQL Server returns the same bytes for any order of its sections", async () => {
    const expected = JSON.stringify(shopShape);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...shopRows], { minLength: shopRows.length }), async (rows) => {
        expect(JSON.stringify(await introspectMssql(async () => rows))).toBe(expected);
      }),
    );
  });

  it("Introspection of SQL Server lists the server version, and tables by schema and name", () => {
    expect(shopShape).toMatchObject({ kind: "mssql", serverVersion: "15.0.4415.2", types: [] });
    expect(shopShape.tables.map(({ schema, name, kind }) => `${schema}.${name} ${kind}`)).toEqual([
      "dbo.customer table",
      "dbo.every_type table",
      "sales.open_order view",
      "sales.order table",
      "sales.order_line table",
    ]);
  });

  it("Introspection of SQL Server lists the arguments and results of functions", () => {
    const [greeting, lines, orders] = shopShape.functions;
    expect(greeting).toMatchObject({ schema: "dbo", name: "greeting", returnsSet: false, volatility: "stable" });
    expect(greeting?.returns).toMatchObject({ name: "nvarchar", sql: "nvarchar(200)" });
    expect(greeting?.columns).toBeUndefined();
    expect(greeting?.arguments.map(({ name, type }) => `${name} ${type.sql}`)).toEqual([
      "name nvarchar(100)",
      "word nvarchar(20)",
    ]);
    expect(orders).toMatchObject({ schema: "sales", name: "orders_of", returnsSet: true, comment: "of one customer" });
    expect(orders?.arguments.map(({ name, type }) => `${name} ${type.sql}`)).toEqual([
      "customer int",
      "least decimal(12, 2)",
      "session nvarchar(max)",
    ]);
    expect(orders?.columns?.map(({ name, type }) => `${name} ${type.sql}`)).toContain("total decimal(12, 2)");
    expect(lines?.arguments[0]?.type.category).toBe("pseudo");
  });

  it("Introspection of SQL Server writes types as in a cast", () => {
    const types = new Map(table("every_type")?.columns.map(({ name, type }) => [name, type.sql]));
    expect(types.get("a_decimal")).toBe("decimal(10, 3)");
    expect(types.get("a_nvarchar")).toBe("nvarchar(2)");
    expect(types.get("a_varchar")).toBe("varchar(4)");
    expect(types.get("a_datetime2")).toBe("datetime2(3)");
    expect(table("order")?.columns.find(({ name }) => name === "label")?.type.sql).toBe("nvarchar(max)");
  });

  it("Introspection of SQL Server keeps the collations of text columns", () => {
    const collations = table("customer")?.columns.map(({ type }) => type.collation);
    expect(collations).toEqual([undefined, "database_default", "database_default", undefined]);
    const call = (collation?: string) =>
      mssql.scalarCall({
        ...mssql.typeNamed(shopShape, "varchar(9)"),
        ...(collation === undefined ? {} : { collation }),
      });
    expect(call("Greek_CI_AS").arguments).toEqual(["varchar", { cast: "varchar(9)", collation: "Greek_CI_AS" }]);
    expect(call().arguments).toEqual(["varchar"]);
    expect(mssql.scalarOf(call("x]; drop table t")).ofText).toBeUndefined();
  });

  it("Introspection of SQL Server marks columns that the server writes itself", () => {
    const flags = (name: string) =>
      table(name)?.columns.map((column) => [column.name, column.identity, column.generated, column.hasDefault]);
    expect(flags("customer")).toEqual([
      ["id", "always", false, false],
      ["name", null, false, false],
      ["email", null, false, false],
      ["version", null, true, false],
    ]);
    expect(flags("order")?.slice(-3)).toEqual([
      ["total", null, false, false],
      ["is_paid", null, false, true],
      ["label", null, true, false],
    ]);
  });

  it("Introspection of SQL Server lists keys, except into schemas that it does not read", () => {
    expect(table("order_line")?.primaryKey).toEqual({ name: "pk_line", columns: ["order_id", "line"] });
    expect(table("customer")?.uniqueKeys).toEqual([{ name: "uq_email", columns: ["email"] }]);
    expect(table("order")?.foreignKeys).toEqual([
      {
        name: "fk_customer",
        id: 11,
        columns: ["customer_id"],
        foreignTable: { schema: "dbo", name: "customer" },
        foreignColumns: ["id"],
      },
    ]);
  });

  it("Introspection of SQL Server marks untrusted keys and tables with a security policy", async () => {
    const rows = shopRows.map(([section = "", json = ""]): readonly (string | null)[] => {
      const marked = (json ?? "").replaceAll('"targetPosition":1', '"targetPosition":1,"isUnchecked":true');
      if (section === "foreignKeys") return [section, marked];
      return section === "relations"
        ? [section, (json ?? "").replaceAll('"kind":"U"', '"kind":"U","hidesRows":true')]
        : [section, json];
    });
    const { tables } = await introspectMssql(async () => rows);
    expect(tables.flatMap(({ foreignKeys }) => foreignKeys).every(({ isUnchecked }) => isUnchecked === true)).toBe(
      true,
    );
    expect(new Set(tables.map(({ kind, hidesRows }) => `${kind} ${hidesRows}`))).toContain("table true");
  });

  it("Introspection refuses a database with an old compatibility level", async () => {
    const rows = (level: string) => [...shopRows, ["compatibility", level]];
    await expect(introspectMssql(async () => rows("120"))).rejects.toMatchObject({
      code: "not-supported",
      message: expect.stringContaining('run "alter database current set compatibility_level = 150"'),
    });
    expect(await introspectMssql(async () => rows("130"))).toEqual(shopShape);
  });

  it("Introspection of SQL Server supports an empty database", async () => {
    const sections = ["relations", "columns", "keys", "foreignKeys", "functions", "parameters", "returnedColumns"];
    const shape = await introspectMssql(async () => [["version", "16.0"], ...sections.map((name) => [name, null])]);
    expect(shape.tables).toEqual([]);
  });
});

describe("Types of SQL Server", () => {
  it.each([
    ["INTEGER", "int", "Int"],
    ["varchar(30)", "varchar", "String"],
    ["decimal(10, 2)", "decimal", "Float"],
    ["rowversion", "timestamp", "timestamp"],
    ["UNIQUEIDENTIFIER", "uniqueidentifier", "uniqueidentifier"],
    ["bit", "bit", "Boolean"],
    ["something", "something", "something"],
  ])("The type %s is %s, and %s in GraphQL", (written, name, graphql) => {
    const type = mssql.typeNamed(shopShape, written);
    expect(type.name).toBe(name);
    expect(mssql.scalarOf(mssql.scalarCall(type)).graphql).toBe(graphql);
  });

  it("The values of a SQL Server enum table are read from its text key", async () => {
    const columns = { value: "name", comment: "email" };
    const statements: string[] = [];
    const values = await mssql.readEnumValues(
      async (sql) => {
        statements.push(sql);
        return [
          ["b", null],
          ["a", "first"],
        ];
      },
      { schema: "dbo", name: "cust]omer" },
      columns,
    );
    expect(statements).toEqual(["select [name] as [value], [email] as [comment] from [dbo].[cust]]omer]"]);
    expect(values).toEqual([
      { value: "a", comment: "first" },
      { value: "b", comment: null },
    ]);
  });
});
