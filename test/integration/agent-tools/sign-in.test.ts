/** Clients of `/mcp` sign in with an identity provider: discovery, authorization code, token for this server, scopes. */
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { type IdentityProvider, jwtSecret, startIdentityProvider } from "../../support/identity-provider.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const redirectUrl = "http://127.0.0.1:1/callback";

/** A client program that a person has not signed in with yet. */
class SignIn implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { redirect_uris: [redirectUrl], client_name: "test" };
  /** The page of the identity provider that the program opened last. */
  opened: URL | undefined;
  #tokens: Parameters<OAuthClientProvider["saveTokens"]>[0] | undefined;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation() {
    return { client_id: "test" };
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: Parameters<OAuthClientProvider["saveTokens"]>[0]) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }
  discoveryState() {
    return this.#discovery;
  }

  /** Opens the page as the person's browser does. @returns the parameters of the redirect to the program */
  async approve(): Promise<URLSearchParams> {
    const response = await fetch(this.opened ?? "", { redirect: "manual" });
    return new URL(response.headers.get("location") ?? "").searchParams;
  }
}

describe("Signing in to /mcp", () => {
  let provider: IdentityProvider;
  let server: TestServer;
  const secret = { "x-engine-admin-secret": "top" };

  beforeAll(async () => {
    const member = "7d1f3a86-3c0e-4b0e-9a52-1c5f0f3e2b01";
    provider = await startIdentityProvider({
      "x-engine-allowed-roles": ["member"],
      "x-engine-default-role": "member",
      "x-engine-user-id": member,
    });
    const port = await freePort();
    server = await startTestServer({
      sample: true,
      environment: {
        ENGINE_GRAPHQL_SERVER_PORT: String(port),
        ENGINE_GRAPHQL_ADMIN_SECRET: "top",
        ENGINE_GRAPHQL_JWT_SECRET: jwtSecret,
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp",
        ENGINE_GRAPHQL_MCP_RESOURCE: `http://127.0.0.1:${port}/mcp`,
        ENGINE_GRAPHQL_MCP_AUTHORIZATION_SERVERS: provider.issuer,
      },
    });
  });

  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  const open = (authProvider: SignIn) =>
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider });

  it("The official client finds the provider, gets a token for this server, and calls a tool", async () => {
    const signIn = new SignIn();
    const first = open(signIn);
    await expect(new Client({ name: "test", version: "1" }).connect(first)).rejects.toThrow(/unauthorized/i);
    expect(signIn.opened?.origin).toBe(provider.issuer);
    expect(signIn.opened?.searchParams.get("resource")).toBe(`${server.url}/mcp`);
    await first.finishAuth(await signIn.approve());
    const client = new Client({ name: "test", version: "1" });
    await client.connect(open(signIn));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("my_loans");
    const { isError, structuredContent } = await client.callTool({ name: "my_loans", arguments: {} });
    expect([isError, structuredContent]).toEqual([undefined, { loan: [] }]);
    await client.close();
  });

  it("A tool whose scopes the token lacks makes the client request them", async () => {
    const signIn = new SignIn();
    const first = open(signIn);
    await new Client({ name: "test", version: "1" }).connect(first).catch(() => undefined);
    await first.finishAuth(await signIn.approve());
    const client = new Client({ name: "test", version: "1" });
    const transport = open(signIn);
    await client.connect(transport);
    const call = () => client.callTool({ name: "renew_loan", arguments: { loan: 1, until: "2027-01-01" } });
    await expect(call()).rejects.toThrow();
    expect(signIn.opened?.searchParams.get("scope")).toContain("loans.write");
    await transport.finishAuth(await signIn.approve());
    expect(JSON.stringify(await call())).toContain("Nothing has changed yet");
    await client.close();
  });

  it("The calls are listed for administrators, without arguments", async () => {
    const { json } = await server.post("/v1/metadata", { type: "get_tool_calls", args: {} }, secret);
    expect(json[0]).toMatchObject({ tool: "renew_loan", role: "member", outcome: "unconfirmed" });
    expect(json).toContainEqual(
      expect.objectContaining({ tool: "renew_loan", outcome: "error", code: "access-denied" }),
    );
    expect(JSON.stringify(json)).not.toContain("2027-01-01");
  });
});
