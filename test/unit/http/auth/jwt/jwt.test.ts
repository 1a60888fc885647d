import { describe, expect, it, vi } from "vitest";
import { bearer, jwtAuthenticator, testAuthenticator } from "./authenticator.ts";
import {
  certified,
  ed25519,
  encode,
  namespace,
  otherRsa,
  p256,
  p384,
  p521,
  payload,
  rsa,
  type Signer,
  seconds,
  sharedSecret,
  token,
  userClaims,
} from "./tokens.ts";

const secret = sharedSecret("a shared secret of sixty-four bytes, which even HS512 finds long");
const hs256 = { type: "HS256", key: secret.key };
const signed = (body: unknown, header = {}) => token(secret, "HS256", body, header);

const failure = (code: string, message: unknown) => ({ code, path: "$", status: 400, message });
const unverified = (reason: string) => failure("invalid-jwt", `Could not verify JWT: ${reason}`);
const wrongSignature = unverified("JWSError JWSInvalidSignature");
const undecodable = (problem: string) => unverified(`JWSError (CompactDecodeError ${problem})`);
const notThreeParts = undecodable("expected three parts");
const notAllowed = failure("access-denied", "Your requested role is not in allowed roles");

describe("JWT keys", () => {
  it.each<[string, string, Signer]>([
    ["HS256", "HS256", secret],
    ["HS384", "HS384", secret],
    ["HS512", "HS512", secret],
    ["RS256", "RS256", rsa],
    ["RS384", "RS384", rsa],
    ["RS512", "RS512", rsa],
    ["Ed25519", "EdDSA", ed25519],
    ["ES256", "ES256", p256],
    ["ES384", "ES384", p384],
    ["ES512", "ES512", p521],
    // The type of a secret does not restrict the algorithm of tokens.
    ["HS256", "HS512", secret],
    ["RS256", "RS512", rsa],
    ["RS512", "PS256", rsa],
    ["ES256", "ES512", p521],
    ["Ed25519", "Ed25519", ed25519],
    // Public keys in forms other than SPKI.
    ["RS256", "RS256", { ...rsa, key: rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString() }],
    ["ES256", "ES256", certified],
  ])("A key of type %s verifies %s", async (type, algorithm, signer) => {
    const { session } = await jwtAuthenticator({ type, key: signer.key });
    expect(await session(bearer(token(signer, algorithm)))).toEqual({
      role: "user",
      variables: { "x-engine-role": "user", "x-engine-user-id": "1" },
      backendOnly: false,
      expiresAt: expect.any(Number),
    });
  });

  it.each<[string, string, Signer, string, Signer]>([
    ["another key", "RS256", rsa, "RS256", otherRsa],
    ["the public key as a shared secret", "RS256", rsa, "HS256", sharedSecret(rsa.key)],
    ["a curve's public key as a shared secret", "ES256", p256, "HS256", sharedSecret(p256.key)],
    ["the kind of another key", "RS256", rsa, "ES256", p256],
    ["another curve", "ES256", p256, "ES384", p384],
    ["another secret", "HS256", secret, "HS256", sharedSecret("x".repeat(64))],
  ])("JWT verification refuses a signature by %s", async (_, type, { key }, algorithm, signer) => {
    const { session } = await jwtAuthenticator({ type, key });
    await expect(session(bearer(token(signer, algorithm)))).rejects.toMatchObject(wrongSignature);
  });

  it.each(["none", "None", "NONE", "", "HS1", "RS1", "toString", "__proto__"])(
    "JWT verification refuses the algorithm %j",
    async (alg) => {
      for (const settings of [hs256, { type: "RS256", key: rsa.key }]) {
        const { session } = await jwtAuthenticator(settings);
        const input = `${encode({ alg, typ: "JWT" })}.${encode(payload())}`;
        await expect(session(bearer(`${input}.`))).rejects.toMatchObject(notThreeParts);
        await expect(session(bearer(`${input}.AAAA`))).rejects.toMatchObject(wrongSignature);
      }
    },
  );

  it("JWT verification ignores keys that the token itself brings along", async () => {
    const { session } = await jwtAuthenticator({ type: "RS256", key: rsa.key });
    const claims = token(otherRsa, "RS256", payload(), { jwk: otherRsa.jwk, kid: "x", jku: "http://127.0.0.1:1/" });
    await expect(session(bearer(claims))).rejects.toMatchObject(wrongSignature);
  });
});

