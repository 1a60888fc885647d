import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../../runtime/config/configuration-error.ts";
import { parseOptions } from "../../../../runtime/config/options.ts";

const hs256 = { type: "HS256", key: "0123456789abcdef0123456789abcdef" };

function parse(secret: unknown) {
  const text = typeof secret === "string" ? secret : JSON.stringify(secret);
  const { jwtSecret } = parseOptions({}, { ENGINE_GRAPHQL_JWT_SECRET: text });
  if (jwtSecret === null) throw new Error("no secret");
  return jwtSecret;
}

function problem(secret: unknown): string {
  try {
    parse(secret);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.replace(/^.*ENGINE_GRAPHQL_JWT_SECRET: /, "");
    throw error;
  }
  return "none";
}

function pem(key: KeyObject, type: "spki" | "pkcs8" = "spki"): string {
  return key.export({ type, format: "pem" }).toString();
}
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });

describe("Invalid JWT configurations", () => {
  it("An error in a JWT configuration names the setting", () => {
    const start = () => parseOptions({}, { ENGINE_GRAPHQL_JWT_SECRET: "{}" });
    expect(start).toThrow(
      "Fatal Error: Environment variable ENGINE_GRAPHQL_JWT_SECRET: key and jwk_url both cannot be empty",
    );
    expect(() => parseOptions({ jwtSecret: "{}" }, {})).toThrow("option --jwt-secret: key and jwk_url");
    const list = JSON.stringify([hs256, {}]);
    expect(() => parseOptions({}, { ENGINE_GRAPHQL_JWT_SECRETS: list })).toThrow(
      "Environment variable ENGINE_GRAPHQL_JWT_SECRETS: [1]: key and jwk_url both cannot be empty",
    );
  });

  const size = (count: number) => `Invalid JWK: Key size too small; should be atleast ${count} characters`;
  const notPem = (reason: string) => `Invalid JWK: Could not decode PEM: ${reason}`;
  const noKey = "expecting a public key or a certificate";

  it.each<[string, unknown, string]>([
    ["no JSON", "", "expecting JSON"],
    ["a broken object", '{"type":"HS256","key":"secret', "expecting JSON"],
    ["no object", "[]", "expecting a JSON object"],
    ["key and URL", { ...hs256, jwk_url: "http://x" }, "key, jwk_url both cannot be present"],
    ["no type", { key: hs256.key }, 'key "type" not found'],
    ["another type", { ...hs256, type: "PS256" }, "Invalid JWK: Key type: PS256 is not supported"],
    ["an inherited name as type", { ...hs256, type: "toString" }, "Invalid JWK: Key type: toString is not supported"],
    ["a short secret", { type: "HS256", key: "x".repeat(31) }, size(32)],
    ["a secret too short for HS384", { type: "HS384", key: "x".repeat(47) }, size(48)],
    ["a secret too short for HS512", { type: "HS512", key: "x".repeat(63) }, size(64)],
    ["an invalid PEM", { type: "RS256", key: "secret" }, notPem(noKey)],
    [
      "a private key",
      { type: "RS256", key: pem(rsa.privateKey, "pkcs8") },
      notPem(`${noKey}, but found a private key`),
    ],
    [
      "a key of another kind",
      { type: "RS256", key: pem(ec.publicKey) },
      notPem("expecting an RSA key, but found one of kind EC prime256v1"),
    ],
    [
      "a key of another kind than a curve's",
      { type: "Ed25519", key: pem(rsa.publicKey) },
      notPem("expecting an ED25519 key, but found one of kind RSA"),
    ],
    [
      "a short RSA key",
      { type: "RS256", key: pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey) },
      expect.stringMatching(/^Invalid JWK: Could not decode PEM: .*RSA keys need 2048 bits/),
    ],
    [
      "another curve",
      { type: "ES256", key: pem(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey) },
      expect.stringMatching(/^Invalid JWK: Could not decode PEM: .*EC keys one of the curves/),
    ],
    ["an invalid URL", { jwk_url: "keys" }, "jwk_url: expecting a URL that begins with http:// or https://"],
    ["a URL of a file", { jwk_url: "file:///x" }, "jwk_url: expecting a URL that begins with http:// or https://"],
    [
      "a URL with a password",
      { jwk_url: "http://u:p@x" },
      "jwk_url: a URL with a user name or password is not supported",
    ],
    [
      "two namespaces",
      { ...hs256, claims_namespace: "a", claims_namespace_path: "$" },
      "claims_namespace and claims_namespace_path both cannot be set",
    ],
    [
      "a bad path",
      { ...hs256, claims_namespace_path: "$.a b" },
      expect.stringMatching(/^invalid JSON path claims_namespace_path error: /),
    ],
    ["another format", { ...hs256, claims_format: "xml" }, "expected 'claims_format' is 'json' or 'stringified_json'"],
    [
      "a namespace that is not a string",
      { ...hs256, claims_namespace: 7 },
      'expecting a string for "claims_namespace"',
    ],
    [
      "an audience that is not a string",
      { ...hs256, audience: [7] },
      'expecting a string or an array of strings for "audience"',
    ],
    ["an issuer that is not a string", { ...hs256, issuer: ["a"] }, 'expecting a string for "issuer"'],
    [
      "a negative tolerance",
      { ...hs256, allowed_skew: -1 },
      'expecting a non negative integer of seconds for "allowed_skew"',
    ],
    [
      "a tolerance that is not a number",
      { ...hs256, allowed_skew: "60" },
      'expecting a non negative integer of seconds for "allowed_skew"',
    ],
    [
      "another header",
      { ...hs256, header: { type: "Query" } },
      "expected 'type' is 'Authorization' or 'Cookie' or 'CustomHeader'",
    ],
    [
      "a header without type",
      { ...hs256, header: {} },
      "expected 'type' is 'Authorization' or 'Cookie' or 'CustomHeader'",
    ],
    ["a cookie without name", { ...hs256, header: { type: "Cookie" } }, 'header: key "name" not found'],
  ])("A JWT configuration is refused: %s", (_, secret, message) => {
    expect(problem(secret)).toEqual(message);
  });

  const map = { "x-engine-allowed-roles": ["user"], "x-engine-default-role": "user" };
  const { "x-engine-allowed-roles": _, ...withoutAllowed } = map;
  const { "x-engine-default-role": __, ...withoutDefault } = map;

  it.each<[string, unknown, string]>([
    ["no object", ["x"], 'expecting an object for "claims_map"'],
    ["no allowed roles", withoutAllowed, "x-engine-allowed-roles is expected but not found"],
    ["no default role", withoutDefault, "x-engine-default-role is expected but not found"],
    [
      "allowed roles that are not a list",
      { ...map, "x-engine-allowed-roles": "user" },
      'claims_map: x-engine-allowed-roles: expecting an array of roles, or an object with a "path"',
    ],
    [
      "an empty role",
      { ...map, "x-engine-default-role": "" },
      'claims_map: x-engine-default-role: expecting a role, or an object with a "path"',
    ],
    [
      "a variable that is not a string",
      { ...map, "x-engine-user-id": 7 },
      'claims_map: x-engine-user-id: expecting a string, or an object with a "path"',
    ],
    [
      "a default that is not a string",
      { ...map, "x-engine-user-id": { path: "$.a", default: 7 } },
      'claims_map: x-engine-user-id: expecting a string as its "default"',
    ],
    [
      "a bad path",
      { ...map, "x-engine-user-id": { path: "$..a" } },
      expect.stringMatching(/^claims_map: invalid JSON path of x-engine-user-id: /),
    ],
    [
      "a name that is not a session variable",
      { ...map, "user-id": "1" },
      'claims_map: "user-id" is not a session variable, which begin with x-engine-',
    ],
    ["a variable twice", { ...map, "X-Engine-Default-Role": "user" }, "claims_map: x-engine-default-role occurs twice"],
  ])("A claims map is refused: %s", (_, claims_map, message) => {
    expect(problem({ ...hs256, claims_map })).toEqual(message);
  });
});

