/** Authorization of `/mcp`: sessions, scopes and protected-resource metadata. */
import { describe, expect, it } from "vitest";
import { parseHttpUrl } from "../../../../runtime/config/http-url.ts";
import {
  challenge,
  checkMcpSession,
  checkScopes,
  InsufficientScope,
  type McpAuthorization,
  mcpAudience,
  resourceMetadataRoutes,
} from "../../../../runtime/http/mcp/authorization.ts";
import type { AuthenticatedSession } from "../../../../runtime/ports/authentication.ts";
import type { PlainRequest } from "../../../../runtime/ports/request.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const settings = (url: string | null, more: Partial<McpAuthorization> = {}): McpAuthorization => {
  const parsed = url === null ? null : parseHttpUrl(url);
  return {
    mcpResource: parsed && "value" in parsed ? parsed.value : null,
    mcpAuthorizationServers: new Set(["https://id.example"]),
    mcpAdminSecret: false,
    ...more,
  };
};

const session = (more: Partial<AuthenticatedSession> = {}): AuthenticatedSession => ({
  role: "member",
  variables: new Map(),
  backendOnly: false,
  ...more,
});

const failed = new EngineError("access-denied", "$", "no credentials", { status: 401 });

describe("Authorization of /mcp", () => {
  it.each([
    ["https://a.example/mcp", "https://a.example/mcp", "https://a.example/.well-known/oauth-protected-resource/mcp"],
    ["https://a.example", "https://a.example", "https://a.example/.well-known/oauth-protected-resource"],
    ["https://a.example/", "https://a.example", "https://a.example/.well-known/oauth-protected-resource"],
    [
      "http://a.example:8080/x/mcp/",
      "http://a.example:8080/x/mcp/",
      "http://a.example:8080/.well-known/oauth-protected-resource/x/mcp/",
    ],
  ])(
    "The resource %s has its audience, and its metadata is at the well-known path",
    async (url, audience, metadata) => {
      expect(mcpAudience(settings(url))).toBe(audience);
      expect(challenge(settings(url), failed, false)).toBe(`Bearer resource_metadata="${metadata}"`);
      const routes = resourceMetadataRoutes(settings(url));
      expect([...routes.keys()]).toContain("/.well-known/oauth-protected-resource");
      const response = await routes.get(new URL(metadata).pathname)?.({} as PlainRequest);
      expect(JSON.parse(response?.body ?? "")).toEqual({
        resource: audience,
        authorization_servers: ["https://id.example"],
        bearer_methods_supported: ["header"],
      });
    },
  );

  it("The public metadata names no scope of a tool", async () => {
    const [handler] = resourceMetadataRoutes(settings("https://api.example/mcp")).values();
    expect((await handler?.({} as PlainRequest))?.body).toContain("authorization_servers");
    expect((await handler?.({} as PlainRequest))?.body).not.toContain("scope");
  });

  it("Without a resource, there is no metadata, and a challenge names none", () => {
    expect(mcpAudience(settings(null))).toBeNull();
    expect(resourceMetadataRoutes(settings(null)).size).toBe(0);
    expect(challenge(settings(null), failed, false)).toBe("Bearer");
    expect(challenge(settings(null), failed, true)).toBe('Bearer error="invalid_token"');
    expect(challenge(settings(null), new InsufficientScope(["a", "b"], ["b"]), true)).toBe(
      'Bearer error="insufficient_scope", scope="a b"',
    );
  });

  it("Callers that choose their role, and the role admin, are refused unless an option accepts them", () => {
    const refused = expect.objectContaining({ code: "access-denied", status: 403 });
    for (const each of [session({ choosesRole: true }), session({ role: "admin" })]) {
      expect(() => checkMcpSession(each, settings(null))).toThrow(refused);
      expect(() => checkMcpSession(each, settings(null, { mcpAdminSecret: true }))).not.toThrow();
    }
    expect(() => checkMcpSession(session(), settings(null))).not.toThrow();
  });

  it("A tool requires all of its scopes", () => {
    const required = ["loans:read", "loans:write"];
    const check = (more: Partial<AuthenticatedSession>) => () => checkScopes(session(more), required);
    expect(check({ scopes: ["loans:read"] })).toThrow("the token lacks scopes of this tool: loans:write");
    expect(check({})).toThrow("loans:read, loans:write");
    expect(check({ variables: new Map([["x-engine-scope", required.join(" ")]]) })).toThrow("loans:read");
    expect(check({ scopes: required })).not.toThrow();
    expect(check({ choosesRole: true })).not.toThrow();
    expect(() => checkScopes(session(), [])).not.toThrow();
  });
});
