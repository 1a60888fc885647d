import { describe, expect, it } from "vitest";
import { type Environment, parseOptions } from "../../../../runtime/config/options.ts";
import { decideAuthMode } from "../../../../runtime/http/auth/mode.ts";

const decide = (environment: Environment) => decideAuthMode(parseOptions({}, environment));
const secrets = (environment: Environment) => {
  const mode = decide(environment);
  return mode.kind === "admin-secret" ? mode.secrets.map((secret) => secret.reveal()) : [];
};

const secret = { ENGINE_GRAPHQL_ADMIN_SECRET: "s" };
const hook = { ENGINE_GRAPHQL_AUTH_HOOK: "http://hook" };
const key = JSON.stringify({ type: "HS256", key: "k".repeat(32) });
const jwt = { ENGINE_GRAPHQL_JWT_SECRET: key };
const jwts = { ENGINE_GRAPHQL_JWT_SECRETS: `[${key}]` };
const role = { ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous" };

describe("The authentication mode", () => {
  it("The server requires no authentication if no admin secret is set or the secret is empty", () => {
    expect(decide({})).toEqual({ kind: "no-auth" });
    expect(decide({ ENGINE_GRAPHQL_ADMIN_SECRET: "" })).toEqual({ kind: "no-auth" });
    expect(decide({ ENGINE_GRAPHQL_ADMIN_SECRETS: "[]" })).toEqual({ kind: "no-auth" });
  });

  it("The authentication mode collects the secrets of both settings", () => {
    expect(secrets({ ...secret, ENGINE_GRAPHQL_ADMIN_SECRETS: '["a","b"]' })).toEqual(["s", "a", "b"]);
    expect(secrets({ ENGINE_GRAPHQL_ADMIN_SECRETS: '["a"]' })).toEqual(["a"]);
  });

  it("The admin secret takes precedence over the access key, which counts if the secret is missing or empty", () => {
    expect(secrets({ ...secret, ENGINE_GRAPHQL_ACCESS_KEY: "k" })).toEqual(["s"]);
    expect(secrets({ ENGINE_GRAPHQL_ACCESS_KEY: "k" })).toEqual(["k"]);
    expect(secrets({ ENGINE_GRAPHQL_ADMIN_SECRET: "", ENGINE_GRAPHQL_ACCESS_KEY: "k" })).toEqual(["k"]);
  });

  it("The authentication mode keeps the unauthorized role", () => {
    expect(decide({ ...secret, ...role })).toMatchObject({ kind: "admin-secret", unauthorizedRole: "anonymous" });
  });

  it("The authentication mode is JWT or webhook if the settings configure one beside the admin secret", () => {
    expect(decide({ ...secret, ...jwt, ...role })).toMatchObject({
      kind: "jwt",
      configs: [expect.anything()],
      unauthorizedRole: "anonymous",
    });
    expect(decide({ ...secret, ...jwt, ...jwts })).toMatchObject({ configs: [expect.anything(), expect.anything()] });
    expect(decide({ ...secret, ENGINE_GRAPHQL_JWT_SECRETS: "[]" })).toMatchObject({ kind: "admin-secret" });
    expect(decide({ ...secret, ...hook, ENGINE_GRAPHQL_AUTH_HOOK_MODE: "POST" })).toMatchObject({
      kind: "webhook",
      hook: { method: "post", sendRequestBody: true },
    });
  });

  const requires =
    "requires --admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET) or  --access-key (ENGINE_GRAPHQL_ACCESS_KEY) to be set";
  const both = "Fatal Error: Both webhook and JWT mode cannot be enabled at the same time";
  const badRole = `Fatal Error: --unauthorized-role (ENGINE_GRAPHQL_UNAUTHORIZED_ROLE) ${requires} and is not allowed when --auth-hook (ENGINE_GRAPHQL_AUTH_HOOK) is set`;

  it.each<[string, Environment, string]>([
    ["a webhook without a secret", hook, `Fatal Error : --auth-hook (ENGINE_GRAPHQL_AUTH_HOOK) ${requires}`],
    ["JWT without a secret", jwt, `Fatal Error : --jwt-secret (ENGINE_GRAPHQL_JWT_SECRET) ${requires}`],
    ["JWT secrets without a secret", jwts, `Fatal Error : --jwt-secret (ENGINE_GRAPHQL_JWT_SECRET) ${requires}`],
    ["a webhook and JWT", { ...secret, ...hook, ...jwt }, both],
    ["a webhook and JWT without a secret", { ...hook, ...jwts }, both],
    ["an unauthorized role without a secret", role, badRole],
    ["an unauthorized role with a webhook", { ...secret, ...hook, ...role }, badRole],
  ])("The authentication settings are refused: %s", (_, environment, message) => {
    expect(() => decide(environment)).toThrow(expect.objectContaining({ message }));
  });
});
