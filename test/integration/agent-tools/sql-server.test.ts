/** Tools whose operations read and write a fake SQL Server: its statements, the results of calls, and confirmations. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { earlier, modern } from "../../support/mcp.ts";
import { shopRows, shopTables } from "../../support/mssql-shop.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../../support/tds-peer.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

let peer: TdsPeer;
let server: TestServer;
const sent: { readonly text: string; readonly values: readonly (string | null)[] }[] = [];
let cancelled = 0;
let answer: TdsAnswer = "silence";

function rows(texts: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (texts[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows: texts };
}

const orderModel = {
  name: "order_row",
  fields: [{ name: "id", type: { scalar: "bigint" } }],
  select_permissions: [{ role: "buyer", permission: { columns: ["id"], filter: {} } }],
};
const closeOrders = {
  stored_procedure: { schema: "sales", name: "close_orders" },
  configuration: { exposed_as: "query", custom_name: "close_orders" },
  arguments: { customer: { type: "int" } },
  returns: "order_row",
};

const operations = {
  orders: "query Orders($least: Float!) { sales_order(where: {total: {_gt: $least}}) { id total customer { name } } }",
  spend:
    "mutation Spend($id: Int!, $total: Float!) { update_sales_order_by_pk(pk_columns: {id: $id}, _set: {total: $total}) { id } }",
  close: "query Close($customer: Int!) { close_orders(args: {customer: $customer}) { id } }",
};

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind === "cancel") cancelled++;
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [rows(shopRows)];
    sent.push({ text: request.text, values: request.values });
    return [answer];
  });
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp",
      ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
      ENGINE_GRAPHQL_MCP_QUERY_DATA: "true",
    },
  });
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const source = {
    ...{ name: "shop", kind: "mssql", configuration: { connection_info: { connection_string } }, tables: shopTables },
    ...{ logical_models: [orderModel], stored_procedures: [closeOrders] },
  };
  const queries = Object.entries(operations).map(([name, query]) => ({ name, query }));
  const metadata = {
    version: 3,
    sources: [source],
    query_collections: [{ name: "shop", definition: { queries } }],
    agent_tools: Object.keys(operations).map((name) => ({
      ...{ name, limits: { seconds: 1 } },
      definition: { query: { collection_name: "shop", query_name: name } },
    })),
  };
  const args = { allow_inconsistent_metadata: false, metadata };
  const { json } = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(json).toMatchObject({ is_consistent: true });
}, 60_000);

afterAll(async () => {
  await server.close();
  await peer.close();
});

afterEach(() => {
  sent.length = 0;
});

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties: object };
  readonly outputSchema: object;
  readonly annotations: object;
}

async function send(message: ReturnType<typeof modern>, role = "buyer") {
  const session = { "x-engine-role": role, "x-engine-customer-id": "7" };
  return (await server.post("/mcp", message.body, { ...message.headers, ...session })).json;
}

async function call(name: string, values: object, role = "buyer") {
  const { result } = await send(earlier("tools/call", { name, arguments: values }), role);
  return {
    data: result.structuredContent,
    text: result.content.at(-1).text as string,
    isError: result.isError === true,
  };
}

describe("A tool that reads SQL Server", () => {
  it("It is listed with schemas of the role and called with values as parameters", async () => {
    const { result } = await send(earlier("tools/list"));
    const tools: readonly Tool[] = result.tools;
    const found = tools.find(({ name }) => name === "orders");
    expect(found?.annotations).toMatchObject({ readOnlyHint: true });
    expect(found?.inputSchema).toMatchObject({ properties: { least: { type: "number" } }, required: ["least"] });
    answer = rows([['[{"id":3,"total":12.50,"customer":{"name":"Kim"}}]']]);
    expect(await call("orders", { least: 10.5 })).toEqual({
      ...{ data: { sales_order: [{ id: 3, total: 12.5, customer: { name: "Kim" } }] }, isError: false },
      text: '{"sales_order":[{"id":3,"total":12.50,"customer":{"name":"Kim"}}]}',
    });
    const [{ text, values } = { text: "", values: [] }, ...others] = sent;
    expect([others, problemsOfTsql(text)]).toEqual([[], []]);
    expect(values).toContain("10.5");
  });

  it("A failure of the database is a result without SQL", async () => {
    answer = { error: 8134, message: "Divide by zero error encountered in total." };
    const { text, isError } = await call("orders", { least: 1 });
    expect([isError, /select|dbo|Divide/i.test(text)]).toEqual([true, false]);
  });

  it("A call that exceeds its time is cancelled on the server", async () => {
    answer = "silence";
    const { text, isError } = await call("orders", { least: 1 });
    expect([isError, text]).toEqual([true, expect.stringContaining("time-limit-exceeded")]);
    await vi.waitUntil(() => cancelled > 0);
  });
});

describe("A tool that writes to SQL Server", () => {
  it("An unconfirmed call runs nothing and reports that the effect is unknown", async () => {
    const { text, isError } = await call("spend", { id: 3, total: 20 });
    expect([isError, sent]).toEqual([true, []]);
    expect(text).toContain(
      "Nothing has changed yet. The call changes data; its effect cannot be determined in advance.",
    );
  });

  it("A confirmed call writes once", async () => {
    answer = rows([['{"id":3}', "1"]]);
    expect(await call("spend", { id: 3, total: 20, confirm: true })).toMatchObject({
      data: { update_sales_order_by_pk: { id: 3 } },
    });
    expect(sent.map(({ text }) => problemsOfTsql(text))).toEqual([[]]);
    expect(sent[0]?.text).toContain("update t1");
  });

  it("A form shows that the effect is unknown, and its acceptance writes once", async () => {
    const first = await send(
      modern("tools/call", { name: "spend", arguments: { id: 3, total: 20 } }, { elicitation: {} }),
    );
    const { resultType, inputRequests, requestState } = first.result;
    expect([resultType, sent]).toEqual(["input_required", []]);
    expect(inputRequests.confirmation.params.message).toContain("its effect cannot be determined in advance");
    answer = rows([['{"id":3}', "1"]]);
    const inputResponses = { confirmation: { action: "accept", content: {} } };
    const confirmed = { name: "spend", arguments: { id: 3, total: 20 }, inputResponses, requestState };
    const { result } = await send(modern("tools/call", confirmed, { elicitation: {} }));
    expect([result.structuredContent, sent.length]).toEqual([{ update_sales_order_by_pk: { id: 3 } }, 1]);
    expect((await send(modern("tools/call", confirmed, { elicitation: {} }))).result.resultType).toBe("input_required");
    expect(sent.length).toBe(1);
  });

  it("A stored procedure counts as a write, although it is a field of queries", async () => {
    const { text } = await call("close", { customer: 7 });
    expect([text, sent]).toEqual([expect.stringContaining("Nothing has changed yet"), []]);
    answer = rows([['[{"id":3}]']]);
    expect((await call("close", { customer: 7, confirm: true })).data).toEqual({ close_orders: [{ id: 3 }] });
    expect(sent.map(({ text: each }) => problemsOfTsql(each))).toEqual([[]]);
  });
});

describe("A query that an assistant writes", () => {
  it("It reads tables but calls no stored procedure, which SQL Server cannot keep from writing", async () => {
    answer = rows([['[{"id":3}]']]);
    const read = await call("query_data", { query: "{ sales_order { id } }" });
    expect([read.data, sent.splice(0).length]).toEqual([{ sales_order: [{ id: 3 }] }, 1]);
    const refused = await call("query_data", { query: operations.close, variables: { customer: 7 } });
    expect([refused.isError, sent]).toEqual([true, []]);
    expect(refused.text).toContain("stored procedures of SQL Server may write");
  });
});
