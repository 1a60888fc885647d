/** Data operations on a SQL Server that a peer stands for: what it is asked, and what becomes of its answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
const asked: string[] = [];
let answer = "null";
/** What the server says first, in place of answers. */
const failures: (readonly TdsAnswer[])[] = [];

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    asked.push(request.text);
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

it("reads rows, with values as parameters", async () => {
  answer = '[{"id":1,"name":"Kim"}]';
  const { status, json } = await data("mssql_select", {
    columns: ["id", "name"],
    where: { name: { _eq: "x'; drop table customer --" } },
    limit: 2,
  });
  expect({ status, json }).toEqual({ status: 200, json: JSON.parse(answer) });
  const [text = "", ...others] = asked.splice(0);
  expect(others).toEqual([]);
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).not.toContain("drop");
});

it("counts them", async () => {
  answer = '{"aggregate":{"count":7}}';
  expect((await data("mssql_count", { where: {} })).json).toEqual({ count: 7 });
  expect(asked.splice(0).flatMap(problemsOfTsql)).toEqual([]);
});

it("changes them by statements of T-SQL", async () => {
  answer = '{"affected_rows":1}';
  await data("mssql_insert", { objects: [{ name: "Kim" }] });
  await data("mssql_update", { where: { id: { _eq: 1 } }, $set: { name: "Robin" } });
  await data("mssql_delete", { where: { id: { _eq: 1 } } });
  const written = asked.splice(0);
  for (const word of ["insert", "update", "delete"]) {
    expect(written.some((text) => text.includes(`${word} `) && text.includes("[customer]"))).toBe(true);
  }
  expect(written.flatMap(problemsOfTsql)).toEqual([]);
});

it("answers requests that a deadlock undid once, as if nothing had been, and says so after the second", async () => {
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
    const [first, second, ...others] = asked.splice(0);
    expect([second, ...others]).toEqual([first]);
    failures.push(deadlock, deadlock);
    expect(await server.graphql(query)).toMatchObject({ errors: [{ extensions: { code: "concurrent-update" } }] });
    expect(asked.splice(0)).toEqual([first, first]);
  }
});

it("has no on_conflict, which SQL Server does not know, and does not touch tables of another kind of source", async () => {
  const objects = [{ name: "Kim" }];
  const { status, json } = await data("mssql_insert", { objects, on_conflict: { action: "ignore" } });
  expect({ status, ...json }).toMatchObject({ status: 400, code: "not-supported", path: "$.args.on_conflict" });
  expect((await data("select", { columns: ["id"] })).status).toBe(400);
  expect(asked).toEqual([]);
});
