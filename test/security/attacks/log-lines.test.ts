/** Attempts to read the log without being an administrator, to get secrets from it, and to break or fill it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getLogLines } from "../../../runtime/control/log-lines.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { RecentLines } from "../../../runtime/observe/logs/recent-lines.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const secret = { "x-engine-admin-secret": "very-secret" };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    sealed: false,
    environment: {
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "visitor",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,http-log,webhook-log,websocket-log,query-log",
    },
  });
}, 120_000);

afterAll(() => server?.close());

const body = (args: object = {}) => ({ type: "get_log_lines", args });

describe("The log of a server", () => {
  it.each([
    ["without a secret", {}],
    ["with a wrong secret", { "x-engine-admin-secret": "another-secret" }],
    ["as another role", { ...secret, "x-engine-role": "visitor" }],
    ["as admin by a header alone", { "x-engine-role": "admin" }],
  ])("The log is refused %s, at every endpoint and inside of a bulk", async (_, headers) => {
    for (const path of ["/v1/metadata", "/v1/query", "/v2/query"]) {
      for (const sent of [body(), { type: "bulk", args: [body()] }, { type: "concurrent_bulk", args: [body()] }]) {
        const { status, text } = await server.post(path, sent, headers);
        expect([path, status]).not.toEqual([path, 200]);
        expect(text).not.toContain("timestamp");
      }
    }
  });

  it("The log of the operation contains no secret that a request or the configuration contains", async () => {
    const headers = { ...secret, authorization: "Bearer hidden-token", cookie: "session=hidden-cookie" };
    await server.post("/v1/graphql", { query: "query Secrets { __typename }" }, headers);
    const configuration = { connection_info: { database_url: "postgres://u:hidden-password@127.0.0.1:1/none" } };
    await server.post("/v1/metadata", { type: "pg_add_source", args: { name: "other", configuration } }, secret);
    const { text } = await server.post("/v1/metadata", body({ limit: 1000 }), secret);
    expect(text).toContain("Secrets");
    expect(text).not.toMatch(/very-secret|hidden-/);
  });

  it("A huge operation is cut in the response", async () => {
    const query = `query Huge { __typename } # ${"é".repeat(400_000)}`;
    await server.post("/v1/graphql", { query }, secret);
    const { text, json } = await server.post("/v1/metadata", body({ text: "query huge", limit: 10 }), secret);
    expect(json.lines.length).toBeGreaterThan(0);
    expect(json.lines[0]).toMatchObject({ level: "info", type: expect.any(String), text: expect.any(String) });
    expect(text.length).toBeLessThan(10 * 40 * 1024);
  });
});

describe("Lines with hostile content", () => {
  const read = (recent: RecentLines) =>
    getLogLines(
      {
        effect: "io",
        operation: "get_log_lines",
        endpoint: "/v1/metadata",
        kind: "postgres",
        path: "$.args",
        input: { limit: 1000 },
      },
      recent,
    ) as { readonly lines: readonly Readonly<Record<string, unknown>>[] };

  it.each([
    ["a key that sets a prototype", '{"__proto__": {"isAdmin": true}}'],
    ["very deep JSON", `${"[".repeat(9000)}1${"]".repeat(9000)}`],
    ["invalid JSON", '{"a": }'],
  ])("A line with %s is returned as text, and the lines around it are returned", (_, detail) => {
    const log = createLog({ logLevel: "info", enabledLogTypes: new Set(["http-log"]) }, { write: () => undefined });
    log.info("http-log", { message: "before" });
    log.text("http-log", "info", detail);
    log.info("http-log", { message: "after" });
    const { lines } = read(log.recent ?? new RecentLines());
    expect(lines.map(({ detail: shown, type, level }) => [level, type, shown])).toEqual([
      ["info", "http-log", { message: "before" }],
      ["info", "http-log", undefined],
      ["info", "http-log", { message: "after" }],
    ]);
    expect(lines[1]?.text).toContain(detail.slice(0, 1000));
    expect(JSON.stringify(lines)).not.toContain('isAdmin":');
  });

  it("Memory for lines is bounded, whatever their number and length", () => {
    const recent = new RecentLines({ maxBytes: 100_000, maxLines: 50, maxLineBytes: 10_000 });
    for (let i = 0; i < 10_000; i++)
      recent.add(`{"level":"info","type":"http-log","detail":"${"x".repeat(i % 20_000)}"}\n`);
    const { lines } = read(recent);
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(lines).length).toBeLessThan(120_000);
  });
});
