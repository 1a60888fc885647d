/**
 * The Relay API over HTTP on a fake SQL Server: the statements that it receives, and the results built from its
 * responses.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows, shopTables } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
/** The statements about rows, and the responses to them. */
const statements: string[] = [];
let answer = "null";

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    statements.push(request.text);
    return [texts([[answer]])];
  });
  server = await startTestServer();
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const configuration = { connection_info: { connection_string } };
  const sources = [{ name: "shop", kind: "mssql", configuration, tables: shopTables }];
  const args = { allow_inconsistent_metadata: false, metadata: { version: 3, sources } };
  const { json } = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(json).toMatchObject({ is_consistent: true });
}, 60_000);

afterAll(async () => {
  await server.close();
  await peer.close();
});

it("The Relay API on SQL Server returns pages as the database built them", async () => {
  const cursor = Buffer.from('{"id":1}').toString("base64");
  answer = '{"edges":[{"node":{"name":"Kim"}}],"pageInfo":{"hasNextPage":true}}';
  const query = `query ($after: String) {
    customer_connection(first: 1, after: $after) { edges { node { name } } pageInfo { hasNextPage } }
  }`;
  const { json } = await server.post("/v1beta1/relay", { query, variables: { after: cursor } });
  expect(json).toEqual({ data: { customer_connection: JSON.parse(answer) } });
  const [text = "", ...others] = statements.splice(0);
  expect(others).toEqual([]);
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).toContain("where t1.[id] > cast(@p2 as int) order by t1.[id] asc");
});

it("The Relay API on SQL Server finds the row of an id and reports invalid ids", async () => {
  const id = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  answer = '{"product":"tea"}';
  const query = "query ($id: ID!) { node(id: $id) { ... on sales_order_line { product } } }";
  const found = await server.post("/v1beta1/relay", { query, variables: { id: id([1, "sales", "order_line", 7, 2]) } });
  expect(found.json).toEqual({ data: { node: { product: "tea" } } });
  expect(statements.splice(0)[0]).toContain(
    "where (t1.[order_id] = cast(@p1 as bigint)) and (t1.[line] = cast(@p2 as int))",
  );
  const other = await server.post("/v1beta1/relay", { query, variables: { id: id([1, "sales", "nothing", 7]) } });
  expect(other.json).toMatchObject({
    errors: [{ message: expect.stringContaining("no such table found: 'sales.nothing'") }],
  });
  expect(statements).toEqual([]);
});
