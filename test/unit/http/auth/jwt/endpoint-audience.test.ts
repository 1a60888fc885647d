/** Audiences of tokens by endpoint: tokens for `/mcp` are for `/mcp` alone. */
import { afterAll, describe, expect, it } from "vitest";
import { bearer, jwtAuthenticator } from "./authenticator.ts";
import { payload, sharedSecret, token, userClaims } from "./tokens.ts";

const secret = sharedSecret("a shared secret of sixty-four bytes, which even HS512 finds long");
const signed = (more: Readonly<Record<string, unknown>>) =>
  bearer(token(secret, "HS256", payload(userClaims, more), {}));
const mcp = "https://data.example/mcp";
const api = "https://data.example";

const open = (audience?: string | readonly string[], resource: string | null = mcp) =>
  jwtAuthenticator(
    { type: "HS256", key: secret.key, ...(audience !== undefined && { audience }) },
    resource === null ? {} : { MCP_RESOURCE: resource },
  );

describe("Audiences by endpoint", () => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(closing.map((close) => close())));

  it.each([
    // Audience of the token, audience of the secret, accepted at /mcp, accepted at other endpoints.
    [undefined, undefined, false, true],
    [mcp, undefined, true, false],
    [[mcp], undefined, true, false],
    [[mcp, api], undefined, true, true],
    [api, undefined, false, true],
    [`${mcp}/`, undefined, false, true],
    [undefined, api, false, true],
    [mcp, api, true, false],
    [[mcp, api], api, true, true],
    [api, api, false, true],
    [mcp, [api, mcp], true, true],
    ["https://other.example", api, false, false],
    [[], undefined, false, false],
    [7, undefined, false, false],
  ])("A token for %j with a secret for %j: /mcp %s, other endpoints %s", async (aud, audience, atMcp, elsewhere) => {
    const { session, close } = await open(audience);
    closing.push(close);
    const headers = signed(aud === undefined ? {} : { aud });
    const accepts = async (context: { readonly audience?: string }): Promise<boolean> =>
      session(headers, context).then(
        () => true,
        (error: { readonly message?: string }) => {
          expect(error.message).toBe("Could not verify JWT: JWTNotInAudience");
          return false;
        },
      );
    // The second request finds the token in the cache.
    for (const _ of [1, 2]) expect([await accepts({ audience: mcp }), await accepts({})]).toEqual([atMcp, elsewhere]);
  });

  it("Without a resource for /mcp, any audience is accepted if the secret names none", async () => {
    const { session, close } = await open(undefined, null);
    closing.push(close);
    for (const aud of [undefined, mcp, [], 7]) {
      expect(await session(signed(aud === undefined ? {} : { aud }))).toMatchObject({ role: "user" });
    }
  });

  it.each([
    [{ scope: "a  b" }, ["a", "b"]],
    [{ scp: ["a", 1, "b"] }, ["a", "b"]],
    [{ scope: ["a"], scp: "b" }, ["a"]],
    [{ scope: "" }, undefined],
    [{ scope: { a: 1 } }, undefined],
    [{}, undefined],
  ])("The claims %j are the scopes %j", async (claims, scopes) => {
    const { session, close } = await open(undefined, null);
    closing.push(close);
    expect((await session(signed(claims))).scopes).toEqual(scopes);
  });
});
