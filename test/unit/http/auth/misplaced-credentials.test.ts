/** Credentials where nobody looks for them: what the log says, how often, and that nothing else comes of it. */
import { expect, it } from "vitest";
import { testAuthenticator } from "./jwt/authenticator.ts";

const jwt = { JWT_SECRET: { type: "HS256", key: "k".repeat(32) } };
const open = { UNAUTHORIZED_ROLE: "anyone" };

async function told(
  settings: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
  besideHeaders?: readonly string[],
): Promise<readonly string[]> {
  const authenticator = await testAuthenticator({ ...open, ...settings });
  for (let times = 0; times < 2; times++) {
    const session = await authenticator.session(headers, { method: "POST", besideHeaders });
    expect(session.role).toBe("anyone");
  }
  await authenticator.close();
  return authenticator.log.map((line) => JSON.parse(line).detail.message);
}

it.each([
  [
    "the secret of another engine",
    {},
    { "x-hasura-admin-secret": "top" },
    "x-engine-admin-secret, or start the server",
  ],
  ["a key of a service", {}, { apikey: "top" }, "the header apikey is not looked at"],
  ["a key beside tokens", jwt, { "x-api-key": "top" }, "the header x-api-key is not looked at"],
  ["a token where none are taken", {}, { authorization: "Bearer t.o.p" }, "--jwt-secret nor --auth-hook"],
] as const)("are told once: %s", async (_, settings, headers, message) => {
  const lines = await told(settings, headers);
  expect(lines).toEqual([expect.stringContaining(message)]);
  expect(lines.join()).not.toContain("top");
});

it("are told of the payload of connection_init, by names that are known", async () => {
  const lines = await told({}, {}, ["Authorization", "X-Hasura-Admin-Secret", "\u001b[31m", "lang"]);
  expect(lines).toEqual([
    expect.stringContaining('"authorization" of a connection_init is not looked at'),
    expect.stringContaining('{"headers": {"x-engine-admin-secret": …}}'),
  ]);
});

it("are not told where the server takes them, and not where others count", async () => {
  expect(await told({ HEADER_ALIAS: "X-Hasura-=X-Engine-" }, { "x-hasura-user-id": "1" })).toEqual([]);
  expect(await told({}, { authorization: "Basic dTpw", cookie: "a=b" })).toEqual([]);
  const authenticator = await testAuthenticator({ ...open, HEADER_ALIAS: "X-Hasura-=X-Engine-" });
  const session = await authenticator.session({ "x-hasura-admin-secret": "top", apikey: "x" });
  expect([session.role, authenticator.log]).toEqual(["admin", []]);
});
