/** The official clients of the Model Context Protocol, of the newest and of earlier revisions, against `/mcp`. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Caller } from "../../../runtime/values/caller.ts";
import { type FakeTool, type FakeTools, fakeTools } from "../../support/agent-tools.ts";
import { type StubApp, startStubApp } from "../../support/stub-app.ts";

const info = { name: "test", version: "1" };

/** Resolves when the caller has disconnected. */
async function untilAborted(caller: Caller | undefined): Promise<string> {
  await vi.waitUntil(() => caller?.aborted, { timeout: 10_000 });
  aborted++;
  return "{}";
}
let aborted = 0;

const tables: readonly FakeTool[] = [
  {
    name: "find_books",
    input: { type: "object", properties: { title: { type: "string" } }, additionalProperties: false },
    output: {
      type: "object",
      properties: { book: { type: "array", items: { type: "object", properties: { title: { type: "string" } } } } },
      required: ["book"],
    },
    run: ({ title }) => JSON.stringify({ book: [{ title: title ?? "Emma" }] }),
  },
  {
    name: "delete_books",
    hints: { readOnly: false, destructive: true },
    effect: () => [{ table: "book", inserted: 0, updated: 0, deleted: 2 }],
    run: () => '{"delete_book":{"affected_rows":2}}',
  },
  { name: "slow", run: (_values, caller) => untilAborted(caller) },
  { name: "Zoë", run: () => '{"ok":true}' },
];
const many = Array.from({ length: 150 }, (_, i) => ({ name: `tool_${i}` }));

let app: StubApp;
let tools: FakeTools;

