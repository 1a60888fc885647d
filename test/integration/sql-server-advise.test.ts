/** `advise` on a fake SQL Server: indexes, functions and procedures from one catalogue query. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows, shopTables } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
const statements: string[] = [];

const index = (schema: string, table: string, columns: readonly string[], condition: string | null = null) => ({
  schema,
  table,
  name: `ix_${table}_${columns.join("_")}`,
  condition,
  columns: columns.map((name) => ({ name })),
});
const keys = [
  index("dbo", "customer", ["id"]),
  index("sales", "order", ["id"]),
  index("sales", "order_line", ["order_id", "line"]),
];
let indexes: readonly object[] = keys;
let functions: readonly object[] = [];

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.parameters")) return [texts(shopRows)];
    statements.push(request.text);
    return [
      texts([
        ["indexes", JSON.stringify(indexes)],
        ["ownerFunctions", functions.length === 0 ? null : JSON.stringify(functions)],
      ]),
    ];
  });
  server = await startTestServer();
}, 60_000);

afterAll(async () => {
  await server?.close();
  await peer?.close();
});

async function advise(more: object = {}): Promise<{ readonly findings: readonly object[]; readonly skipped: object }> {
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const configuration = { connection_info: { connection_string } };
  const sources = [{ name: "shop", kind: "mssql", configuration, tables: shopTables, ...more }];
  const args = { allow_inconsistent_metadata: false, metadata: { version: 3, sources } };
  const replaced = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(replaced.json).toMatchObject({ is_consistent: true });
  statements.length = 0;
  return (await server.post("/v1/metadata", { type: "advise", args: { authenticated_only: true } })).json;
}

it("One statement, which is valid T-SQL, reads the indexes and functions", async () => {
  expect((await advise()).skipped).toEqual([]);
  expect(statements).toHaveLength(1);
  expect(problemsOfTsql(statements[0] ?? "")).toEqual([]);
});

it("A missing index is a finding of the filter and of the join, with a statement that creates it", async () => {
  indexes = keys;
  const fix = "create an index: CREATE INDEX [ix_order_customer_id] ON [sales].[order] ([customer_id])";
  expect((await advise()).findings).toMatchObject([
    { rule: "unindexed-join", place: "shop.dbo.customer.orders", fix },
    {
      rule: "unindexed-filter",
      place: "shop.sales.order.customer_id",
      reason: expect.stringContaining("no index of sales.order begins with customer_id"),
      fix,
    },
  ]);
});

it("An index serves filter and join, also if it leaves out NULL, and an index of some rows does not", async () => {
  indexes = [...keys, index("sales", "order", ["customer_id", "id"])];
  expect((await advise()).findings).toEqual([]);
  indexes = [...keys, index("sales", "order", ["customer_id"], "([customer_id] IS NOT NULL)")];
  expect((await advise()).findings).toEqual([]);
  indexes = [...keys, index("sales", "order", ["customer_id"], "([is_paid]=(0))")];
  expect((await advise()).findings).toMatchObject([
    { rule: "unindexed-join" },
    {
      rule: "unindexed-filter",
      reason: expect.stringContaining(
        "the index ix_order_customer_id of sales.order contains only rows with ([is_paid]=(0))",
      ),
    },
  ]);
});

it("A procedure and a function WITH EXECUTE AS that a role calls are findings, and those that no role calls are not", async () => {
  indexes = [...keys, index("sales", "order", ["customer_id"])];
  functions = [
    { schema: "dbo", name: "best_customers", id: 7, user: null },
    { schema: "dbo", name: "worst_customers", id: 8, user: null },
    { schema: "sales", name: "orders_of", id: 1_061_578_820, user: "auditor" },
  ];
  const fields = [{ name: "id", type: { scalar: "int" } }];
  const select_permissions = [{ role: "buyer", permission: { columns: ["id"], filter: {} } }];
  const found = await advise({
    functions: [
      {
        function: { schema: "sales", name: "orders_of" },
        configuration: { response: { table: { schema: "sales", name: "order" }, type: "table" } },
      },
    ],
    logical_models: [
      { name: "best", fields, select_permissions },
      { name: "worst", fields },
    ],
    stored_procedures: [
      {
        stored_procedure: { schema: "dbo", name: "best_customers" },
        returns: "best",
        configuration: { exposed_as: "query" },
      },
      {
        stored_procedure: { schema: "dbo", name: "worst_customers" },
        returns: "worst",
        configuration: { exposed_as: "query" },
      },
    ],
  });
  expect(found.findings).toMatchObject([
    {
      rule: "owner-function",
      place: "shop.dbo.best_customers",
      path: "$.sources[0].stored_procedures[0]",
      reason: expect.stringContaining("the procedure best_customers runs with the rights of its owner, and role buyer"),
      fix: "declare it EXECUTE AS CALLER, or do not permit it to role buyer",
    },
    {
      place: "shop.sales.orders_of",
      reason: expect.stringContaining(
        "the function sales.orders_of runs with the rights of user auditor, and role buyer",
      ),
    },
  ]);
});
