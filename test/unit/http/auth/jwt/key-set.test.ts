import { describe, expect, it } from "vitest";
import { readCompactToken } from "../../../../../runtime/http/auth/jwt/compact-token.ts";
import { chooseKeys, readKeySet } from "../../../../../runtime/http/auth/jwt/key-set.ts";
import { isSignedBy } from "../../../../../runtime/http/auth/jwt/verify-signature.ts";
import { ed25519, otherRsa, p256, p384, p521, rsa, type Signer, token } from "./tokens.ts";

const read = (...keys: readonly unknown[]) => readKeySet({ keys }) ?? [];

/** Whether a set of these keys verifies a token of this signer. */
async function verifies(keys: readonly unknown[], signer: Signer, algorithm: string, header = {}): Promise<boolean> {
  const parsed = readCompactToken(token(signer, algorithm, {}, header));
  return isSignedBy(parsed, chooseKeys(read(...keys), parsed));
}

describe("readKeySet", () => {
  it.each<[string, Signer]>([
    ["RS256", rsa],
    ["PS384", rsa],
    ["ES256", p256],
    ["ES384", p384],
    ["ES512", p521],
    ["EdDSA", ed25519],
  ])("reads keys for %s", async (algorithm, signer) => {
    expect(await verifies([signer.jwk], signer, algorithm)).toBe(true);
    expect(await verifies([otherRsa.jwk], signer, algorithm)).toBe(false);
  });

  it("leaves out keys for other uses, and those it does not know", () => {
    expect(read({ ...rsa.jwk, use: "sig" }, { ...rsa.jwk, use: "enc" }, rsa.jwk)).toHaveLength(3);
    expect(read({ ...rsa.jwk, use: "other" }, { ...rsa.jwk, use: 1 })).toEqual([]);
    const strange = [
      null,
      7,
      "x",
      [],
      {},
      { kty: "RSA" },
      { kty: "EC", crv: "secp256k1", x: "AA", y: "AA" },
      { kty: "new" },
    ];
    expect(read(...strange, p256.jwk)).toHaveLength(1);
    expect(read({ ...p256.jwk, x: p384.jwk?.x })).toEqual([]);
  });

  it("leaves out secret keys: everybody can read the set", () => {
    expect(read({ kty: "oct", k: Buffer.alloc(64).toString("base64url"), alg: "HS256" })).toEqual([]);
  });

  it("leaves out RSA keys that can be factored", () => {
    const n = Buffer.alloc(128, 0xc5).toString("base64url");
    expect(read({ kty: "RSA", n, e: "AQAB" })).toEqual([]);
  });

  it("reads numbers in the standard alphabet, padded, with leading zero bytes", async () => {
    const n = Buffer.from(rsa.jwk?.n ?? "", "base64url");
    const padded = Buffer.concat([Buffer.alloc(2), n]).toString("base64");
    expect(await verifies([{ kty: "RSA", n: padded, e: "AAEAAQ==" }], rsa, "RS256")).toBe(true);
  });

  it.each([null, [], "x", {}, { keys: {} }, { keys: null }])("is no set: %j", (json) => {
    expect(readKeySet(json)).toBeNull();
  });
});

describe("chooseKeys", () => {
  const named = [
    { ...otherRsa.jwk, kid: "a" },
    { ...rsa.jwk, kid: "b" },
    { ...p256.jwk, kid: "c" },
  ];

  it("takes the key that the token names", async () => {
    expect(await verifies(named, rsa, "RS256", { kid: "b" })).toBe(true);
    expect(await verifies(named, rsa, "RS256", { kid: "a" })).toBe(false);
  });

  it("tries all of the kind when the name is unknown or missing", async () => {
    expect(await verifies(named, rsa, "RS256", { kid: "z" })).toBe(true);
    expect(await verifies(named, rsa, "RS256")).toBe(true);
    expect(await verifies(named, p256, "ES256", { kid: 7 })).toBe(true);
  });

  it.each(["HS256", "none", "ES384"])("has none for %s", (alg) => {
    const parsed = readCompactToken(token(p384, "ES384", {}, { alg }));
    expect(chooseKeys(read(...named), parsed)).toEqual([]);
  });
});