beforeAll(async () => {
  tools = fakeTools([...tables, ...many]);
  app = await startStubApp(
    { ENGINE_GRAPHQL_ENABLED_APIS: "graphql,mcp", ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true" },
    { agentTools: tools },
  );
});
afterAll(() => app.app.close());

const address = (): URL => new URL(`${app.url}/mcp`);

describe("The client of revision 2026-07-28", () => {
  let client: Client;
  let answer: "accept" | "decline";
  const asked: string[] = [];

  beforeEach(async () => {
    client = new Client(info, {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return answer === "accept" ? { action: "accept", content: {} } : { action: "decline" };
    });
    await client.connect(new StreamableHTTPClientTransport(address()));
  });
  afterEach(() => client.close());

  it("It negotiates the revision and lists all pages of tools", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: "engine", version: "1.2.3" });
    const { tools: listed } = await client.listTools();
    expect(listed).toHaveLength(tables.length + many.length + 1);
  });

  it("It calls a tool, and the result matches the output schema", async () => {
    await client.listTools();
    const result = await client.callTool({ name: "find_books", arguments: { title: "Persuasion" } });
    expect(result.structuredContent).toEqual({ book: [{ title: "Persuasion" }] });
  });

  it("It calls a tool whose name has letters outside of ASCII", async () => {
    expect((await client.callTool({ name: "Zoë" })).structuredContent).toEqual({ ok: true });
  });

  it("It shows the effect of a write to the user, whose consent is required", async () => {
    answer = "decline";
    const declined = await client.callTool({ name: "delete_books" });
    expect(declined.isError).toBe(true);
    expect(asked.at(-1)).toContain("book: 2 rows deleted");
    expect(tools.runs.filter(({ tool }) => tool === "delete_books")).toEqual([]);
    answer = "accept";
    const accepted = await client.callTool({ name: "delete_books" });
    expect(accepted.structuredContent).toEqual({ delete_book: { affected_rows: 2 } });
  });

  it("A cancelled call ends the query", async () => {
    const before = aborted;
    const abort = new AbortController();
    const started = tools.runs.length;
    const call = client.callTool({ name: "slow" }, { signal: abort.signal });
    await vi.waitUntil(() => tools.runs.length > started);
    abort.abort();
    await expect(call).rejects.toThrow();
    await vi.waitUntil(() => aborted > before);
  });

  it("A call that times out in the client ends the query, and the client remains usable", async () => {
    const before = aborted;
    await expect(client.callTool({ name: "slow" }, { timeout: 200 })).rejects.toThrow(/time/i);
    await vi.waitUntil(() => aborted > before);
    expect((await client.callTool({ name: "find_books" })).isError).not.toBe(true);
  });

  it("It receives an error of the protocol for an unknown tool", async () => {
    await expect(client.callTool({ name: "find_bocks" })).rejects.toThrow('did you mean "find_books"?');
  });

  it("It reads resources and prompts", async () => {
    const { contents } = await client.readResource({ uri: "engine:///operations/find_books.graphql" });
    expect(contents[0]).toMatchObject({ mimeType: "application/graphql" });
    const { messages } = await client.getPrompt({ name: "explain_data", arguments: { topic: "books" } });
    expect(messages).toHaveLength(1);
  });

  it("A subscription reports changed tools, and a second one after a disconnection, too", async () => {
    const changes: string[] = [];
    client.setNotificationHandler("notifications/tools/list_changed", async () => void changes.push("tools"));
    for (const expected of [1, 2]) {
      const subscription = await client.listen({ toolsListChanged: true });
      tools.replace([...tables, ...many]);
      await vi.waitUntil(() => changes.length === expected, { timeout: 5000 });
      await subscription.close();
    }
  });

  it("A subscription outlasts a change of the metadata, and ends gracefully with the server", async () => {
    const own = fakeTools(tables);
    const other = await startStubApp(
      { ENGINE_GRAPHQL_ENABLED_APIS: "mcp", ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true" },
      { agentTools: own },
    );
    const subscriber = new Client(info, { versionNegotiation: { mode: "auto" } });
    await subscriber.connect(new StreamableHTTPClientTransport(new URL(`${other.url}/mcp`)));
    let changes = 0;
    subscriber.setNotificationHandler("notifications/tools/list_changed", async () => void changes++);
    const subscription = await subscriber.listen({ toolsListChanged: true, promptsListChanged: true });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
    other.app.metadataChanged();
    own.replace(tables);
    await vi.waitUntil(() => changes === 1, { timeout: 5000 });
    await other.app.close();
    expect(await subscription.closed).toBe("graceful");
    await subscriber.close();
  });

  it("Another client connects to the same server without a session", async () => {
    await client.close();
    client = new Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(address()));
    expect((await client.callTool({ name: "find_books" })).structuredContent).toEqual({ book: [{ title: "Emma" }] });
  });
});

describe("The client of earlier revisions", () => {
  let client: EarlierClient;

  beforeEach(async () => {
    client = new EarlierClient(info);
    await client.connect(new EarlierTransport(address()) as never);
  });
  afterEach(() => client.close());

  it("It pages through tools and calls one", async () => {
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor });
    expect(first.tools.length + second.tools.length).toBe(tables.length + many.length + 1);
    expect(second.nextCursor).toBeUndefined();
    const result = await client.callTool({ name: "find_books", arguments: {} });
    expect(result.structuredContent).toEqual({ book: [{ title: "Emma" }] });
    await client.ping();
  });

  it("A write reports its effect before it runs", async () => {
    await client.listTools();
    const preview = await client.callTool({ name: "delete_books", arguments: {} });
    expect(preview.isError).toBe(true);
    expect(JSON.stringify(preview.content)).toContain("book: 2 rows deleted");
    const result = await client.callTool({ name: "delete_books", arguments: { confirm: true } });
    expect(result.structuredContent).toEqual({ delete_book: { affected_rows: 2 } });
  });

  it("A call that times out in the client leaves the connection usable", async () => {
    await expect(client.callTool({ name: "slow" }, undefined, { timeout: 200 })).rejects.toThrow(/time/i);
    expect((await client.callTool({ name: "find_books" })).isError).not.toBe(true);
  });

  it("It reads a resource and a prompt", async () => {
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
    expect((await client.listPrompts()).prompts).toHaveLength(3);
  });
});
