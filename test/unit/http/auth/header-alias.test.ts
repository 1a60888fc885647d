/** `--header-alias`: clients, tokens and hooks that still use the names of another engine. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { RequestHeaders } from "../../../../runtime/ports/headers.ts";
import { type TestAuthenticator, testAuthenticator } from "./jwt/authenticator.ts";
import { namespace, payload, sharedSecret, token } from "./jwt/tokens.ts";

const alias = { HEADER_ALIAS: "X-Hasura-=X-Engine-" };
const secret = { "x-hasura-admin-secret": "top" };
const otherNamespace = "https://hasura.io/jwt/claims";

let open: TestAuthenticator[] = [];
afterEach(async () => {
  for (const authenticator of open) await authenticator.close();
  open = [];
});

async function start(environment: Readonly<Record<string, unknown>> = alias): Promise<TestAuthenticator["session"]> {
  const authenticator = await testAuthenticator(environment);
  open.push(authenticator);
  return authenticator.session;
}

const mixed = { code: "bad-request", status: 400, message: expect.stringContaining("do not match") };

describe("Aliased headers", () => {
  it("A request may use either header name, and its session variables have both", async () => {
    const session = await start();
    expect(await session({ ...secret, "x-hasura-role": "user", "x-hasura-user-id": "7" })).toEqual({
      role: "user",
      backendOnly: false,
      choosesRole: true,
      variables: {
        "x-engine-role": "user",
        "x-engine-user-id": "7",
        "x-hasura-role": "user",
        "x-hasura-user-id": "7",
      },
    });
    expect(await session({ "x-engine-admin-secret": "top", "x-engine-role": "user" })).toMatchObject({ role: "user" });
    expect(await session({ "x-hasura-access-key": "top" })).toMatchObject({ role: "admin" });
    expect(
      await session({ ...secret, "x-hasura-role": "user", "x-hasura-use-backend-only-permissions": "true" }),
    ).toMatchObject({ role: "user", backendOnly: true });
  });

  it("Session variables never contain a secret under either header name", async () => {
    const session = await start({ ...alias, UNAUTHORIZED_ROLE: "anyone" });
    const { variables } = await session({ ...secret, "x-hasura-access-key": "other" });
    expect(Object.keys(variables as object).sort()).toEqual(["x-engine-role", "x-hasura-role"]);
    await expect(session({ "x-hasura-admin-secret": "wrong" })).rejects.toMatchObject({ code: "access-denied" });
  });

  it.each<[string, RequestHeaders]>([
    ["two roles", { ...secret, "x-hasura-role": "user", "x-engine-role": "admin" }],
    ["a role beside a foreign secret", { ...secret, "x-engine-role": "editor" }],
    ["a variable that the other spelling lacks", { ...secret, "x-hasura-role": "user", "x-engine-user-id": "1" }],
    [
      "equal ones and one more",
      {
        ...secret,
        "x-engine-admin-secret": "top",
        "x-hasura-role": "user",
        "x-engine-role": "user",
        "x-engine-org": "1",
      },
    ],
    ["an empty one", { ...secret, "x-hasura-role": "user", "x-engine-role": "" }],
  ])("Contradictory headers of both prefixes are refused: %s", async (_, headers) => {
    const session = await start();
    await expect(session(headers)).rejects.toMatchObject(mixed);
  });

  it("Headers of both prefixes are accepted if their values agree", async () => {
    const session = await start();
    const both = { ...secret, "x-engine-admin-secret": "top", "x-hasura-role": "user", "x-engine-role": "user" };
    expect(await session(both)).toMatchObject({ role: "user" });
  });

  it("A request without credentials cannot choose a role by either header name", async () => {
    const session = await start({ ...alias, UNAUTHORIZED_ROLE: "anyone" });
    expect(await session({ "x-hasura-role": "admin", "x-hasura-user-id": "7" })).toMatchObject({
      role: "anyone",
      variables: { "x-engine-role": "anyone", "x-hasura-role": "anyone", "x-engine-user-id": "7" },
    });
  });

  it("Without the alias, a request with the admin secret is refused if it names a role by the foreign prefix", async () => {
    const session = await start({});
    await expect(session({ "x-engine-admin-secret": "top", "x-hasura-role": "user" })).rejects.toMatchObject({
      code: "bad-request",
      message: expect.stringContaining("--header-alias"),
    });
    expect(
      await session({ "x-engine-admin-secret": "top", "x-hasura-role": "user", "x-engine-role": "editor" }),
    ).toEqual({ role: "editor", backendOnly: false, choosesRole: true, variables: { "x-engine-role": "editor" } });
    await expect(session({ ...secret })).rejects.toMatchObject({ code: "access-denied" });
  });
});

describe("Aliased claims of tokens", () => {
  const signer = sharedSecret("0123456789abcdef0123456789abcdef");
  const jwt = (more: object = {}) => ({ ...alias, JWT_SECRET: { type: "HS256", key: signer.key, ...more } });
  const claims = (prefix: string, more: object = {}) => ({
    [`${prefix}allowed-roles`]: ["user", "editor"],
    [`${prefix}default-role`]: "user",
    [`${prefix}user-id`]: "7",
    ...more,
  });
  const bearer = (body: unknown, headers: RequestHeaders = {}) => ({
    authorization: `Bearer ${token(signer, "HS256", body)}`,
    ...headers,
  });
  const granted = { role: "user", variables: { "x-engine-user-id": "7", "x-hasura-user-id": "7" } };
  const foreign = { [namespace]: undefined, [otherNamespace]: claims("X-Hasura-") };

  it("A token may have its claims in either namespace, under either name", async () => {
    const session = await start(jwt());
    expect(await session(bearer(payload(undefined, foreign)))).toMatchObject(granted);
    expect(await session(bearer(payload(claims("x-hasura-"))))).toMatchObject(granted);
    expect(await session(bearer(payload(claims("x-engine-"))))).toMatchObject(granted);
    const same = { [otherNamespace]: claims("x-hasura-") };
    expect(await session(bearer(payload(claims("x-engine-"), same)))).toMatchObject(granted);
    const requested = bearer(payload(undefined, foreign), { "x-hasura-role": "editor" });
    expect(await session(requested)).toMatchObject({ role: "editor" });
    const other = bearer(payload(undefined, foreign), { "x-hasura-role": "admin", "x-hasura-user-id": "8" });
    await expect(session(other)).rejects.toMatchObject({ code: "access-denied" });
  });

  it.each<[string, unknown]>([
    ["in one namespace", payload(claims("x-hasura-", { "x-engine-default-role": "editor" }))],
    [
      "in two namespaces",
      payload(claims("x-engine-"), { [otherNamespace]: claims("x-hasura-", { "x-hasura-user-id": "8" }) }),
    ],
    [
      "of one spelling in two namespaces",
      payload(claims("x-hasura-", { "x-hasura-user-id": "8" }), { [otherNamespace]: claims("x-hasura-") }),
    ],
    [
      "with one more in ours",
      payload(claims("x-engine-", { "x-engine-org": "1" }), { [otherNamespace]: claims("x-hasura-") }),
    ],
  ])("A token with contradictory claims %s is refused", async (_, body) => {
    const session = await start(jwt());
    await expect(session(bearer(body))).rejects.toMatchObject({
      code: "jwt-invalid-claims",
      message: expect.stringContaining("do not match"),
    });
  });

  it("Claims at a configured namespace or path may use either name", async () => {
    const named = await start(jwt({ claims_namespace: "here" }));
    expect(await named(bearer({ here: claims("x-hasura-") }))).toMatchObject(granted);
    await expect(named(bearer({ [otherNamespace]: claims("x-hasura-") }))).rejects.toMatchObject({
      code: "jwt-invalid-claims",
    });
    const map = {
      "x-hasura-allowed-roles": ["user"],
      "x-hasura-default-role": "user",
      "x-hasura-user-id": { path: "$.sub" },
    };
    const mapped = await start(jwt({ claims_map: map }));
    expect(await mapped(bearer({ sub: "7" }))).toMatchObject(granted);
  });

  it("Claims with foreign names are ignored if no alias is configured", async () => {
    const session = await start({ JWT_SECRET: { type: "HS256", key: signer.key } });
    await expect(session(bearer(payload(undefined, foreign)))).rejects.toMatchObject({ code: "jwt-invalid-claims" });
    await expect(session(bearer(payload(claims("x-hasura-"))))).rejects.toMatchObject({
      code: "jwt-missing-role-claims",
    });
  });
});

describe("An aliased authentication webhook", () => {
  async function hook(reply: object) {
    const seen: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers);
      response.end(JSON.stringify(reply));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const session = await start({ ...alias, AUTH_HOOK: `http://127.0.0.1:${port}/`, OUTBOUND_ALLOW: "127.0.0.1" });
    const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
    return { session, seen, close };
  }

  it("The authentication webhook receives the client's own headers and may reply with either name", async () => {
    const { session, seen, close } = await hook({ "X-Hasura-Role": "user", "X-Hasura-User-Id": "7" });
    expect(await session({ "x-hasura-role": "admin", authorization: "me" })).toMatchObject({
      role: "user",
      variables: { "x-engine-role": "user", "x-engine-user-id": "7", "x-hasura-user-id": "7" },
    });
    expect(seen).toMatchObject([{ "x-hasura-role": "admin", authorization: "me" }]);
    expect(seen[0]).not.toHaveProperty("x-engine-role");
    await close();
  });

  it("Contradictory headers in a reply of the authentication webhook are refused", async () => {
    const { session, close } = await hook({ "X-Hasura-Role": "user", "x-engine-role": "admin" });
    await expect(session({})).rejects.toMatchObject({
      code: "unexpected",
      message: expect.stringContaining("do not match"),
    });
    await close();
  });
});

describe("The header alias option", () => {
  it.each([
    "X-Hasura-",
    "X-Hasura-=X-Other-",
    "X-Engine-=X-Engine-",
    "X-Forwarded-=X-Engine-",
    "Hasura-=X-Engine-",
    "",
  ])("The header alias option refuses %j", async (text) => {
    await expect(testAuthenticator({ HEADER_ALIAS: text })).rejects.toMatchObject({
      problems: [{ setting: "ENGINE_GRAPHQL_HEADER_ALIAS" }],
    });
  });
});
