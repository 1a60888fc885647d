/** Functions of a fake SQL Server over HTTP: tracked and as computed fields, and the roles that may call them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows, shopTables } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
const statements: { readonly text: string; readonly values: readonly (string | null)[] }[] = [];
let answer = "[]";

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    statements.push(request);
    return [texts([[answer]])];
  });
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_INFER_FUNCTION_PERMISSIONS: "false" } });
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const configuration = { connection_info: { connection_string } };
  const sources = [{ name: "shop", kind: "mssql", configuration, tables: shopTables }];
  const args = { allow_inconsistent_metadata: false, metadata: { version: 3, sources } };
  expect((await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args })).json).toMatchObject({
    is_consistent: true,
  });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await peer?.close();
});

const ordersOf = { schema: "sales", name: "orders_of" };

async function change(type: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  return (await server.post("/v1/metadata", { type, args: { source: "shop", ...args } })).json;
}

const ask = async (query: string, role: string, variables: unknown = {}) => {
  statements.length = 0;
  const headers = { "X-Engine-Role": role, "X-Engine-Customer-Id": "7" };
  return (await server.post("/v1/graphql", { query, variables }, headers)).json;
};

it("A tracked SQL Server function returns the permitted rows to permitted roles", async () => {
  const response = { type: "table", table: { schema: "sales", name: "order" } };
  const configuration = { response, session_argument: "session" };
  expect(await change("mssql_track_function", { function: ordersOf })).toMatchObject({
    code: "invalid-configuration",
    error: expect.stringContaining('"response" must name the tracked table whose rows it returns'),
  });
  expect(await change("mssql_track_function", { function: ordersOf, configuration })).toEqual({ message: "success" });
  const query = "query ($id: Int!) { sales_orders_of(args: {customer: $id}) { id } }";
  expect(await ask(query, "buyer", { id: 3 })).toMatchObject({
    errors: [{ message: "field 'sales_orders_of' not found in type: 'query_root'" }],
  });
  expect(await change("mssql_create_function_permission", { function: ordersOf, role: "nobody" })).toMatchObject({
    code: "not-supported",
  });
  expect(await change("mssql_create_function_permission", { function: ordersOf, role: "buyer" })).toEqual({
    message: "success",
  });
  answer = '[{"id":1}]';
  expect(await ask(query, "buyer", { id: 3 })).toEqual({ data: { sales_orders_of: [{ id: 1 }] } });
  const [{ text, values } = { text: "", values: [] }] = statements;
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).toMatch(/from \[sales\]\.\[orders_of\]\(cast\(@p1 as int\), default, @p2\) t1 where .*\[customer_id\]/);
  expect(JSON.parse(values[1] ?? "null")).toEqual({ "x-engine-role": "buyer", "x-engine-customer-id": "7" });
  expect(await change("mssql_untrack_function", { function: ordersOf })).toEqual({ message: "success" });
});

it("A SQL Server computed field is part of the permission and exported as it was written", async () => {
  const definition = { function: { schema: "dbo", name: "greeting" }, argument_mapping: { name: "name" } };
  const args = { table: { schema: "dbo", name: "customer" }, name: "hello" };
  expect(await change("mssql_add_computed_field", { ...args, definition })).toEqual({ message: "success" });
  const query = "query ($word: String) { customer { hello(args: {word: $word}) } }";
  expect(await ask(query, "buyer", { word: "Hi" })).toMatchObject({
    errors: [{ message: "field 'hello' not found in type: 'customer'" }],
  });
  answer = '[{"hello":"Hi Kim"}]';
  expect(await ask(query, "admin", { word: "Hi'; drop table x --" })).toEqual({
    data: { customer: [{ hello: "Hi Kim" }] },
  });
  const [{ text, values } = { text: "", values: [] }] = statements;
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).toContain("[dbo].[greeting](t1.[name], @p1) as [hello]");
  expect(values).toEqual(["Hi'; drop table x --"]);
  const { json } = await server.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
  expect(JSON.stringify(json)).toContain(
    '"computed_fields":[{"name":"hello","definition":{"function":{"name":"greeting","schema":"dbo"},"argument_mapping":{"name":"name"}}}]',
  );
  expect(await change("mssql_drop_computed_field", args)).toEqual({ message: "success" });
});
