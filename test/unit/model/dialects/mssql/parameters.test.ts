/** Native queries and list session variables on SQL Server are parameters, never SQL text. */
import { expect, it } from "vitest";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape } from "../../../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const permission = { columns: "*", filter: { id: { _in: "X-Engine-Ids" } } };
const tables = [{ table: "customer", select_permissions: [{ role: "buyer", permission }] }];
const shop = compileShape(
  shopShape,
  tables,
  {},
  {
    logical_models: [{ name: "piece", fields: [{ name: "id", type: { scalar: "int", nullable: false } }] }],
    native_queries: [
      {
        root_field_name: "pieces",
        returns: "piece",
        code: "select id from dbo.customer where name like {{pattern}}",
        arguments: { pattern: { type: "nvarchar(100)", nullable: false } },
      },
    ],
  },
);

function planned(role: string, query: string, session: ReadonlyMap<string, string> = new Map()) {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planQuery(readOperation(query, null), roleSchema(shop.role(role)), {}, options);
  const [statement] = plan.statements;
  if (!statement) throw new Error("the plan has no statement");
  expect(problemsOfTsql(statement.text)).toEqual([]);
  return { text: statement.text, values: bind(statement.slots, { variables: {}, session }) };
}

it("Arguments of native queries are sent as parameters", () => {
  const { text, values } = planned("admin", `{ pieces(args: {pattern: "x'; drop"}, where: {id: {_gt: 3}}) { id } }`);
  expect(values).toContain("x'; drop");
  expect(text).not.toContain("drop");
});

it("A list session variable is one parameter in JSON or PostgreSQL notation", () => {
  const { text, values } = planned("buyer", "{ customer { id } }", new Map([["x-engine-ids", "[1, 2]"]]));
  expect(values).toEqual(["[1, 2]"]);
  expect(text).toContain("from openjson(case when cast(@p1 as nvarchar(max)) = N'{}' then N'[]' when ");
  expect(text).toContain("else cast(@p1 as nvarchar(max)) end)");
  expect(text).toContain(`not like N'%["\\]%'`);
});
