/**
 * Misplaced credentials, which are ignored: content and frequency of the log lines, and the absence of other effects.
 */
import { expect, it } from "vitest";
import { testAuthenticator } from "./jwt/authenticator.ts";

const jwt = { JWT_SECRET: { type: "HS256", key: "k".repeat(32) } };
const open = { UNAUTHORIZED_ROLE: "anyone" };

/** Returns the log lines about a request that is sent twice, as `header: message`. */
async function loggedMessages(
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
  return authenticator.log.map((line) => {
    const { header, message } = JSON.parse(line).detail;
    return `${header}: ${message}`;
  });
}

it.each([
  [
    "the secret of another engine",
    {},
    { "x-hasura-admin-secret": "top" },
    "x-hasura-admin-secret: header x-hasura-admin-secret is ignored; send x-engine-admin-secret, or start the server with --header-alias x-hasura-=x-engine-",
  ],
  [
    "a token where none is accepted",
    {},
    { authorization: "Bearer t.o.p" },
    "authorization: tokens in the header authorization are ignored; the server has neither --jwt-secret nor --auth-hook",
  ],
  ...["apikey", "api-key", "x-api-key", "admin-secret", "x-admin-secret"].flatMap((name) => {
    const line = `${name}: header ${name} is ignored; send the admin secret in x-engine-admin-secret`;
    return [
      [`a secret in ${name}`, {}, { [name]: "top" }, line],
      [`a secret in ${name} of a server with tokens`, jwt, { [name]: "top" }, line],
    ] as const;
  }),
] as const)("A misplaced credential is reported once: %s", async (_, settings, headers, line) => {
  const lines = await loggedMessages(settings, headers);
  expect(lines).toEqual([line]);
  expect(lines.join()).not.toContain("top");
});

it("Misplaced credentials in the payload of connection_init are reported by their known header names only", async () => {
  const lines = await loggedMessages({}, {}, ["Authorization", "X-Hasura-Admin-Secret", "\u001b[31m", "lang"]);
  expect(lines).toEqual([
    expect.stringMatching(
      /^authorization: "authorization" in the payload .*"headers", {"headers": {"authorization": …}}$/,
    ),
    expect.stringMatching(/^x-hasura-admin-secret: .*{"headers": {"x-engine-admin-secret": …}}$/),
  ]);
});

it("A header is not reported as misplaced if the server reads it or the request authenticates in another way", async () => {
  expect(await loggedMessages({ HEADER_ALIAS: "X-Hasura-=X-Engine-" }, { "x-hasura-user-id": "1" })).toEqual([]);
  expect(await loggedMessages({}, { authorization: "Basic dTpw", cookie: "a=b" })).toEqual([]);
  const authenticator = await testAuthenticator({ ...open, HEADER_ALIAS: "X-Hasura-=X-Engine-" });
  const session = await authenticator.session({ "x-hasura-admin-secret": "top", apikey: "x" });
  expect([session.role, authenticator.log]).toEqual(["admin", []]);
});
