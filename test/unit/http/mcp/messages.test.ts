/** JSON-RPC messages, revisions of the protocol, and the headers of `POST /mcp`. */
import { describe, expect, it } from "vitest";
import { earlier, type McpMessage, modern, modernRevision, stubMcp } from "../../../support/mcp.ts";

const mcp = stubMcp([{ name: "find_books" }]);

const list = modern("tools/list");
const withBody = (body: unknown): McpMessage => ({ ...list, body: body as McpMessage["body"] });
const withHeaders = (message: McpMessage, headers: Record<string, string>): McpMessage => ({
  ...message,
  headers: { ...message.headers, ...headers },
});
const without = ({ body, headers }: McpMessage, name: string): McpMessage => {
  const { [name]: _, ...others } = headers;
  return { body, headers: others };
};

describe("JSON-RPC messages", () => {
  it.each([
    ["text that is not JSON", "{", -32700],
    ["a batch", [list.body], -32600],
    ["a string", '"tools/list"', -32600],
    ["a message without a version", { id: 1, method: "tools/list" }, -32600],
    ["a message with another version", { ...list.body, jsonrpc: "1.0" }, -32600],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, -32600],
    ["an id that is null", { ...list.body, id: null }, -32600],
    ["an id with a fraction", { ...list.body, id: 1.5 }, -32600],
    ["an id of 300 characters", { ...list.body, id: "x".repeat(300) }, -32600],
    ["parameters that are a list", { ...list.body, params: [1] }, -32600],
  ])("The server refuses %s with status 400", async (_what, body, code) => {
    const { status, json } = await mcp.send(withBody(body));
    expect([status, json.error.code]).toEqual([400, code]);
  });

  it.each([["a text"], [0], [-7]])("The response repeats the id %j", async (id) => {
    const { json } = await mcp.send(modern("tools/list", {}, {}, id));
    expect(json).toMatchObject({ jsonrpc: "2.0", id, result: { resultType: "complete" } });
  });

  it("The response repeats an id that a JavaScript number cannot represent", async () => {
    const text = JSON.stringify(modern("tools/list", {}, {}, "ID").body).replace('"ID"', "12345678901234567890");
    const { response } = await mcp.send(withBody(text));
    expect(response.body).toContain('"id":12345678901234567890,');
  });

  it("A notification is accepted without a body", async () => {
    const { id: _, ...body } = modern("notifications/initialized").body;
    const { status, response } = await mcp.send(withBody(body));
    expect([status, response.body]).toEqual([202, ""]);
  });

  it("An unknown method has the status 404 in the newest revision, and 200 in earlier ones", async () => {
    const newest = await mcp.send(modern("tools/delete"));
    expect([newest.status, newest.json.error.code]).toEqual([404, -32601]);
    const older = await mcp.send(earlier("tools/delete"));
    expect([older.status, older.json.error.code]).toEqual([200, -32601]);
  });

  it.each(["__proto__", "constructor", "toString"])("The method %s is unknown", async (method) => {
    expect((await mcp.send(modern(method))).json.error.code).toBe(-32601);
  });
});

describe("Headers of the newest revision", () => {
  const call = modern("tools/call", { name: "find_books" });

  it.each([
    ["a missing revision", without(call, "mcp-protocol-version")],
    ["another revision", withHeaders(call, { "mcp-protocol-version": "2025-11-25" })],
    ["a missing method", without(call, "mcp-method")],
    ["another method", withHeaders(call, { "mcp-method": "tools/list" })],
    ["a method in another case", withHeaders(call, { "mcp-method": "Tools/Call" })],
    ["a missing name", without(call, "mcp-name")],
    ["another name", withHeaders(call, { "mcp-name": "find_loans" })],
    ["another encoded name", withHeaders(call, { "mcp-name": "=?base64?eHg=?=" })],
    ["a name with invalid Base64", withHeaders(call, { "mcp-name": "=?base64?!!!?=" })],
  ])("The server refuses %s with -32020", async (_what, message) => {
    const { status, json } = await mcp.send(message);
    expect([status, json.error.code, json.id]).toEqual([400, -32020, 1]);
  });

  it("The server accepts a name that is encoded as Base64", async () => {
    const name = Buffer.from("find_books").toString("base64");
    const { json } = await mcp.send(withHeaders(call, { "mcp-name": `=?base64?${name}?=` }));
    expect(json.result.resultType).toBe("complete");
  });

  it("The header of resources/read repeats the URI", async () => {
    const read = modern("resources/read", { uri: "engine:///operations/find_books.graphql" });
    expect((await mcp.send(read)).json.result.contents[0].text).toContain("find_books");
    expect((await mcp.send(without(read, "mcp-name"))).json.error.code).toBe(-32020);
  });
});