describe("Valid JWT configurations", () => {
  it("A JWT configuration has defaults", () => {
    expect(parse(hs256).settings).toMatchObject({
      token: { kind: "authorization" },
      claims: { kind: "namespace", name: "https://engine.io/jwt/claims", format: "json" },
      audience: null,
      issuer: null,
      allowedSkewSeconds: 0,
    });
  });

  it("A JWT configuration treats null as absent and accepts a claims map instead of a namespace", () => {
    const nulls = { jwk_url: null, claims_namespace: null, claims_map: null, audience: null, header: null };
    expect(problem({ ...hs256, ...nulls })).toBe("none");
    const claims_map = { "x-engine-allowed-roles": ["user"], "x-engine-default-role": "user" };
    expect(problem({ ...hs256, claims_map, claims_namespace: "a", claims_namespace_path: "b c" })).toBe("none");
  });

  it("The length of a shared secret is measured in bytes", () => {
    expect(problem({ type: "HS256", key: "é".repeat(16) })).toBe("none");
  });

  it("The token location is read regardless of case", () => {
    const token = (header: unknown) => parse({ ...hs256, header }).settings.token;
    expect(token({ type: "AUTHORIZATION" })).toEqual({ kind: "authorization" });
    expect(token({ type: "cookie", name: "Token" })).toEqual({ kind: "cookie", name: "Token" });
    expect(token({ type: "customHeader", name: "X-Token" })).toEqual({ kind: "header", name: "x-token" });
  });
});

describe("Display of JWT configurations", () => {
  const shown = (secret: unknown) => JSON.parse(JSON.stringify(parse(secret)));

  it("The displayed JWT configuration omits key and type", () => {
    expect(shown({ ...hs256, audience: "a", issuer: "i", allowed_skew: 5 })).toEqual({
      type: "<TYPE REDACTED>",
      key: "<JWK REDACTED>",
      claims_namespace: "https://engine.io/jwt/claims",
      claims_format: "json",
      claims_map: null,
      audience: ["a"],
      issuer: "i",
      allowed_skew: 5,
      header: { kind: "authorization" },
    });
    expect(shown({ jwk_url: "https://x/?code=1", claims_namespace_path: "$.a" })).toMatchObject({
      key: "<JWK REDACTED>",
      claims_namespace: "$.a",
    });
  });

  it("The displayed JWT configuration contains the claims map as it was written", () => {
    const claims_map = {
      "x-engine-allowed-roles": { path: "$.roles", default: ["user"] },
      "x-engine-default-role": { path: "$.roles[0]" },
      "x-engine-kind": "a",
    };
    expect(shown({ ...hs256, claims_map })).toMatchObject({ claims_format: "json", claims_map });
  });

  it("The displayed JWT configuration never contains the key in any form of printing", () => {
    const environment = {
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify(hs256),
      ENGINE_GRAPHQL_JWT_SECRETS: JSON.stringify([hs256, { type: "RS256", key: pem(rsa.publicKey) }]),
    };
    const options = parseOptions({}, environment);
    for (const text of [
      inspect(options, { depth: 20 }),
      inspect(options.jwtSecret?.settings),
      JSON.stringify(options),
    ]) {
      expect(text).not.toContain("0123456789abcdef");
      expect(text).not.toContain("BEGIN");
    }
  });
});
