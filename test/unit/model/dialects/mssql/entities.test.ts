/** Entities of Apollo Federation on SQL Server. */
import { describe, expect, it } from "vitest";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import { mergePlaced } from "../../../../../runtime/model/dialects/placed-texts.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const tables = shopTables.map((table) => ({ ...table, apollo_federation_config: { enable: "v1" } }));
const shop = compileShape(shopShape, tables, {}, {}, ["apollo_federation"]);

function planned(role: string, query: string, variables: Readonly<Record<string, unknown>>) {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planQuery(readOperation(query, null), roleSchema(shop.role(role)), variables, options);
  const [statement] = plan.statements;
  if (!statement) throw new Error("the plan has no statement");
  expect(problemsOfTsql(statement.text)).toEqual([]);
  const session = new Map([["x-engine-customer-id", "7"]]);
  return { text: statement.text, values: bind(statement.slots, { variables, session }) };
}

const query = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on customer { name orders { id } }
    ... on sales_order_line { product }
  }
}`;

describe("Federated entities on SQL Server", () => {
  it("Entities are selected by their keys, as parameters, in the order of the representations", () => {
    const representations = [
      { __typename: "sales_order_line", order_id: 5, line: 1 },
      { __typename: "customer", id: 2 },
      { __typename: "customer", id: 1 },
    ];
    const { text, values } = planned("admin", query, { representations });
    expect(values).toEqual(['["1","2"]', '["2","1"]', '["0"]', '["5"]', '["1"]']);
    expect(text).toContain("string_agg(isnull(t1.v, N'null'), N',') within group (order by t1.i)");
    expect(text).toContain(
      "from (select cast(l1.[key] as int) as n, l1.[value] as i, l2.[value] as k1 from openjson(@p1) l1",
    );
    expect(text).toContain(".[order_id] = cast(");
  });

  it("Entities are only rows that the role may select", () => {
    const { text, values } = planned("buyer", query, { representations: [{ __typename: "customer", id: 1 }] });
    expect(values).toEqual(["7", '["0"]', '["1"]']);
    expect(text).toContain("cast(@p1 as int)");
  });

  it("A missing entity is null among entities of other databases", () => {
    expect(mergePlaced(["1\u001fnull", '0\u001f{"id":1}'])).toBe('[{"id":1},null]');
  });
});