describe("Revisions", () => {
  it("A revision that the server does not implement is refused with the supported ones", async () => {
    const meta = { "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } };
    const { status, json } = await mcp.send({
      body,
      headers: { ...list.headers, "mcp-protocol-version": "2030-01-01" },
    });
    expect([status, json.error.code]).toEqual([400, -32022]);
    expect(json.error.data).toEqual({
      supported: [modernRevision, "2025-11-25", "2025-06-18"],
      requested: "2030-01-01",
    });
    expect((await mcp.send(earlier("tools/list", {}, "2030-01-01"))).json.error.code).toBe(-32022);
  });

  it("A request of the newest revision needs the version and the capabilities in its body", async () => {
    const version = await mcp.send(withBody({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }));
    expect([version.status, version.json.error.code]).toEqual([400, -32602]);
    const meta = { "io.modelcontextprotocol/protocolVersion": modernRevision };
    const capabilities = await mcp.send(
      withBody({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }),
    );
    expect([capabilities.status, capabilities.json.error.code]).toEqual([400, -32602]);
    expect(capabilities.json.error.message).toContain("clientCapabilities");
  });

  it("server/discover returns revisions, capabilities and the name of the server", async () => {
    const { json } = await mcp.send(modern("server/discover"));
    expect(json.result).toMatchObject({
      resultType: "complete",
      supportedVersions: [modernRevision, "2025-11-25", "2025-06-18"],
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true }, prompts: {} },
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "engine", version: "1.2.3" } },
    });
    expect((await mcp.send(earlier("server/discover"))).json.error.code).toBe(-32601);
  });

  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2025-11-25"],
    ["2030-01-01", "2025-11-25"],
  ])("initialize with %s negotiates %s", async (requested, negotiated) => {
    const { headers } = earlier("initialize");
    const { "mcp-protocol-version": _, ...first } = headers;
    const params = { protocolVersion: requested, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { json, response } = await mcp.send({ ...earlier("initialize", params), headers: first });
    expect(json.result).toMatchObject({ protocolVersion: negotiated, serverInfo: { version: "1.2.3" } });
    expect(json.result.resultType).toBeUndefined();
    expect(Object.keys(response.headers)).not.toContain("mcp-session-id");
  });

  it("Results of earlier revisions have no members of the newest one", async () => {
    const { json } = await mcp.send(earlier("tools/list"));
    expect(Object.keys(json.result)).toEqual(["tools"]);
    expect((await mcp.send(earlier("ping"))).json.result).toEqual({});
    expect((await mcp.send(modern("ping"))).json.error.code).toBe(-32601);
  });
});

describe("The head of a request", () => {
  it.each(["GET", "DELETE", "PUT"])("%s is refused with status 405", async (method) => {
    const { status, response } = await mcp.send(list, { method });
    expect([status, response.headers.allow]).toEqual([405, "POST"]);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", ""])("The content type %j is refused", async (type) => {
    expect((await mcp.send(withHeaders(list, { "content-type": type }))).status).toBe(415);
  });

  it("Errors of a body are reported only to authenticated callers", async () => {
    const { status, json } = await mcp.send(withBody("{"), { headers: { "x-engine-role": "nobody" } });
    expect([status, json.error.code]).toEqual([401, 401]);
    expect(json.error.data.code).toBe("access-denied");
  });
});
