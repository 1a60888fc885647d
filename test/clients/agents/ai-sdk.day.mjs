/** AI SDK: tools of an MCP server as tools of a model. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createMCPClient } from "@ai-sdk/mcp";
import { headersOf, mcpEndpoint, seed } from "../premises.mjs";

const user = "ai-sdk";
const open = (name) => createMCPClient({ transport: { type: "http", url: mcpEndpoint, headers: headersOf(name) } });

let client;
before(async () => {
  await seed(user, 3);
  client = await open(user);
});
after(() => client.close());

/** Calls a tool as a model does. */
async function call(name, values) {
  const { [name]: tool } = await client.tools();
  return tool.execute(values, { toolCallId: "1", messages: [] });
}

test("AI SDK lists tools with their descriptions and arguments", async () => {
  const { find_notes: tool } = await client.tools();
  assert.match(tool.description, /Finds notes by a pattern/);
  const schema = await tool.inputSchema.jsonSchema;
  assert.deepEqual(schema.required, ["title"]);
  assert.equal(schema.properties.limit.default, 10);
});

test("AI SDK receives structured data, of the caller's rows only", async () => {
  const { structuredContent, isError } = await call("find_notes", { title: "note%", limit: 2 });
  assert.notEqual(isError, true);
  assert.deepEqual(structuredContent.note, [
    { title: "note 01", stars: 1, folder: { name: "Inbox" } },
    { title: "note 02", stars: 2, folder: { name: "Archive" } },
  ]);
  const other = await open("ai-sdk-2");
  const { find_notes: tool } = await other.tools();
  const result = await tool.execute({ title: "%" }, { toolCallId: "1", messages: [] });
  assert.deepEqual(result.structuredContent, { note: [] });
  await other.close();
});

test("AI SDK has a write confirmed before it changes rows", async () => {
  const first = await call("rate_notes", { title: "note 0%", stars: 5 });
  assert.match(first.content[0].text, /note: 3 rows updated/);
  assert.equal((await call("find_notes", { title: "note 01" })).structuredContent.note[0].stars, 1);
  const second = await call("rate_notes", { title: "note 0%", stars: 5, confirm: true });
  assert.deepEqual(second.structuredContent, { update_note: { affected_rows: 3 } });
});

test("AI SDK receives a wrong argument as a result with a remedy", async () => {
  const { isError, content } = await call("find_notes", { titel: "x" });
  assert.equal(isError, true);
  assert.match(content[0].text, /did you mean "title"/);
});