describe("The form of a JWT", () => {
  const [header = "", body = "", signature = ""] = signed(payload()).split(".");
  it.each([
    ["no token", "x", "expected three parts"],
    ["two parts", `${header}.${body}`, "expected three parts"],
    ["four parts", `${header}.${body}.${signature}.${signature}`, "expected three parts"],
    ["an encrypted token's five", "a.b.c.d.e", "expected three parts"],
    ["no signature", `${header}.${body}.`, "expected three parts"],
    ["padding", `${header}.${body}.${signature}=`, "signature: not base64url"],
    ["the standard alphabet", `${header}.${body}.${"+/".repeat(21)}+`, "signature: not base64url"],
    [
      "bits that do not count",
      `${header}.${body}.${signature.slice(0, -1)}${nextLetter(signature.slice(-1))}`,
      "signature: not base64url",
    ],
    [
      "a header that is not JSON",
      `${Buffer.from("{").toString("base64url")}.${body}.${signature}`,
      "header: not JSON in base64url",
    ],
    ["a header that is not an object", `${encode(["HS256"])}.${body}.${signature}`, "header: not an object"],
    ["a header without algorithm", `${encode({ typ: "JWT" })}.${body}.${signature}`, "header: no algorithm"],
    ["a payload that is not an object", signed("text"), "payload: not an object"],
    [
      "a payload that is not UTF-8",
      rawToken(Buffer.from('{"a":"\u00ff"}', "latin1")),
      "payload: not JSON in base64url",
    ],
    [
      "critical extensions",
      signed(payload(), { crit: ["b64"], b64: true }),
      "header: critical extensions are not supported",
    ],
    [
      "an oversized token",
      signed(payload(userClaims, { padding: "x".repeat(70_000) })),
      "the token is longer than 65536 characters",
    ],
  ])("A malformed JWT is refused: %s", async (_, text, problem) => {
    const { session } = await jwtAuthenticator(hs256);
    await expect(session(bearer(text))).rejects.toMatchObject(undecodable(problem));
  });

  function rawToken(bytes: Buffer): string {
    const input = `${encode({ alg: "HS256" })}.${bytes.toString("base64url")}`;
    return `${input}.${secret.sign("HS256", input).toString("base64url")}`;
  }

  /**
   * Returns another encoding of the same bytes for lenient decoders: 32 bytes leave two bits of the last letter unused.
   */
  function nextLetter(letter: string): string {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return letters[letters.indexOf(letter) + 1] ?? "";
  }
});

