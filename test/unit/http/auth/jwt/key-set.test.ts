import { describe, expect, it } from "vitest";
import { readCompactToken } from "../../../../../runtime/http/auth/jwt/compact-token.ts";
import { chooseKeys, isSignedBy, readKeySet } from "../../../../../runtime/http/auth/jwt/token-verifier.ts";
import { ed25519, otherRsa, p256, p384, p521, rsa, type Signer, token } from "./tokens.ts";

const read = (...keys: readonly unknown[]) => readKeySet({ keys }) ?? [];

/** Returns true if a set of these keys verifies a token of this signer. */
async function verifies(keys: readonly unknown[], signer: Signer, algorithm: string, header = {}): Promise<boolean> {
  const parsed = readCompactToken(token(signer, algorithm, {}, header));
  return isSignedBy(parsed, chooseKeys(read(...keys), parsed));
}

describe("Reading of key sets", () => {
  it.each<[string, Signer]>([
    ["RS256", rsa],
    ["PS384", rsa],
    ["ES256", p256],
    ["ES384", p384],
    ["ES512", p521],
    ["EdDSA", ed25519],
  ])("readKeySet reads keys for %s", async (algorithm, signer) => {
    expect(await verifies([signer.jwk], signer, algorithm)).toBe(true);
    expect(await verifies([otherRsa.jwk], signer, algorithm)).toBe(false);
  });

  it("readKeySet skips keys for other uses and unknown keys", () => {
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

  it("readKeySet skips symmetric keys, because key sets are public", () => {
    expect(read({ kty: "oct", k: Buffer.alloc(64).toString("base64url"), alg: "HS256" })).toEqual([]);
  });

  it("readKeySet skips RSA keys of 1,024 bits", () => {
    const n = Buffer.alloc(128, 0xc5).toString("base64url");
    expect(read({ kty: "RSA", n, e: "AQAB" })).toEqual([]);
  });

  it("readKeySet reads numbers in standard base64 with padding and leading zero bytes", async () => {
    const n = Buffer.from(rsa.jwk?.n ?? "", "base64url");
    const padded = Buffer.concat([Buffer.alloc(2), n]).toString("base64");
    expect(await verifies([{ kty: "RSA", n: padded, e: "AAEAAQ==" }], rsa, "RS256")).toBe(true);
  });

  it.each([null, [], "x", {}, { keys: {} }, { keys: null }])("readKeySet returns null for %j", (json) => {
    expect(readKeySet(json)).toBeNull();
  });
});

describe("Choice of keys", () => {
  const named = [
    { ...otherRsa.jwk, kid: "a" },
    { ...rsa.jwk, kid: "b" },
    { ...p256.jwk, kid: "c" },
  ];

  it("chooseKeys returns the key that the token names", async () => {
    expect(await verifies(named, rsa, "RS256", { kid: "b" })).toBe(true);
    expect(await verifies(named, rsa, "RS256", { kid: "a" })).toBe(false);
  });

  it("chooseKeys returns all keys of the algorithm if the key name is unknown or missing", async () => {
    expect(await verifies(named, rsa, "RS256", { kid: "z" })).toBe(true);
    expect(await verifies(named, rsa, "RS256")).toBe(true);
    expect(await verifies(named, p256, "ES256", { kid: 7 })).toBe(true);
  });

  it.each(["HS256", "none", "ES384"])("chooseKeys returns no keys for %s", (alg) => {
    const parsed = readCompactToken(token(p384, "ES384", {}, { alg }));
    expect(chooseKeys(read(...named), parsed)).toEqual([]);
  });
});
