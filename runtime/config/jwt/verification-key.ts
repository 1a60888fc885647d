/** Converts key material of the configuration or of a key set to a verification key and its algorithms. */
import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from "node:crypto";
import type { Parsed } from "../value-types.ts";

export interface VerificationKey {
  /** The key. Printed and serialized without the key material. */
  readonly key: KeyObject;
  /** Values of `alg` that are valid for this kind of key. Tokens with other algorithms are not verified with it. */
  readonly algorithms: ReadonlySet<string>;
}

const secretAlgorithms: ReadonlySet<string> = new Set(["HS256", "HS384", "HS512"]);

/** Algorithms by kind of key; for elliptic curves including the curve. */
const publicAlgorithms: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["RSA", new Set(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"])],
  ["EC prime256v1", new Set(["ES256"])],
  ["EC secp384r1", new Set(["ES384"])],
  ["EC secp521r1", new Set(["ES512"])],
  ["ED25519", new Set(["EdDSA", "Ed25519"])],
]);

/** Minimum length of RSA keys. Shorter keys can be factored. */
const minRsaBits = 2048;

type KeyType = { readonly secretBytes: number } | { readonly publicKind: "RSA" | "EC" | "ED25519" };

/** Values of `type`. They define the format of `key`, and do not restrict the algorithm of tokens. */
const keyTypes: ReadonlyMap<string, KeyType> = new Map<string, KeyType>([
  ["HS256", { secretBytes: 32 }],
  ["HS384", { secretBytes: 48 }],
  ["HS512", { secretBytes: 64 }],
  ["RS256", { publicKind: "RSA" }],
  ["RS384", { publicKind: "RSA" }],
  ["RS512", { publicKind: "RSA" }],
  ["Ed25519", { publicKind: "ED25519" }],
  ["ES256", { publicKind: "EC" }],
  ["ES384", { publicKind: "EC" }],
  ["ES512", { publicKind: "EC" }],
]);

/**
 * Parses a key.
 * @param type one of `HS256 … ES512`
 * @param text the secret itself, or a public key or certificate as PEM
 */
export function parseVerificationKey(type: string, text: string): Parsed<VerificationKey> {
  const keyType = keyTypes.get(type);
  if (keyType === undefined) return { problem: `Invalid JWK: Key type: ${type} is not supported` };
  if ("publicKind" in keyType) return parsePem(text, keyType.publicKind);
  if (Buffer.byteLength(text) < keyType.secretBytes) {
    return {
      problem: `Invalid JWK: Key size too small; should be atleast ${keyType.secretBytes} characters`,
    };
  }
  return { value: { key: createSecretKey(text, "utf8"), algorithms: secretAlgorithms } };
}

/** Parses PKCS#1, PKCS#8 and X.509. Problems never quote the text, since it could be a private key. */
function parsePem(text: string, expected: string): Parsed<VerificationKey> {
  const problem = (reason: string) => ({ problem: `Invalid JWK: Could not decode PEM: ${reason}` });
  // Node would accept a private key, but verifying servers should not store signing keys.
  if (text.includes("PRIVATE KEY")) return problem("expecting a public key or a certificate, but found a private key");
  let key: KeyObject;
  try {
    key = createPublicKey(text);
  } catch {
    return problem("expecting a public key or a certificate");
  }
  const kind = kindOf(key);
  if (kind.split(" ", 1)[0] !== expected) return problem(`expecting an ${expected} key, but found one of kind ${kind}`);
  const usable = publicVerificationKey(key);
  return usable ? { value: usable } : problem(`a key of kind ${kind} cannot be used: ${supportedKeys}`);
}

const supportedKeys = `RSA keys need ${minRsaBits} bits, EC keys one of the curves P-256, P-384 and P-521`;

/** Parses a public key in JWK form (RFC 7517). Returns `undefined` if it cannot verify tokens. */
export function parseJsonWebKey(jwk: JsonWebKey): VerificationKey | undefined {
  try {
    return publicVerificationKey(createPublicKey({ key: jwk, format: "jwk" }));
  } catch {
    return undefined;
  }
}

function publicVerificationKey(key: KeyObject): VerificationKey | undefined {
  const algorithms = publicAlgorithms.get(kindOf(key));
  if (algorithms === undefined || (key.asymmetricKeyDetails?.modulusLength ?? minRsaBits) < minRsaBits) {
    return undefined;
  }
  return { key, algorithms };
}

function kindOf(key: KeyObject): string {
  const kind = (key.asymmetricKeyType ?? "").toUpperCase();
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return curve === undefined ? kind : `${kind} ${curve}`;
}