describe("Registered claims", () => {
  const check = async (more: Record<string, unknown>, settings = {}) =>
    (await jwtAuthenticator({ ...hs256, ...settings })).session(bearer(signed(payload(userClaims, more))));

  it.each([
    ["expired", { exp: seconds(-1) }, {}, "JWTExpired"],
    ["expired beyond the tolerance", { exp: seconds(-61) }, { allowed_skew: 60 }, "JWTExpired"],
    ["not yet valid", { nbf: seconds(60) }, {}, "JWTNotYetValid"],
    ["issued in the future", { iat: seconds(60) }, {}, "JWTIssuedAtFuture"],
    ["for another audience", { aud: "b" }, { audience: "a" }, "JWTNotInAudience"],
    ["for other audiences", { aud: ["b", "c"] }, { audience: ["a", "d"] }, "JWTNotInAudience"],
    ["for no audience", { aud: [] }, { audience: "a" }, "JWTNotInAudience"],
    ["for an audience that is not a string", { aud: 7 }, { audience: "7" }, "JWTNotInAudience"],
    ["of another issuer", { iss: "b" }, { issuer: "a" }, "JWTNotInIssuer"],
    ["of an issuer that is not a string", { iss: ["a"] }, { issuer: "a" }, "JWTNotInIssuer"],
  ])("A JWT with a failing registered claim is refused: %s", async (_, claims, settings, reason) => {
    await expect(check(claims, settings)).rejects.toMatchObject(unverified(reason));
  });

  it.each([
    ["within the tolerance", { exp: seconds(-30), nbf: seconds(30), iat: seconds(30) }, { allowed_skew: 60 }],
    ["for one of the audiences", { aud: ["b", "a"] }, { audience: ["a", "d"] }],
    ["without an audience", {}, { audience: "a" }],
    ["for an audience that is not configured", { aud: "b" }, {}],
    ["of the issuer", { iss: "a" }, { issuer: "a" }],
    ["without an issuer", {}, { issuer: "a" }],
  ])("A JWT with a passing registered claim is accepted: %s", async (_, claims, settings) => {
    expect(await check(claims, settings)).toMatchObject({ role: "user" });
  });

  it.each(["exp", "nbf", "iat"])("The claim %s must be a number", async (claim) => {
    for (const value of [String(seconds(3600)), null, true, {}]) {
      const message = `Could not verify JWT: JWTClaimsSetDecodeError ${claim}: expected a number of seconds`;
      await expect(check({ [claim]: value })).rejects.toMatchObject(failure("invalid-jwt", message));
    }
  });

  it("A session ends when its token expires, clock tolerance included", async () => {
    const exp = seconds(100);
    expect(await check({ exp })).toMatchObject({ expiresAt: exp * 1000 });
    expect(await check({ exp }, { allowed_skew: 60 })).toMatchObject({ expiresAt: (exp + 60) * 1000 });
    expect((await check({ exp: undefined })).expiresAt).toBeUndefined();
    expect((await check({ exp: 1e308 })).expiresAt).toBeUndefined();
  });
});

