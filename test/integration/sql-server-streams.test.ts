/**
 * Streams over a WebSocket from a fake SQL Server: the statement of each poll, and the cursor where the stream
 * continues.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { shopRows, shopTables } from "../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";
import { WebsocketClient } from "../support/websocket.ts";

let peer: TdsPeer;
let server: TestServer;
const clients: WebsocketClient[] = [];
const statements: { readonly text: string; readonly values: readonly (string | null)[] }[] = [];

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

/** The cursor from which a stream requests further rows. */
const rowsAfter: Readonly<Record<string, readonly [string, string]>> = {
  "5": ['[{"id":6},{"id":7}]', "7"],
  "7": ['[{"id":9}]', "9"],
};

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    statements.push(request);
    if (!request.text.includes("openjson(")) return [texts([rowsAfter[request.values[1] ?? ""] ?? ["[]", null]])];
    const sets = JSON.parse(request.values[0] ?? "[]") as readonly (readonly [number, string, string])[];
    return [texts(sets.map(([n, , from]) => [String(n), ...(rowsAfter[from] ?? ["[]", null])]))];
  });
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
      ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "20",
    },
  });
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const configuration = { connection_info: { connection_string } };
  const sources = [{ name: "shop", kind: "mssql", configuration, tables: shopTables }];
  const args = { allow_inconsistent_metadata: false, metadata: { version: 3, sources } };
  const { json } = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(json).toMatchObject({ is_consistent: true });
}, 60_000);

afterAll(async () => {
  for (const client of clients) client.ws.terminate();
  await server?.close();
  await peer?.close();
});

async function stream(from: number): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
  clients.push(client);
  client.send({ type: "connection_init" });
  await client.take(3);
  const text =
    "subscription ($from: Int!) { customer_stream(batch_size: 2, cursor: {initial_value: {id: $from}}) { id } }";
  client.send({ type: "start", id: "s", payload: { query: text, variables: { from } } });
  return client;
}

const batch = (...ids: readonly number[]) => ({
  type: "data",
  payload: { data: { customer_stream: ids.map((id) => ({ id })) } },
});

it("A SQL Server stream continues after the last row, whose cursor is a parameter", async () => {
  const client = await stream(5);
  expect(await client.next()).toMatchObject(batch(6, 7));
  expect(await client.next()).toMatchObject(batch(9));
  await expect
    .poll(() => statements.map(({ values }) => values[1]).filter((value) => value === "9").length)
    .toBeGreaterThan(1);
  expect([...new Set(statements.map(({ values }) => JSON.stringify(values)))]).toEqual([
    '["2","5"]',
    '["2","7"]',
    '["2","9"]',
  ]);
  const [first] = statements;
  expect(problemsOfTsql(first?.text ?? "")).toEqual([]);
  expect(first?.text).toContain("where t1.[id] > cast(@p2 as int) order by t1.[id] asc");
  client.ws.terminate();
});

it("SQL Server streams at different cursors share one statement", async () => {
  const [first, second] = [await stream(7), await stream(9)];
  expect(await first.next()).toMatchObject(batch(9));
  const other = await stream(8);
  await expect
    .poll(() =>
      statements.some(
        ({ text, values }) =>
          text.includes("openjson(") && values.some((value) => value?.includes('"8"') && value.includes('"9"')),
      ),
    )
    .toBe(true);
  for (const client of [first, second, other]) client.ws.terminate();
});
