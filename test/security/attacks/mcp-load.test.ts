/** Ten thousand calls of tools at once: the rate limit of the role holds, and other callers are served at the same time. */
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { earlier } from "../../support/mcp.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const calls = 10_000;
const allowed = 500;

describe("Ten thousand calls at once", () => {
  let server: TestServer;
  let agent: Agent;

  beforeAll(async () => {
    server = await startTestServer({
      sample: true,
      environment: {
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp",
        ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
        ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup",
      },
    });
    const unlimited = { max_reqs_per_min: 1_000_000, unique_params: null };
    await server.metadata("set_api_limits", {
      rate_limit: { global: unlimited, per_role: { member: { ...unlimited, max_reqs_per_min: allowed } } },
    });
    agent = new Agent({ connections: 200 });
  });

  afterAll(async () => {
    await agent.close();
    await server.close();
  });

  async function call(role: string, title: string): Promise<{ readonly status: number; readonly text: string }> {
    const { body, headers } = earlier("tools/call", { name: "find_books", arguments: { title } });
    const response = await request(`${server.url}/mcp`, {
      dispatcher: agent,
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, "x-engine-role": role },
    });
    return { status: response.statusCode, text: await response.body.text() };
  }

  it("Exactly as many calls run as the rate limit allows, and all others receive status 429", async () => {
    const flood = Promise.all(Array.from({ length: calls }, () => call("member", "%a%")));
    const { status, text } = await call("visitor", "%Last%");
    expect([status, JSON.parse(text).result.structuredContent.book.length]).toEqual([200, 1]);
    const answers = await flood;
    const counts = new Map<number, number>();
    for (const answer of answers) counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    // The minute of the limit may end during the calls.
    const ran = counts.get(200) ?? 0;
    expect([allowed, 2 * allowed]).toContain(ran);
    expect(counts.get(429)).toBe(calls - ran);
    const bodies = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.text));
    expect(bodies.size).toBe(1);
  }, 60_000);
});
