/** Data operations on a fake SQL Server: the statements that it receives, and the results built from its responses. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
const statements: string[] = [];
let answer = "null";
/** Responses that the server sends first, instead of results. */
const failures: (readonly TdsAnswer[])[] = [];

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    statements.push(request.text);
    const failure = failures.shift();
    if (failure) return failure;
    return [texts([[answer]])];
  });
  server = await startTestServer();
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const configuration = { connection_info: { connection_string } };
  const sources = [{ name: "shop", kind: "mssql", configuration, tables: [{ table: "customer" }] }];
  await server.metadata("replace_metadata", { metadata: { version: 3, sources } });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await peer?.close();
});

const data = (type: string, args: object) =>
  server.post("/v2/query", { type, args: { source: "shop", table: "customer", ...args } });

it("mssql_select reads rows with values as parameters", async () => {
  answer = '[{"id":1,"name":"Kim"}]';
  const { status, json } = await data("mssql_select", {
    columns: ["id", "name"],
    where: { name: { _eq: "x'; drop table customer --" } },
    limit: 2,
  });
  expect({ status, json }).toEqual({ status: 200, json: JSON.parse(answer) });
  const [text = "", ...others] = statements.splice(0);
  expect(others).toEqual([]);
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).not.toContain("drop");
});

it("mssql_count counts rows", async () => {
  answer = '{"aggregate":{"count":7}}';
  expect((await data("mssql_count", { where: {} })).json).toEqual({ count: 7 });
  expect(statements.splice(0).flatMap(problemsOfTsql)).toEqual([]);
});

it("mssql_insert, mssql_update and mssql_delete run valid T-SQL", async () => {
  answer = '{"affected_rows":1}';
  await data("mssql_insert", { objects: [{ name: "Kim" }] });
  await data("mssql_update", { where: { id: { _eq: 1 } }, $set: { name: "Robin" } });
  await data("mssql_delete", { where: { id: { _eq: 1 } } });
  const written = statements.splice(0);
  for (const word of ["insert", "update", "delete"]) {
    expect(written.some((text) => text.includes(`${word} `) && text.includes("[customer]"))).toBe(true);
  }
  expect(written.flatMap(problemsOfTsql)).toEqual([]);
});

it("A request that a deadlock undid is repeated once and fails after the second", async () => {
  const deadlock: readonly TdsAnswer[] = [{ error: 1205, message: "deadlock victim", severity: 13 }, "rolled back"];
  const requests: readonly (readonly [query: string, text: string, data: unknown])[] = [
    ["{ customer { id } }", '[{"id":1}]', { customer: [{ id: 1 }] }],
    [
      'mutation { update_customer(where: {id: {_eq: 1}}, _set: {name: "Kim"}) { affected_rows } }',
      "1",
      { update_customer: { affected_rows: 1 } },
    ],
  ];
  for (const [query, text, data] of requests) {
    answer = text;
    failures.push(deadlock);
    expect(await server.graphql(query)).toEqual({ data });
    const [first, second, ...others] = statements.splice(0);
    expect([second, ...others]).toEqual([first]);
    failures.push(deadlock, deadlock);
    expect(await server.graphql(query)).toMatchObject({ errors: [{ extensions: { code: "concurrent-update" } }] });
    expect(statements.splice(0)).toEqual([first, first]);
  }
});

it("mssql_insert refuses on_conflict, and plain operations refuse SQL Server tables", async () => {
  const objects = [{ name: "Kim" }];
  const { status, json } = await data("mssql_insert", { objects, on_conflict: { action: "ignore" } });
  expect({ status, ...json }).toMatchObject({ status: 400, code: "not-supported", path: "$.args.on_conflict" });
  expect((await data("select", { columns: ["id"] })).status).toBe(400);
  expect(statements).toEqual([]);
});
