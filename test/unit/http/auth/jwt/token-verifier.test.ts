import { describe, expect, it } from "vitest";
import { parseJwtConfig } from "../../../../../runtime/config/jwt/jwt-config.ts";
import { type IdentifiedKey, readKeySet, TokenVerifier } from "../../../../../runtime/http/auth/jwt/token-verifier.ts";
import { otherRsa, p256, payload, rsa, token, userClaims } from "./tokens.ts";

function keysOf(...jwks: readonly unknown[]): readonly IdentifiedKey[] {
  return readKeySet({ keys: jwks }) ?? [];
}

function verifierOf(keys: { current: readonly IdentifiedKey[] }, settings = {}): TokenVerifier {
  const config = parseJwtConfig({ jwk_url: "http://keys.test", ...settings });
  if ("problem" in config) throw new Error(config.problem);
  return new TokenVerifier(config.value.settings, keys);
}

describe("Verified tokens", () => {
  it("The verifier returns the cached grant for a token that was verified before", async () => {
    const verifier = verifierOf({ current: keysOf(rsa.jwk) });
    const text = token(rsa, "RS256");
    const first = verifier.verify(text);
    expect(first).toBeInstanceOf(Promise);
    const grant = await first;
    expect(verifier.verify(text)).toBe(grant);
  });

  it("A cached token is refused once its signing key is withdrawn", async () => {
    const keys = { current: keysOf(rsa.jwk) };
    const verifier = verifierOf(keys);
    const text = token(rsa, "RS256");
    await verifier.verify(text);
    keys.current = keysOf(otherRsa.jwk, p256.jwk);
    await expect(verifier.verify(text)).rejects.toMatchObject({
      message: "Could not verify JWT: JWSError JWSInvalidSignature",
    });
  });

  it("A token is not cached if its key is withdrawn during verification", async () => {
    const keys = { current: keysOf(rsa.jwk) };
    const verifier = verifierOf(keys);
    const text = token(rsa, "RS256");
    const early = verifier.verify(text);
    keys.current = keysOf(otherRsa.jwk);
    const late = verifier.verify(text);
    await expect(late).rejects.toMatchObject({ code: "invalid-jwt" });
    await early;
    await expect(verifier.verify(text)).rejects.toMatchObject({ code: "invalid-jwt" });
  });
});

it("The verifier checks the issuer of each token", async () => {
  const verifier = verifierOf({ current: keysOf(rsa.jwk) }, { issuer: "one" });
  const from = (iss: string) => token(rsa, "RS256", payload(userClaims, { iss }));
  expect(await verifier.verify(from("one"))).toMatchObject({ defaultRole: "user" });
  await expect(verifier.verify(from("two"))).rejects.toMatchObject({ message: "Could not verify JWT: JWTNotInIssuer" });
});
