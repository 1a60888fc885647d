/** Messages of the Model Context Protocol without an SDK, so that tests can send wrong ones. */
import { parseOptions } from "../../runtime/config/options.ts";
import type { McpSettings } from "../../runtime/http/mcp/exchange.ts";
import { mcpHandler } from "../../runtime/http/mcp/handler.ts";
import type { PlainRequest, PlainResponse } from "../../runtime/ports/request.ts";
import { type FakeTool, type FakeTools, fakeTools } from "./agent-tools.ts";
import { request, type Stub, stubServices } from "./stub-services.ts";

export const modernRevision = "2026-07-28";

export interface McpMessage {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Returns a request of the newest revision, with the headers that repeat its parts. */
export function modern(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  capabilities: object = {},
  id: unknown = 1,
): McpMessage {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": modernRevision,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
  const name = params.name ?? params.uri;
  return {
    body: { jsonrpc: "2.0", id, method, params: { ...params, _meta } },
    headers: {
      ...json,
      "mcp-protocol-version": modernRevision,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
  };
}

/** Returns a request of an earlier revision. */
export function earlier(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  revision = "2025-11-25",
): McpMessage {
  return { body: { jsonrpc: "2.0", id: 1, method, params }, headers: { ...json, "mcp-protocol-version": revision } };
}

interface McpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly response: PlainResponse;
}

export interface StubMcp extends Stub {
  readonly tools: FakeTools;
  send(message: McpMessage, more?: Partial<PlainRequest>): Promise<McpAnswer>;
}

/** The handler of `/mcp` with tools that a test defines. */
export function stubMcp(
  first: readonly FakeTool[],
  variables: Readonly<Record<string, string>> = {},
  more: Pick<McpSettings, "isClosed" | "manual"> = {},
): StubMcp {
  const tools = fakeTools(first);
  const stub = stubServices({ agentTools: tools });
  // The stub authenticates callers that choose their role.
  const options = parseOptions({}, { ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true", ...variables });
  const handler = mcpHandler(stub.services, { ...options, version: "1.2.3", ...more });
  return {
    ...stub,
    tools,
    async send({ body, headers }, more = {}) {
      const sent = request(body, { path: "/mcp", ...more, headers: { ...headers, ...more.headers } });
      const response = await handler(sent);
      return { status: response.status, json: response.body === "" ? null : JSON.parse(response.body), response };
    },
  };
}
