/** Tokens and secrets at the wrong endpoint: `/mcp` accepts tokens for itself only, and no other endpoint does. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jwtSecret, signedToken } from "../../support/identity-provider.ts";
import { earlier } from "../../support/mcp.ts";
import { type Answer, startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const resource = "https://data.example/mcp";
const claims = {
  "x-engine-allowed-roles": ["member", "librarian"],
  "x-engine-default-role": "member",
  "x-engine-user-id": "7d1f3a86-3c0e-4b0e-9a52-1c5f0f3e2b01",
};
const bearer = (more: Readonly<Record<string, unknown>>) => ({ authorization: `Bearer ${signedToken(claims, more)}` });
const secret = { "x-engine-admin-secret": "top" };

describe("Tokens at the wrong endpoint", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      sample: true,
      environment: {
        ENGINE_GRAPHQL_ADMIN_SECRET: "top",
        ENGINE_GRAPHQL_JWT_SECRET: jwtSecret,
        ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "visitor",
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp",
        ENGINE_GRAPHQL_MCP_RESOURCE: resource,
      },
    });
  });

  afterAll(() => server.close());

  function send(method: string, params: Readonly<Record<string, unknown>>, headers: Record<string, string>) {
    const message = earlier(method, params);
    return server.post("/mcp", message.body, { ...message.headers, ...headers });
  }

  const call = (name: string, headers: Record<string, string>, values: object = {}): Promise<Answer> =>
    send("tools/call", { name, arguments: values }, headers);

  it("A token for /mcp is refused by every other endpoint", async () => {
    const token = bearer({ aud: resource });
    expect((await call("my_loans", token)).json.result.structuredContent).toEqual({ loan: [] });
    const query = { query: "{ loan { id } }" };
    for (const [path, body] of [
      ["/v1/graphql", query],
      ["/v1alpha1/graphql", query],
      ["/v1/relay", query],
      ["/api/rest/loans", {}],
      ["/v1/metadata", { type: "export_metadata", args: {} }],
      ["/v1/query", { type: "select", args: { table: "loan", columns: ["id"] } }],
      ["/v1/graphql/explain", { query }],
    ] as const) {
      const { text } = await server.post(path, body, token);
      expect([path, text]).toEqual([path, expect.stringContaining("JWTNotInAudience")]);
    }
  });

  it("A token for /mcp opens no WebSocket", async () => {
    const socket = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    socket.send({ type: "connection_init", payload: { headers: bearer({ aud: resource }) } });
    expect(await socket.closed).toMatchObject({ code: 4403 });
  });

  it.each([
    ["a token without an audience", {}],
    ["a token for another server", { aud: "https://other.example/mcp" }],
    ["a token for the server as a whole", { aud: "https://data.example" }],
    ["an expired token", { aud: resource, exp: 1 }],
  ])("%s is refused at /mcp with a challenge", async (_, more) => {
    const { status, headers, text } = await call("my_loans", bearer(more));
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(
      'Bearer error="invalid_token", resource_metadata="https://data.example/.well-known/oauth-protected-resource/mcp"',
    );
    expect(text).not.toContain("eyJ");
  });

  it("The admin secret is refused at /mcp, with any role", async () => {
    for (const headers of [secret, { ...secret, "x-engine-role": "member" }]) {
      for (const method of ["tools/list", "tools/call", "resources/list", "initialize"]) {
        const { status, json } = await send(method, { name: "my_loans" }, headers);
        expect([status, json.error.data]).toEqual([403, { code: "access-denied", path: "$" }]);
      }
    }
  });

  it("A caller chooses only roles of its token", async () => {
    const { status } = await call("my_loans", { ...bearer({ aud: resource }), "x-engine-role": "admin" });
    expect(status).toBe(401);
    const librarian = { ...bearer({ aud: resource }), "x-engine-role": "librarian" };
    expect((await call("my_loans", librarian)).json.error).toMatchObject({ code: -32602 });
  });

  it("Headers add no scopes to a caller", async () => {
    const forged = { "x-engine-scope": "loans.write", scope: "loans.write", "x-engine-scopes": "loans.write" };
    for (const headers of [bearer({ aud: resource, scope: "loans.read" }), bearer({ aud: resource })]) {
      const values = { loan: 1, until: "2027-01-01", confirm: true };
      const { status, headers: found } = await call("renew_loan", { ...headers, ...forged }, values);
      expect([status, found.get("www-authenticate")]).toEqual([
        403,
        expect.stringContaining('error="insufficient_scope", scope="loans.write"'),
      ]);
    }
  });

  it("A caller without credentials has the unauthorized role, whatever its headers claim", async () => {
    const { json } = await send("tools/list", {}, { "x-engine-role": "member", "x-engine-user-id": "1" });
    const names = json.result.tools.map(({ name }: { readonly name: string }) => name);
    expect(names).toContain("find_books");
    expect(names).not.toContain("my_loans");
  });

  it("The log contains no token and no argument", async () => {
    const token = bearer({ aud: resource });
    await call("find_books", token, { title: "a very private search" });
    const log = server.log.join("");
    expect(log).toContain('"tool":"find_books"');
    expect(log).not.toContain("a very private search");
    expect(log).not.toContain(token.authorization.slice(7));
  });
});