describe("A verified token", () => {
  it("A verified token is accepted until it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { session } = await jwtAuthenticator(hs256);
      const text = signed(payload(userClaims, { exp: seconds(60) }));
      expect(await session(bearer(text))).toMatchObject({ role: "user" });
      expect(await session(bearer(text, { "x-engine-role": "editor" }))).toMatchObject({ role: "editor" });
      await expect(session(bearer(text, { "x-engine-role": "admin" }))).rejects.toMatchObject(notAllowed);
      vi.setSystemTime(Date.now() + 61_000);
      await expect(session(bearer(text))).rejects.toMatchObject(unverified("JWTExpired"));
      await expect(session(bearer(text))).rejects.toMatchObject(unverified("JWTExpired"));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("The role of a JWT session", () => {
  it("The role is that of the header if the token allows it, and else the token's default", async () => {
    const { session } = await jwtAuthenticator(hs256);
    const text = signed(payload());
    expect(await session(bearer(text))).toMatchObject({ role: "user" });
    expect(await session(bearer(text, { "x-engine-role": "" }))).toMatchObject({ role: "user" });
    expect(await session(bearer(text, { "x-engine-role": "editor" }))).toMatchObject({
      role: "editor",
      variables: { "x-engine-role": "editor", "x-engine-user-id": "1" },
    });
    await expect(session(bearer(text, { "x-engine-role": "admin" }))).rejects.toMatchObject(notAllowed);
  });

  it("The default role of a token must be among its allowed roles", async () => {
    const { session } = await jwtAuthenticator(hs256);
    const claims = { ...userClaims, "x-engine-default-role": "admin" };
    await expect(session(bearer(signed(payload(claims))))).rejects.toMatchObject(notAllowed);
  });

  it("The admin secret takes precedence over a token in the same request", async () => {
    const { session } = await jwtAuthenticator(hs256);
    const headers = bearer("rubbish", { "x-engine-admin-secret": "top", "x-engine-role": "editor" });
    expect(await session(headers)).toMatchObject({ role: "editor" });
    const wrong = bearer(signed(payload()), { "x-engine-admin-secret": "wrong" });
    await expect(session(wrong)).rejects.toMatchObject({ status: 401, code: "access-denied" });
  });

  it("A JWT session has no backend-only permissions", async () => {
    const { session } = await jwtAuthenticator(hs256);
    const headers = bearer(signed(payload()), { "x-engine-use-backend-only-permissions": "true" });
    expect(await session(headers)).toMatchObject({ backendOnly: false });
  });
});

describe("Claims in a namespace", () => {
  const read = async (body: unknown, settings = {}, headers = {}) =>
    (await jwtAuthenticator({ ...hs256, ...settings })).session(bearer(signed(body), headers));
  const invalid = (message: string) => failure("jwt-invalid-claims", message);
  const missing = (claim: string) => failure("jwt-missing-role-claims", `JWT claim does not contain ${claim}`);
  const { "x-engine-default-role": _default, ...withoutDefault } = userClaims;
  const { "x-engine-allowed-roles": _allowed, ...withoutAllowed } = userClaims;

  it("Namespaced claims become session variables regardless of the case of their names", async () => {
    const claims = {
      "X-Engine-Allowed-Roles": ["user"],
      "X-ENGINE-DEFAULT-ROLE": "user",
      "X-Engine-Org-Ids": "{1,2,3}",
      "x-engine-role": "admin",
      "x-engine-admin-secret": "a",
      "x-engine-access-key": "b",
      other: 7,
    };
    expect(await read(payload(claims), {}, { "x-engine-user-id": "7", "x-other": "8" })).toMatchObject({
      variables: { "x-engine-role": "user", "x-engine-org-ids": "{1,2,3}" },
    });
  });

  it.each([
    ["no namespace", { sub: "1" }, invalid(`claims key: '${namespace}' not found`)],
    ["no object", payload("x"), invalid("expecting a json object when claims_format is json")],
    ["no allowed roles", payload(withoutAllowed), missing("x-engine-allowed-roles")],
    ["no default role", payload(withoutDefault), missing("x-engine-default-role")],
    [
      "allowed roles that are not a list",
      payload({ ...userClaims, "x-engine-allowed-roles": "user" }),
      invalid(
        "invalid x-engine-allowed-roles; should be a list of roles: parsing [] failed, expected Array, but encountered String",
      ),
    ],
    [
      "an allowed role that is not a string",
      payload({ ...userClaims, "x-engine-allowed-roles": ["user", 7] }),
      invalid(
        "invalid x-engine-allowed-roles; should be a list of roles: parsing Text failed, expected String, but encountered Number",
      ),
    ],
    [
      "an empty role",
      payload({ ...userClaims, "x-engine-allowed-roles": [""], "x-engine-default-role": "" }),
      invalid("invalid x-engine-allowed-roles; should be a list of roles: empty string not allowed"),
    ],
    [
      "a default role that is not a string",
      payload({ ...userClaims, "x-engine-default-role": ["user"] }),
      invalid(
        "invalid x-engine-default-role; should be a single role name: parsing Text failed, expected String, but encountered Array",
      ),
    ],
    [
      "a variable that is not a string",
      payload({ ...userClaims, "x-engine-user-id": 1 }),
      invalid("x-engine-* claims: parsing Text failed, expected String, but encountered Number"),
    ],
  ])("Namespaced claims are refused if the payload has %s", async (_, body, error) => {
    await expect(read(body)).rejects.toMatchObject(error);
  });

  it("The claims namespace is configurable", async () => {
    expect(await read({ mine: userClaims }, { claims_namespace: "mine" })).toMatchObject({ role: "user" });
  });

  it.each([
    ["$", userClaims],
    ["$.engine.claims", { engine: { claims: userClaims } }],
    ["$.engine['claims%']", { engine: { "claims%": userClaims } }],
    ["$['https://x/y']", { "https://x/y": userClaims }],
    ["$.list[1]", { list: [{}, userClaims] }],
  ])("Claims may be at the path %s", async (path, body) => {
    expect(await read(body, { claims_namespace_path: path })).toMatchObject({ role: "user" });
  });

  it.each([
    ["$.engine.claims", { engine: {} }],
    ["$.__proto__", {}],
    ["$.list.length", { list: [userClaims] }],
    // Registered claims cannot contain the engine's claims.
    ["$.sub", { sub: userClaims }],
  ])("Claims are refused if they are missing at the path %s", async (path, body) => {
    const error = invalid(`claims not found at claims_namespace_path: '${path}'`);
    await expect(read(body, { claims_namespace_path: path })).rejects.toMatchObject(error);
  });

  it("Claims may be JSON in a string", async () => {
    const format = { claims_format: "stringified_json" };
    expect(await read(payload(JSON.stringify(userClaims)), format)).toMatchObject({ role: "user" });
    const atPath = { ...format, claims_namespace_path: "$.a" };
    expect(await read({ a: JSON.stringify(userClaims) }, atPath)).toMatchObject({ role: "user" });
    const noString = invalid("expecting a string when claims_format is stringified_json");
    await expect(read(payload(), format)).rejects.toMatchObject(noString);
    const noJson = (location: string) => invalid(`expecting stringified json at: '${location}', but found: {x`);
    await expect(read(payload("{x"), format)).rejects.toMatchObject(noJson(`claims_namespace ${namespace}`));
    await expect(read({ a: "{x" }, atPath)).rejects.toMatchObject(noJson("claims_namespace_path $.a"));
  });
});

describe("Mapped claims", () => {
  const at = (path: string, fallback?: unknown) => ({ path, ...(fallback !== undefined && { default: fallback }) });
  const map = {
    "x-engine-allowed-roles": at("$.app.roles"),
    "X-Engine-Default-Role": at("$.app.roles[0]"),
    "x-engine-user-id": at("$.sub"),
    "x-engine-kind": "literal",
  };
  const read = async (body: unknown, more = {}) =>
    (await jwtAuthenticator({ ...hs256, claims_map: { ...map, ...more } })).session(bearer(signed(body)));

  it("Mapped claims come from the whole payload or are literals of the map", async () => {
    expect(await read({ sub: "7", app: { roles: ["user"] }, [namespace]: { "x-engine-x": "1" } })).toMatchObject({
      role: "user",
      variables: { "x-engine-role": "user", "x-engine-user-id": "7", "x-engine-kind": "literal" },
    });
  });

  it("Mapped claims fall back to their defaults", async () => {
    const defaults = {
      "x-engine-allowed-roles": at("$.a", ["editor"]),
      "X-Engine-Default-Role": at("$.b", "editor"),
      "x-engine-user-id": at("$.c", "9"),
    };
    expect(await read({}, defaults)).toMatchObject({ role: "editor", variables: { "x-engine-user-id": "9" } });
  });

  it.each([
    [{ sub: "7" }, failure("jwt-missing-role-claims", "JWT claim does not contain x-engine-allowed-roles")],
    [
      { app: { roles: ["user"] } },
      failure("jwt-invalid-claims", "JWT claim from claims_map, x-engine-user-id not found"),
    ],
    [
      { sub: 7, app: { roles: ["user"] } },
      failure("jwt-invalid-claims", "x-engine-* claims: parsing Text failed, expected String, but encountered Number"),
    ],
    [
      { sub: "7", app: { roles: "user" } },
      failure(
        "jwt-invalid-claims",
        "invalid x-engine-allowed-roles; should be a list of roles: parsing [] failed, expected Array, but encountered String",
      ),
    ],
  ])("Every mapped claim is required: %#", async (body, error) => {
    await expect(read(body)).rejects.toMatchObject(error);
  });

  it("The error about a mapped default role calls it a role", async () => {
    const message = expect.stringMatching(/^invalid x-engine-default-role; should be a role: /);
    const error = failure("jwt-invalid-claims", message);
    await expect(read({ app: { roles: ["user"] } }, { "X-Engine-Default-Role": at("$.app") })).rejects.toMatchObject(
      error,
    );
  });
});

describe("The location of a JWT", () => {
  const missing = failure("invalid-headers", "Missing 'Authorization' or 'Cookie' header in JWT authentication mode");
  const malformed = failure("invalid-headers", "Malformed Authorization header");
  const text = signed(payload());
  const cookie = { ...hs256, header: { type: "Cookie", name: "engine_user" } };
  const custom = { ...hs256, header: { type: "customheader", name: "Engine_User" } };

  it("A request without a token is refused", async () => {
    const { session } = await jwtAuthenticator(hs256);
    await expect(session({ cookie: `engine_user=${text}` })).rejects.toMatchObject(missing);
  });

  it.each(["", "Bearer", `Basic ${text}`, `bearer ${text}`, text, `Bearer ${text} x`, `Bearer a, Bearer ${text}`])(
    "The Authorization header must be one word followed by a token: %#",
    async (authorization) => {
      const { session } = await jwtAuthenticator(hs256, { UNAUTHORIZED_ROLE: "anonymous" });
      await expect(session({ authorization })).rejects.toMatchObject(malformed);
    },
  );

  it("A token may be in a cookie", async () => {
    const { session } = await jwtAuthenticator(cookie);
    expect(await session({ cookie: `a=b; engine_user=${text};c=d` })).toMatchObject({ role: "user" });
    expect(await session({ authorization: "Basic x", cookie: `engine_user=${text}` })).toMatchObject({ role: "user" });
    await expect(session({ cookie: `xengine_user=${text}; Engine_User=${text}` })).rejects.toMatchObject(missing);
    await expect(session({ cookie: "engine_user=" })).rejects.toMatchObject(notThreeParts);
    await expect(session({ cookie: `engine_user=${text}; engine_user=x` })).rejects.toMatchObject(
      failure("invalid-headers", "Could not verify JWT: Multiple JWTs found"),
    );
  });

  it("A token may be the whole value of another header", async () => {
    const { session } = await jwtAuthenticator(custom);
    expect(await session({ engine_user: text })).toMatchObject({ role: "user" });
    await expect(session({ engine_user: `Bearer ${text}` })).rejects.toMatchObject(
      undecodable("header: not JSON in base64url"),
    );
    await expect(session(bearer(text))).rejects.toMatchObject(missing);
  });

  it("A request without a token runs as the unauthorized role, if there is one", async () => {
    const { session } = await jwtAuthenticator(hs256, { UNAUTHORIZED_ROLE: "anonymous" });
    expect(await session({ "x-engine-role": "admin", "x-engine-user-id": "1" })).toEqual({
      role: "anonymous",
      variables: { "x-engine-role": "anonymous", "x-engine-user-id": "1" },
      backendOnly: false,
    });
    await expect(session(bearer("x"))).rejects.toMatchObject(notThreeParts);
  });
});

describe("Several JWT secrets", () => {
  const other = sharedSecret("the other shared secret, of another issuer");
  const withIssuer = (issuer: string, key: string, more = {}) => ({ type: "HS256", key, issuer, ...more });
  const from = (issuer: string | undefined, signer: Signer) =>
    token(signer, "HS256", payload(userClaims, issuer === undefined ? {} : { iss: issuer }));
  const multiple = failure("invalid-headers", "Could not verify JWT: Multiple JWTs found");

  it("The issuer of a token selects its JWT secret", async () => {
    const { session } = await testAuthenticator({
      JWT_SECRETS: [withIssuer("one", secret.key), withIssuer("two", other.key)],
    });
    expect(await session(bearer(from("one", secret)))).toMatchObject({ role: "user" });
    expect(await session(bearer(from("two", other)))).toMatchObject({ role: "user" });
    await expect(session(bearer(from("two", secret)))).rejects.toMatchObject(wrongSignature);
    await expect(session(bearer(from("three", secret)))).rejects.toMatchObject(unverified("JWTNotInIssuer"));
    await expect(session(bearer(from(undefined, secret)))).rejects.toMatchObject(multiple);
    await expect(session(bearer("x"))).rejects.toMatchObject(multiple);
  });

  it("JWT secrets may be configured in both settings together", async () => {
    const { session } = await testAuthenticator({
      JWT_SECRET: withIssuer("one", secret.key),
      JWT_SECRETS: [withIssuer("two", other.key)],
    });
    expect(await session(bearer(from("two", other)))).toMatchObject({ role: "user" });
  });

  it("JWT secrets may expect their tokens in different locations", async () => {
    const header = { type: "CustomHeader", name: "x-token" };
    const { session } = await testAuthenticator({ JWT_SECRETS: [hs256, { ...withIssuer("two", other.key), header }] });
    expect(await session(bearer(from(undefined, secret)))).toMatchObject({ role: "user" });
    expect(await session({ "x-token": from("two", other) })).toMatchObject({ role: "user" });
    await expect(session({ "x-token": from(undefined, secret) })).rejects.toMatchObject(wrongSignature);
    await expect(session(bearer(from("one", secret), { "x-token": from("two", other) }))).rejects.toMatchObject(
      multiple,
    );
  });
});
