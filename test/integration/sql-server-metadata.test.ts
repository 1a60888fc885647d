/** Metadata of a fake SQL Server: the stored form, and the effect of the examples in the docs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows, shopTables } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
/** All statements except catalogue queries, and the row that the last query returns. */
const statements: { readonly text: string; readonly values: readonly (string | null)[] }[] = [];
let answer = "[]";

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

/** Returns the server's description of a batch that it does not run. */
function described(batch: string): TdsAnswer {
  const type = /cast\(null as (int|nvarchar\(200\))\) as c/.exec(batch)?.[1];
  if (type !== undefined) return texts([["c", type, null]]);
  return texts([
    ["id", "int", null],
    ["title", "nvarchar(200)", null],
  ]);
}

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    if (request.text.includes("dm_exec_describe_first_result_set")) return [described(request.text)];
    statements.push(request);
    return [texts([[answer]])];
  });
  server = await startTestServer();
}, 60_000);

afterAll(async () => {
  await server?.close();
  await peer?.close();
});

async function replace(inSource: Readonly<Record<string, unknown>>): Promise<void> {
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const configuration = { connection_info: { connection_string } };
  const sources = [{ name: "shop", kind: "mssql", configuration, ...inSource }];
  const args = { allow_inconsistent_metadata: false, metadata: { version: 3, sources } };
  const { json } = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(json).toMatchObject({ is_consistent: true });
}

/** Returns the source as it is exported. */
async function exported(): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await server.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
  return (json as { metadata: { sources: [Readonly<Record<string, unknown>>] } }).metadata.sources[0];
}

it("Bits in permissions and presets are kept as 0 and 1", async () => {
  await replace({ tables: shopTables });
  const table = { schema: "sales", name: "order" };
  const permissions = [
    ["select", { columns: ["id"], filter: { is_paid: 1 } }],
    ["insert", { columns: ["total"], check: { is_paid: { _in: [0, 1] } }, set: { is_paid: 0 } }],
    [
      "update",
      { columns: ["total"], filter: { is_paid: { _eq: 0 } }, check: { is_paid: { _neq: true } }, set: { is_paid: 1 } },
    ],
  ] as const;
  for (const [kind, permission] of permissions) {
    const args = { source: "shop", table, role: "clerk", permission };
    expect((await server.post("/v1/metadata", { type: `mssql_create_${kind}_permission`, args })).json).toEqual({
      message: "success",
    });
  }
  const { tables } = (await exported()) as { readonly tables: readonly Readonly<Record<string, unknown>>[] };
  const order = tables.find((each) => isDeepStrictEqual(each.table, table));
  for (const [kind, permission] of permissions) {
    expect(order?.[`${kind}_permissions`]).toContainEqual({ role: "clerk", permission });
  }
  statements.length = 0;
  await server.post("/v1/graphql", { query: "{ sales_order { id } }" }, { "X-Engine-Role": "clerk" });
  expect(statements.map(({ text }) => text)).toEqual([
    expect.stringMatching(/where t1\.\[is_paid\] = cast\(N'1' as bit\)/),
  ]);
});

it("The native query of docs/how-to/sql-server.md takes its arguments as parameters", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/how-to/sql-server.md"), "utf8");
  const [, code] = /`(select \* from dbo\.books_of\(\{\{author\}\}\))`/.exec(page) ?? [];
  expect(code).toBeDefined();
  const returns = {
    fields: [
      { name: "id", type: { scalar: "int" } },
      { name: "title", type: { scalar: "nvarchar(200)" } },
    ],
  };
  await replace({
    tables: [],
    native_queries: [{ root_field_name: "books_of", code, arguments: { author: { type: "int" } }, returns }],
  });
  statements.length = 0;
  answer = '[{"title":"Sisters"}]';
  const query = "query ($author: Int!) { books_of(args: {author: $author}, order_by: {id: asc}) { title } }";
  const { json } = await server.post("/v1/graphql", { query, variables: { author: 2 } });
  expect(json).toEqual({ data: { books_of: [{ title: "Sisters" }] } });
  expect(statements).toHaveLength(1);
  const [{ text, values } = { text: "", values: [] }] = statements;
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).toContain("from (select * from dbo.books_of((cast(@p1 as int)))\n) t1 order by t1.[id] asc");
  expect(values).toEqual(["2"]);
});
