/** Stored procedures on SQL Server: their visibility to roles, the statement of a call, and refused calls. */
import { describe, expect, it } from "vitest";
import { mssql } from "../../../../../compiler/dialects/mssql/introspect.ts";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import { planQuery, planRootFields } from "../../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../../../runtime/model/schema/sdl.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape } from "../../../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const filter = { owner: { _eq: "X-Engine-User" } };
const models = [
  {
    name: "piece",
    fields: [
      { name: "id", type: { scalar: "int" } },
      { name: "owner", type: { scalar: "varchar" } },
      { name: "no field", type: { scalar: "text", nullable: true } },
    ],
    select_permissions: [{ role: "buyer", permission: { columns: ["id"], filter } }],
  },
];
const pieces = {
  stored_procedure: { schema: "sales", name: "pie]ces" },
  configuration: { exposed_as: "query", custom_name: "pieces" },
  arguments: {
    pattern: { type: "nvarchar(100)", description: "of the name" },
    from: { type: "datetime2", nullable: true },
    Ägypten: { type: "bit", nullable: true },
  },
  returns: "piece",
};

function shopWith(procedures: readonly unknown[], shape = shopShape) {
  return compileShape(shape, [], {}, { logical_models: models, stored_procedures: procedures });
}

const shop = shopWith([pieces]);
const options = { stringifyNumbers: false, nullCollapse: false };

function planned(role: string, query: string, session: ReadonlyMap<string, string> = new Map()) {
  const { plan } = planQuery(readOperation(query, null), roleSchema(shop.role(role)), {}, options);
  const [statement, ...others] = plan.statements;
  if (!statement || others.length > 0) throw new Error("the plan does not have exactly one statement");
  expect(problemsOfTsql(statement.text)).toEqual([]);
  return { text: statement.text, values: bind(statement.slots, { variables: {}, session }) };
}

describe("Stored procedures", () => {
  it("A stored procedure is a query field for roles that may select its model", () => {
    const sdl = printSchema(roleSchema(shop.role("buyer")));
    expect(sdl).toContain(`input pieces_arguments {
  from: datetime2
  """of the name"""
  pattern: String!
}`);
    expect(sdl).toContain('"""Stored Procedure argument pieces"""\n    args: pieces_arguments!');
    expect(sdl).toContain("type piece {\n  id: Int!\n}");
    expect(printSchema(roleSchema(shop.role("admin")))).not.toContain("type subscription_root");
    expect(printSchema(roleSchema(shop.role("other")))).not.toContain("pieces");
  });

  it("A stored procedure receives its arguments as parameters and NULL for omitted ones", () => {
    const { text, values } = planned("admin", `{ pieces(args: {pattern: "x'; drop"}) { id } }`);
    expect(values).toEqual(["x'; drop"]);
    expect(text).toContain("declare @t1a2 nvarchar(100) = @p1;\n");
    expect(text).toContain("= cast(null as datetime2)");
    expect(text).toContain(
      "insert into #engine_t1 ([id], [owner], [no field]) exec [sales].[pie]]ces] @from = @t1a1, @pattern = @t1a2, @Ägypten = @t1a3;\n",
    );
  });

  it("A stored procedure's result table has all its columns in lossless types, even if a role selects only some", () => {
    const { text, values } = planned(
      "buyer",
      '{ pieces(args: {pattern: "a"}) { id } }',
      new Map([["x-engine-user", "mia"]]),
    );
    const table =
      "([id] int null, [owner] varchar(max) collate database_default null, [no field] varchar(max) collate database_default null)";
    expect(text).toContain(`create table #engine_t1 ${table};\n`);
    expect(text).toContain("where t2.[owner] = @p2");
    expect(values).toEqual(["a", "mia"]);
  });

  it("A stored procedure is called once for each field, with a separate table for each call", () => {
    const { text } = planned(
      "admin",
      '{ a: pieces(args: {pattern: "a"}) { id } b: pieces(args: {pattern: "b"}) { id } }',
    );
    expect(text.match(/create table #\w+/g)).toEqual(["create table #engine_t1", "create table #engine_t3"]);
    expect(text.match(/declare @\w+/g)).toHaveLength(6);
  });

  it("A stored procedure's statement is marked as taking several steps", () => {
    const operation = readOperation('{ pieces(args: {pattern: "a"}) { id } }', null);
    const [field] = planRootFields(operation, roleSchema(shop.role("admin")), {}, options);
    expect(field?.statement?.inSteps).toBe(true);
  });
});

describe("Invalid stored procedures", () => {
  const reasons = (...procedures: readonly unknown[]) =>
    shopWith(procedures).analysis.inconsistencies.map(({ reason }) => reason);

  it.each([
    [
      "an argument that SQL cannot name",
      { ...pieces, arguments: { "a = 1, @b": { type: "int" } } },
      '"a = 1, @b" cannot be the name of an argument',
    ],
    [
      "an argument of an unknown type",
      { ...pieces, arguments: { a: { type: "int; drop table x" } } },
      'the type "int; drop table x" of argument "a" is unknown',
    ],
    [
      "an invalid GraphQL name",
      { ...pieces, configuration: { exposed_as: "query" } },
      'cannot include "sales.pie]ces" in the GraphQL schema because it is not a valid GraphQL identifier',
    ],
    ["an unknown model", { ...pieces, returns: "none" }, "The logical model none could not be found"],
  ])("A stored procedure is inconsistent if it has %s", (_, procedure, reason) => {
    expect(reasons(procedure)).toEqual([`Inconsistent object: ${reason}`]);
  });

  it("A stored procedure is inconsistent if its field belongs to another procedure", () => {
    const other = { ...pieces, stored_procedure: "others" };
    expect(reasons(pieces, other)).toEqual([
      'Inconsistent object: the field "pieces" is already used by stored procedure "sales.pie]ces"',
    ]);
  });
});

describe("Declared types of T-SQL variables and columns", () => {
  it.each([
    ["int", "int"],
    ["varchar", "varchar(max)"],
    ["varchar(30)", "varchar(30)"],
    ["NVARCHAR( max )", "nvarchar( max )"],
    ["text", "varchar(max)"],
    ["decimal", "decimal(38, 10)"],
    ["decimal(12,2)", "decimal(12,2)"],
    ["rowversion", "binary(8)"],
    ["varchar(30) not null", undefined],
    ["dbo.alias", undefined],
  ])("The type %s is declared as %s", (written, declared) => {
    expect(mssql.procedures?.declaredType(mssql.typeNamed(shopShape, written))).toBe(declared);
  });
});
