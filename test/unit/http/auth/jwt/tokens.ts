/** Keys generated for one run, and tokens signed with them by Node's crypto functions instead of the product's. */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign as signBytes,
} from "node:crypto";

export interface Signer {
  /** PEM text, or the shared secret itself. */
  readonly key: string;
  /** `undefined` for shared secrets. */
  readonly jwk: JsonWebKey | undefined;
  sign(algorithm: string, input: string): Buffer;
}

export function sharedSecret(secret: string): Signer {
  return {
    key: secret,
    jwk: undefined,
    sign: (algorithm, input) =>
      createHmac(`sha${algorithm.slice(2)}`, secret)
        .update(input)
        .digest(),
  };
}

export const rsa = keyPair(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
export const otherRsa = keyPair(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
export const p256 = keyPair(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
export const p384 = keyPair(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey);
export const p521 = keyPair(generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey);
export const ed25519 = keyPair(generateKeyPairSync("ed25519").privateKey);

/** A key with a certificate, which Node cannot create; both are output of `openssl req -x509 -newkey ec`. */
export const certified = {
  ...keyPair(
    createPrivateKey({
      format: "jwk",
      key: {
        kty: "EC",
        crv: "P-256",
        x: "OrurIuFH7UvnnQgFgM3xeZA-fMdq1UkX4RuvqZAfl-E",
        y: "NWAuz2CHUbV5Bu6iioZcti0Z7uURHKdFs7CGJDte6kc",
        d: "1Q1wAEZ3c_tkbWUm3AiVqICFUy2ieTkDm2PKo1GW9LA",
      },
    }),
  ),
  key: `-----BEGIN CERTIFICATE-----
MIIBfjCCASOgAwIBAgIUZtFmG79valqzlHPUwBsp1N11qB4wCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIand0IHRlc3QwIBcNMjYxMTIwMjIwNjE1WhgPMjEyNjEwMjcy
MjA2MTVaMBMxETAPBgNVBAMMCGp3dCB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEOrurIuFH7UvnnQgFgM3xeZA+fMdq1UkX4RuvqZAfl+E1YC7PYIdRtXkG
7qKKhly2LRnu5REcp0WzsIYkO17qR6NTMFEwHQYDVR0OBBYEFFBpdqPt5oeD3hw5
l8dxwjU16vJ3MB8GA1UdIwQYMBaAFFBpdqPt5oeD3hw5l8dxwjU16vJ3MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAIXALYMcKnH98sv3qYZN8X48
CwTRH/wfDNKB+ByTWB/yAiEA0Z9Rp6Vj2aKNDnATcBrNw5pLihHWyZeZh2JIwIM/
wOo=
-----END CERTIFICATE-----
`,
};

function keyPair(privateKey: KeyObject): Signer & { readonly publicKey: KeyObject } {
  const publicKey = createPublicKey(privateKey);
  return {
    publicKey,
    key: publicKey.export({ type: "spki", format: "pem" }).toString(),
    jwk: publicKey.export({ format: "jwk" }),
    sign(algorithm, input) {
      const bytes = Buffer.from(input);
      if (algorithm === "EdDSA" || algorithm === "Ed25519") return signBytes(null, bytes, privateKey);
      const hash = `sha${algorithm.slice(2)}`;
      if (algorithm.startsWith("PS")) return signBytes(hash, bytes, { key: privateKey, padding: 6, saltLength: -1 });
      return signBytes(hash, bytes, { key: privateKey, dsaEncoding: "ieee-p1363" });
    },
  };
}

export const namespace = "https://engine.io/jwt/claims";

export const userClaims = {
  "x-engine-user-id": "1",
  "x-engine-allowed-roles": ["user", "editor"],
  "x-engine-default-role": "user",
};

/** Returns claims that expire in an hour. */
export function payload(claims: unknown = userClaims, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { sub: "1234567890", iat: seconds(-1), exp: seconds(3600), [namespace]: claims, ...more };
}

/** Returns a time relative to now, in seconds since 1970. */
export function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1000) + fromNow;
}

export function token(
  signer: Signer,
  algorithm: string,
  body: unknown = payload(),
  header: Readonly<Record<string, unknown>> = {},
): string {
  const input = `${encode({ alg: algorithm, typ: "JWT", ...header })}.${encode(body)}`;
  return `${input}.${signer.sign(algorithm, input).toString("base64url")}`;
}

export function encode(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString("base64url");
}
