/** Web pages that attack `/mcp`: foreign origins, simple requests, and host names that were rebound to this machine. */
import { afterEach, describe, expect, it } from "vitest";
import { fakeTools } from "../../support/agent-tools.ts";
import { modern } from "../../support/mcp.ts";
import { post, type StubApp, send, startStubApp } from "../../support/stub-app.ts";

const tools = fakeTools([{ name: "find", run: () => '{"withheld":1}' }]);
const apis = { ENGINE_GRAPHQL_ENABLED_APIS: "mcp", ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true" };
const secured = { ...apis, ENGINE_GRAPHQL_ADMIN_SECRET: "secret" };
const call = modern("tools/call", { name: "find" });

const apps: StubApp[] = [];
afterEach(async () => {
  for (const { app } of apps.splice(0)) await app.close();
});

/** Sends a call with these headers to a server, and returns the status. */
async function statusOf(environment: Record<string, string>, headers: Record<string, string>): Promise<number> {
  const app = await startStubApp(environment, { agentTools: tools });
  apps.push(app);
  const sent = { ...call.headers, "x-engine-role": "member", ...headers };
  const own = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, value.replaceAll("{port}", String(app.port))]),
  );
  const answer = await post(`${app.url}/mcp`, JSON.stringify(call.body), own);
  expect(answer.status === 200).toBe(answer.body.includes("withheld"));
  return answer.status ?? 0;
}

describe.each([
  ["without an admin secret", apis],
  ["with an admin secret", secured],
  ["with an admin secret and all origins for CORS", { ...secured, ENGINE_GRAPHQL_CORS_DOMAIN: "*" }],
  ["with an admin secret and without CORS", { ...secured, ENGINE_GRAPHQL_DISABLE_CORS: "true" }],
])("A server %s", (_kind, environment) => {
  it.each([
    ["a page of another origin", { origin: "https://attacker.example" }],
    ["a page without an origin of its own", { origin: "null" }],
    ["a page of another port of this machine", { origin: "http://localhost:1" }],
    [
      "a page whose name was rebound to this machine",
      {
        origin: "http://attacker.example:{port}",
        host: "attacker.example:{port}",
      },
    ],
    [
      "a page on a name that begins like this machine",
      {
        origin: "http://localhost.attacker.example",
        host: "localhost.attacker.example",
      },
    ],
  ])("The server refuses %s", async (_page, headers) => {
    expect(await statusOf(environment, headers)).toBe(403);
  });

  it("It serves programs, which send no origin, and its own pages", async () => {
    expect(await statusOf(environment, {})).toBe(200);
    expect(await statusOf(environment, { origin: "http://127.0.0.1:{port}" })).toBe(200);
    expect(await statusOf(environment, { origin: "http://localhost:{port}", host: "localhost:{port}" })).toBe(200);
  });
});

describe("A server with listed origins", () => {
  const environment = { ...secured, ENGINE_GRAPHQL_CORS_DOMAIN: "https://app.example" };

  it("It serves a listed origin, and refuses all others", async () => {
    expect(await statusOf(environment, { origin: "https://app.example" })).toBe(200);
    expect(await statusOf(environment, { origin: "https://app.example.attacker.example" })).toBe(403);
    expect(await statusOf(environment, { origin: "http://app.example" })).toBe(403);
  });
});

describe("Requests that a page can send without a preflight", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json-patch+json"])(
    "A body of the type %s is refused",
    async (type) => {
      expect(await statusOf(secured, { "content-type": type })).toBe(415);
    },
  );

  it("GET, which links and images cause, is refused", async () => {
    const app = await startStubApp(secured, { agentTools: tools });
    apps.push(app);
    for (const method of ["GET", "HEAD", "DELETE"]) {
      expect((await send(`${app.url}/mcp`, { method, headers: call.headers })).status).toBe(405);
    }
  });

  it("Neither a session nor its id survives a request", async () => {
    const app = await startStubApp(secured, { agentTools: tools });
    apps.push(app);
    const headers = { ...call.headers, "mcp-session-id": "fixed", "last-event-id": "1", "x-engine-role": "nobody" };
    const answers = [
      await post(`${app.url}/mcp`, JSON.stringify(call.body), { ...headers, "x-engine-role": "member" }),
      await post(`${app.url}/mcp`, JSON.stringify(call.body), headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    for (const answer of answers) expect(answer.headers["mcp-session-id"]).toBeUndefined();
  });
});

describe("Disabled endpoints", () => {
  it("/mcp is off by default, and neighbouring paths do not reach it", async () => {
    const off = await startStubApp({}, { agentTools: tools });
    const on = await startStubApp(secured, { agentTools: tools });
    apps.push(off, on);
    const statusAt = async (url: string) => (await post(url, JSON.stringify(call.body), call.headers)).status;
    expect(await statusAt(`${off.url}/mcp`)).toBe(404);
    for (const path of ["/mcp2", "/mcp/", "/mcp/x", "/MCP", "//mcp"]) expect(await statusAt(on.url + path)).toBe(404);
  });
});
