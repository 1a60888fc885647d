/** Saved operations on SQL Server are planned ahead, and send the same statements as a request with the same text. */
import { describe, expect, it } from "vitest";
import { sqlLines } from "../../../../../compiler/5-plan/sql-lines.ts";
import { mssql } from "../../../../../compiler/dialects/mssql/introspect.ts";
import { compileAnalysis } from "../../../../../runtime/control/compile-analysis.ts";
import { bind, type ParameterSlot } from "../../../../../runtime/model/definitions/parameters.ts";
import type { RoleDefinition } from "../../../../../runtime/model/definitions/roots.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import type { SavedPlans } from "../../../../../runtime/model/planner/saved-plans.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";

const comparable = [
  "bigint",
  "bit",
  "date",
  "datetime",
  "datetime2",
  "decimal",
  "float",
  "geometry",
  "int",
  "nvarchar",
];
const more = ["money", "time", "tinyint", "uniqueidentifier", "varbinary", "varchar"];
const types = [...comparable, ...more];
const scalarOf: Readonly<Record<string, string>> = {
  bigint: "Int",
  bit: "Boolean",
  decimal: "Float",
  float: "Float",
  int: "Int",
  money: "Float",
  nvarchar: "String",
  tinyint: "Int",
  varchar: "String",
};
const givenOf: Readonly<Record<string, unknown>> = { Int: 3, Float: 1.5, Boolean: true, varbinary: "0x00ff" };

const everyType = `query EveryType(${types.map((type) => `$${type}: ${scalarOf[type] ?? type}!`).join(", ")}) {
  every_type(where: {${types.map((type) => `a_${type}: {_eq: $${type}}`).join(", ")}}) { a_int }
}`;

const operations: Readonly<Record<string, string>> = {
  EveryType: everyType,
  Several: "query Several($a: Int!, $b: Int!) { customer(where: {id: {_in: [$a, $b, 7]}}, limit: 2) { id } }",
  Orders: "query Orders { sales_order(where: {total: {_in: [1.5, 2]}}) { id customer { name } } }",
  Insert: `mutation Insert($name: String!) {
    insert_customer(objects: [{name: $name, orders: {data: [{total: 1.5}]}}, {name: "b"}]) { affected_rows }
  }`,
  Upsert: `mutation Upsert($name: String!) {
    insert_customer_one(object: {name: $name, email: "e"}, if_matched: {match_columns: [email], update_columns: [name]}) { id }
  }`,
  Update:
    "mutation Update($id: Int!, $by: Float!) { update_sales_order(where: {id: {_eq: $id}}, _inc: {total: $by}) { affected_rows } }",
  Delete: "mutation Delete($id: Int!) { delete_sales_order_by_pk(id: $id) { id } }",
};

const queries = Object.entries(operations).map(([name, query]) => ({ name, query }));
const { analysis } = compileShape(shopShape, shopTables, {
  query_collections: [{ name: "saved", definition: { queries } }],
  allowlist: [{ collection: "saved", scope: { global: true } }],
});
const options = { stringifyNumbers: false, nullCollapse: false };
const { program, planned, loader } = compileAnalysis({ analysis, planning: options });

interface Sent {
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
}

function sent(plan: {
  readonly statements: readonly Sent[];
  readonly writes: readonly { readonly steps: readonly Sent[] }[];
}) {
  const session = new Map([["x-engine-customer-id", "7"]]);
  const isBound = ({ kind }: ParameterSlot) => kind !== "result" && kind !== "copied";
  return [...plan.statements, ...plan.writes.flatMap(({ steps }) => steps)].map(({ text, slots }) => ({
    text,
    values: slots.filter(isBound).map((slot) => bind([slot], { variables, session })),
  }));
}

const variables: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(types.map((type) => [type, givenOf[scalarOf[type] ?? type] ?? "text"])),
  ...{ a: 1, b: 2, name: "Ada", id: 5, by: 2.5 },
};

describe("Saved operations on SQL Server", () => {
  it.each(queries)("The saved plan sends the same statements as a plan at request time: $name", ({ name, query }) => {
    const operation = [...program.savedOperations()].find((each) => each.name === name);
    if (!operation) throw new Error("it is not saved");
    const path = planned.savedPlans(operation, "admin");
    if (path === undefined) throw new Error("it is not planned ahead");
    const { plans } = loader.require(path, planned.module(path)) as { readonly plans: SavedPlans };
    const [usual] = Object.values(plans.plans);
    if (!usual) throw new Error("it has no plan");
    const { role } = loader.require(program.roleModule("admin")) as { readonly role: RoleDefinition };
    const make = query.startsWith("mutation") ? planMutation : planQuery;
    const { plan } = make(readOperation(query, null), roleSchema(role), variables, options);
    const inLines = sent(plan).map(({ text, values }) => ({ text: sqlLines(text, mssql.quoted), values }));
    expect(sent(usual)).toEqual(inLines);
  });
});
