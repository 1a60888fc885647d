import { describe, expect, it } from "vitest";
import { Secret } from "../../../../runtime/config/secret.ts";
import { createAuthenticator, type LocalAuthMode } from "../../../../runtime/http/auth/authenticate.ts";
import type { RequestHeaders } from "../../../../runtime/ports/headers.ts";

const noOrigins = { any: true, exact: new Set<string>(), wildcard: new Set<string>() };
const noAuth: LocalAuthMode = { kind: "no-auth" };
const secrets = ["first", "zweites-é"].map((text) => new Secret(text));
const withSecret: LocalAuthMode = { kind: "admin-secret", secrets, unauthorizedRole: null };
const withRole: LocalAuthMode = { kind: "admin-secret", secrets, unauthorizedRole: "anonymous" };

async function session(mode: LocalAuthMode, headers: RequestHeaders) {
  const { role, variables, backendOnly } = await createAuthenticator(mode, noOrigins).authenticate(headers);
  return { role, variables: Object.fromEntries(variables), backendOnly };
}

const denied = (message: string) => ({ code: "access-denied", path: "$", status: 401, message });
const invalid = denied("invalid x-engine-admin-secret/x-engine-access-key");
const required = denied("x-engine-admin-secret/x-engine-access-key required, but not found");

describe("Requests without authentication", () => {
  it("A request has the admin role without authentication, unless it names another role", async () => {
    expect(await session(noAuth, {})).toEqual({
      role: "admin",
      variables: { "x-engine-role": "admin" },
      backendOnly: false,
    });
    expect(await session(noAuth, { "x-engine-role": "" })).toMatchObject({
      role: "admin",
      variables: { "x-engine-role": "admin" },
    });
    expect(await session(noAuth, { "x-engine-role": "user" })).toMatchObject({ role: "user" });
  });

  it("The authenticator keeps the client's headers for calls on its behalf", async () => {
    const headers = { cookie: "a=b", "x-engine-role": "user", "content-type": "application/json" };
    expect(await createAuthenticator(noAuth, noOrigins).authenticate(headers)).toMatchObject({
      clientHeaders: headers,
    });
  });

  it("Every x-engine header except the secrets becomes a session variable", async () => {
    const headers = {
      "x-engine-role": "user",
      "x-engine-user-id": "7",
      "x-engine-admin-secret": "whatever",
      "x-engine-access-key": "whatever",
      "x-other": "1",
      authorization: "Bearer x",
    };
    const { variables } = await session(noAuth, headers);
    expect(variables).toEqual({ "x-engine-role": "user", "x-engine-user-id": "7" });
  });

  it("Session variables are decoded as UTF-8", async () => {
    const wire = Buffer.from("Zoë 漢", "utf8").toString("latin1");
    const { variables } = await session(noAuth, { "x-engine-name": wire });
    expect(variables["x-engine-name"]).toBe("Zoë 漢");
  });
});

describe("Authentication by admin secret", () => {
  it.each(["first", Buffer.from("zweites-é", "utf8").toString("latin1")])(
    "Each configured admin secret is accepted",
    async (secret) => {
      expect(await session(withSecret, { "x-engine-admin-secret": secret })).toEqual({
        role: "admin",
        variables: { "x-engine-role": "admin" },
        backendOnly: false,
      });
    },
  );

  it("The role header lowers the role of a request with the admin secret", async () => {
    const headers = { "x-engine-admin-secret": "first", "x-engine-role": "user", "x-engine-user-id": "7" };
    expect(await session(withSecret, headers)).toEqual({
      role: "user",
      variables: { "x-engine-role": "user", "x-engine-user-id": "7" },
      backendOnly: false,
    });
  });

  it("The legacy secret header is accepted, but ignored beside the current one", async () => {
    expect(await session(withSecret, { "x-engine-access-key": "first" })).toMatchObject({ role: "admin" });
    const both = { "x-engine-admin-secret": "wrong", "x-engine-access-key": "first" };
    await expect(session(withSecret, both)).rejects.toMatchObject(invalid);
  });

  it.each(["", "firs", "first ", "FIRST"])("The admin secret %j is refused", async (secret) => {
    await expect(session(withSecret, { "x-engine-admin-secret": secret })).rejects.toMatchObject(invalid);
  });

  it("A request without an admin secret is refused", async () => {
    await expect(session(withSecret, { "x-engine-role": "admin" })).rejects.toMatchObject(required);
  });
});

describe("The unauthorized role", () => {
  it("A request without a secret runs as the unauthorized role, even if it names another role", async () => {
    const headers = { "x-engine-role": "admin", "x-engine-user-id": "7" };
    expect(await session(withRole, headers)).toEqual({
      role: "anonymous",
      variables: { "x-engine-role": "anonymous", "x-engine-user-id": "7" },
      backendOnly: false,
    });
  });

  it("A request with a wrong secret is refused even if an unauthorized role is configured", async () => {
    await expect(session(withRole, { "x-engine-admin-secret": "wrong" })).rejects.toMatchObject(invalid);
  });

  it("The admin secret still works if an unauthorized role is configured", async () => {
    expect(await session(withRole, { "x-engine-admin-secret": "first" })).toMatchObject({ role: "admin" });
  });
});

describe("Backend-only permissions", () => {
  const flag = "x-engine-use-backend-only-permissions";
  const user = { "x-engine-role": "user" };
  const trusted = { ...user, "x-engine-admin-secret": "first" };

  it.each([
    ["no authentication", noAuth, { ...user, [flag]: "true" }, true],
    ["the secret", withSecret, { ...trusted, [flag]: "Y" }, true],
    ["the flag turned off", withSecret, { ...trusted, [flag]: "no" }, false],
    ["no flag", withSecret, trusted, false],
    ["the role admin", withSecret, { "x-engine-admin-secret": "first", [flag]: "true" }, false],
    ["the unauthorized role", withRole, { [flag]: "true" }, false],
    ["the unauthorized role and an invalid flag", withRole, { [flag]: "perhaps" }, false],
  ])("Backend-only permissions are granted by secret and flag: %s", async (_, mode, headers, expected) => {
    expect((await session(mode, headers)).backendOnly).toBe(expected);
  });

  it("A backend-only flag that is not a boolean is refused", async () => {
    await expect(session(withSecret, { ...trusted, [flag]: "perhaps" })).rejects.toMatchObject({
      code: "bad-request",
      path: "$",
      status: 400,
      message:
        'x-engine-use-backend-only-permissions:  Not a valid boolean text. True values are ["true","t","yes","y"] and' +
        '  False values are ["false","f","no","n"]. All values are case insensitive',
    });
  });
});
