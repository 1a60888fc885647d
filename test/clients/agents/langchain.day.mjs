/** LangChain: tools of an MCP server for an agent. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { headersOf, mcpEndpoint, seed } from "../premises.mjs";

const user = "langchain";
const client = new MultiServerMCPClient({
  mcpServers: { notes: { transport: "http", url: mcpEndpoint, headers: headersOf(user) } },
});
let tools;

before(async () => {
  await seed(user, 2);
  tools = new Map((await client.getTools()).map((tool) => [tool.name, tool]));
});
after(() => client.close());

test("LangChain lists the tools of the role", () => {
  assert.ok(tools.has("find_notes") && tools.has("rate_notes"));
  assert.match(tools.get("rate_notes").description, /Sets the stars/);
});

test("LangChain calls a tool", async () => {
  const result = await tools.get("find_notes").invoke({ title: "note 02" });
  assert.match(JSON.stringify(result), /Archive/);
});

test("LangChain refuses arguments that the schema of the tool forbids, before it calls", async () => {
  const stars = 1_000_000_000_000;
  await assert.rejects(tools.get("rate_notes").invoke({ title: "%", stars }), /did not match expected schema/);
});

test("LangChain receives an unconfirmed write as an exception with its effect", async () => {
  await assert.rejects(tools.get("rate_notes").invoke({ title: "%", stars: 5 }), /note: 2 rows updated/);
});
