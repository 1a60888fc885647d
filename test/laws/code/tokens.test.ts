/** Only a token exactly as issued is accepted, and no input makes the server fail. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { anyText } from "../../support/any-text.ts";
import { bearer, jwtAuthenticator, type TestAuthenticator } from "../../unit/http/auth/jwt/authenticator.ts";
import {
  encode,
  namespace,
  p256,
  payload,
  rsa,
  type Signer,
  sharedSecret,
  token,
  userClaims,
} from "../../unit/http/auth/jwt/tokens.ts";

const secret = sharedSecret("a shared secret of sixty-four bytes, which even HS512 finds long");
const header = { type: "CustomHeader", name: "x-token" };

/** The token is in a separate header, so that texts of every form reach the code that reads tokens. */
const parties = await Promise.all(
  [
    { name: "a shared secret", signer: secret, algorithm: "HS256", type: "HS256", runs: 30_000 },
    { name: "an RSA key", signer: rsa, algorithm: "RS256", type: "RS256", runs: 20_000 },
    { name: "an elliptic curve", signer: p256, algorithm: "ES256", type: "ES256", runs: 10_000 },
  ].map(async (party) => ({
    ...party,
    good: token(party.signer, party.algorithm),
    authenticator: await jwtAuthenticator({ type: party.type, key: party.signer.key, header }),
  })),
);
afterAll(() => Promise.all(parties.map(({ authenticator }) => authenticator.close())));

async function expectRefused({ session }: TestAuthenticator, headers: Record<string, string>): Promise<void> {
  const outcome = await session(headers).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(EngineError);
  expect((outcome as EngineError).status).toBeLessThan(500);
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \u00e9"];

interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

/** Changes of one or a few characters of a text. */
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    at: fc.nat(2000),
    remove: fc.nat(3),
    insert: fc.array(fc.constantFrom(...letters), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);

function apply(text: string, all: readonly Change[]): string {
  return all.reduce((changed, { at, remove, insert }) => {
    const place = at % (changed.length + 1);
    return changed.slice(0, place) + insert.join("") + changed.slice(place + remove);
  }, text);
}

describe.each(parties)("Authentication by tokens of $name", ({ good, authenticator, signer, algorithm, runs }) => {
  it("A signed token is accepted", async () => {
    expect(await authenticator.session({ "x-token": good })).toMatchObject({ role: "user" });
  });

  it("A token with a changed character is refused", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const changed = apply(good, all);
        fc.pre(changed !== good);
        await expectRefused(authenticator, { "x-token": changed });
      }),
      { numRuns: runs },
    );
  });

  it("Other claims under the same signature are refused", async () => {
    const [head = "", , signature = ""] = good.split(".");
    const claims = fc.record({ role: fc.string(), exp: fc.option(fc.integer({ min: 0, max: 2 ** 40 })) });
    await fc.assert(
      fc.asyncProperty(claims, fc.constantFrom("same", "none", "HS256", "HS512"), async ({ role, exp }, other) => {
        const body = payload(
          { ...userClaims, "x-engine-allowed-roles": [role], "x-engine-default-role": role },
          { exp },
        );
        const start = other === "same" ? head : encode({ alg: other, typ: "JWT" });
        await expectRefused(authenticator, { "x-token": `${start}.${encode(body)}.${signature}` });
      }),
      { numRuns: 2000 },
    );
  });

  it("Tokens signed with publicly known values are refused", async () => {
    const known: readonly Signer[] = [signer.key, JSON.stringify(signer.jwk ?? {}), "", good]
      .filter((text) => text !== secret.key)
      .map(sharedSecret);
    const algorithms = fc.constantFrom("HS256", "HS384", "HS512");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...known),
        algorithms,
        fc.dictionary(fc.string(), fc.string()),
        (by, alg, head) => expectRefused(authenticator, { "x-token": token(by, alg, payload(), head) }),
      ),
      { numRuns: 2000 },
    );
  });

  it("Any signed claims are read without an internal error", async () => {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom("user", ["user"], {}, null, 1e308, -1));
    const members = fc.dictionary(
      fc.constantFrom("exp", "nbf", "iat", "aud", "iss", namespace, "__proto__", "constructor"),
      fc.oneof(values, fc.dictionary(fc.constantFrom(...Object.keys(userClaims), "x-engine-x", "__proto__"), values)),
    );
    await fc.assert(
      fc.asyncProperty(members, async (body) => {
        const outcome = await authenticator
          .session({ "x-token": token(signer, algorithm, body) })
          .catch((error: unknown) => error);
        if (!(outcome instanceof EngineError)) expect(outcome).toHaveProperty("role");
        else expect(outcome.status).toBe(400);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("Arbitrary text instead of tokens", () => {
  it("No arbitrary text is accepted as a token", { timeout: 60_000 }, async () => {
    const part = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString("base64url")),
    );
    const text = fc.oneof(
      anyText(),
      fc.array(part, { minLength: 1, maxLength: 6 }).map((all) => all.join(".")),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...parties), text, ({ authenticator }, junk) =>
        expectRefused(authenticator, { "x-token": junk }),
      ),
      { numRuns: 20_000 },
    );
  });

  it("No arbitrary text around a token is accepted in a header", { timeout: 60_000 }, async () => {
    const authorized = await jwtAuthenticator({ type: "HS256", key: secret.key });
    const cookie = { type: "Cookie", name: "t" };
    const cooked = await jwtAuthenticator({ type: "HS256", key: secret.key, header: cookie });
    const good = token(secret, "HS256");
    const around = fc.string({ minLength: 1 });
    await fc.assert(
      fc.asyncProperty(around, fc.boolean(), async (text, before) => {
        // Blanks around the words of the header, and around a cookie's value, are ignored.
        fc.pre(text.trim() !== "");
        const { authorization = "" } = bearer(good);
        await expectRefused(authorized, {
          authorization: before ? `${text}${authorization}` : `${authorization}${text}`,
        });
        fc.pre(!/[;=]/.test(text));
        await expectRefused(cooked, { cookie: before ? `t=${text}${good}` : `t=${good}${text}` });
      }),
      { numRuns: 10_000 },
    );
  });
});
