/** Verifies tokens with one JWT secret (a key or a JWKS) and reads their grants. */
import { createHash } from "node:crypto";
import { compactVerify, errors } from "jose";
import { LRUCache } from "lru-cache";
import type { JwtSettings } from "../../../config/jwt/jwt-config.ts";
import { parseJsonWebKey, type VerificationKey } from "../../../config/jwt/verification-key.ts";
import type { EngineError } from "../../../values/errors.ts";
import { isObject } from "../../../values/is-object.ts";
import { parseScopes } from "../scopes.ts";
import { type CompactToken, type JsonObject, readCompactToken, unverified } from "./compact-token.ts";
import { type EngineClaims, readEngineClaims } from "./engine-claims.ts";

export interface Grant extends EngineClaims {
  /** The expiry including tolerance, in milliseconds since 1970; `null` for never. */
  readonly end: number | null;
  /** The claim `aud`; `null` if the token has none. */
  readonly audiences: readonly string[] | null;
  /** OAuth scopes: the claim `scope` (RFC 9068, section 2.2.3), or `scp` of other servers. */
  readonly scopes: readonly string[];
}

/** The keys from a URL; the same array until the keys change. */
export interface KeyList {
  readonly current: readonly IdentifiedKey[];
}

const maxCachedGrants = 10_000;
/**
 * Limit on the total length of the tokens of cached grants, in characters. A grant is not much larger than its token.
 */
const maxCachedCharacters = 32 * 1024 * 1024;

export class TokenVerifier {
  readonly settings: JwtSettings;
  readonly #keys: KeyList | null;
  /**
   * Grants of verified tokens by the digest of the token: checking a signature takes longer than most requests. The
   * tokens themselves are not stored.
   */
  readonly #grants = new LRUCache<string, Grant>({ max: maxCachedGrants, maxSize: maxCachedCharacters });
  /** The keys that verified the cached tokens. */
  #keysOfCache: readonly IdentifiedKey[] | null = null;

  /** @param keys for settings that name a URL */
  constructor(settings: JwtSettings, keys: KeyList | null) {
    this.settings = settings;
    this.#keys = keys;
  }

  /**
   * Verifies a token and returns its grant, synchronously if it is cached.
   * @throws EngineError
   */
  verify(text: string): Grant | Promise<Grant> {
    const keys = this.#keys?.current ?? null;
    // A removed key invalidates the tokens that it signed.
    if (keys !== this.#keysOfCache) this.#grants.clear();
    this.#keysOfCache = keys;
    const digest = createHash("sha256").update(text).digest("base64");
    const cached = this.#grants.get(digest);
    if (cached === undefined) return this.#verifyNew(text, digest, keys);
    if (hasEnded(cached.end, Date.now())) {
      this.#grants.delete(digest);
      throw tokenExpired();
    }
    return cached;
  }

  async #verifyNew(text: string, digest: string, keys: readonly IdentifiedKey[] | null): Promise<Grant> {
    const token = readCompactToken(text);
    await this.#checkSignature(token, keys);
    const end = checkRegisteredClaims(token.payload, this.settings, Date.now());
    const claims = readEngineClaims(token.payload, this.settings.claims, this.settings.alias);
    const grant = { ...claims, end, audiences: audiencesOf(token.payload), scopes: scopesOf(token.payload) };
    // The keys may have changed during verification.
    if (this.#keysOfCache === keys) this.#grants.set(digest, grant, { size: text.length });
    return grant;
  }

  async #checkSignature(token: CompactToken, keys: readonly IdentifiedKey[] | null): Promise<void> {
    const { key } = this.settings;
    const chosen = key.kind === "given" ? [key.key] : chooseKeys(keys ?? [], token);
    if (chosen.length === 0) throw unverified("JWSError NoUsableKeys");
    if (!(await isSignedBy(token, chosen))) throw unverified("JWSError JWSInvalidSignature");
  }
}

/**
 * Returns true if one of the keys signed the token. A key is used only with algorithms of its own kind, even if the
 * token declares another algorithm: a public key is never used as a shared secret, and no key verifies `none`.
 */
export async function isSignedBy(token: CompactToken, keys: readonly VerificationKey[]): Promise<boolean> {
  for (const { key, algorithms } of keys) {
    if (algorithms.has(token.algorithm) && (await verifies(token, key))) return true;
  }
  return false;
}

async function verifies({ text, algorithm }: CompactToken, key: VerificationKey["key"]): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

// Key sets (RFC 7517).

export interface IdentifiedKey extends VerificationKey {
  /** The member `kid`, or `null`. */
  readonly id: string | null;
}

/** Returns the usable keys (RFC 7517, section 5, skips all other keys); `null` if the value is not a key set. */
export function readKeySet(json: unknown): readonly IdentifiedKey[] | null {
  if (!isObject(json) || !Array.isArray(json.keys)) return null;
  return json.keys.flatMap((jwk: unknown) => readKey(jwk) ?? []);
}

function readKey(jwk: unknown): IdentifiedKey | null {
  if (!isObject(jwk)) return null;
  const { use, kid } = jwk;
  if (use !== undefined && use !== "sig" && use !== "enc") return null;
  const key = parseJsonWebKey(publicMembers(jwk));
  return key === undefined ? null : { ...key, id: typeof kid === "string" ? kid : null };
}

/**
 * Returns the members of a public key. Excludes secret keys (`oct`), because every client that can fetch the set could
 * sign with them. Some servers encode numbers in the standard alphabet, with padding or leading zero bytes; Node
 * accepts all these forms.
 */
function publicMembers({ kty, crv, x, y, n, e }: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ kty, crv, x, y, n, e }).filter(
      (member): member is [string, string] => typeof member[1] === "string",
    ),
  );
}

/** Returns the keys with the token's `kid`; if there is none, all keys for its algorithm. */
export function chooseKeys(keys: readonly IdentifiedKey[], token: CompactToken): readonly VerificationKey[] {
  const named = token.keyId === null ? [] : keys.filter(({ id }) => id === token.keyId);
  return (named.length > 0 ? named : keys).filter(({ algorithms }) => algorithms.has(token.algorithm));
}

// The registered claims of a verified payload (RFC 7519, section 4.1).

type ClaimRules = Pick<JwtSettings, "issuer" | "allowedSkewSeconds">;

/**
 * Checks all claims but the audience, which depends on the endpoint. Returns the expiry including tolerance, in milliseconds since 1970; `null` for never.
 * @param now in milliseconds since 1970
 * @throws EngineError `invalid-jwt`
 */
function checkRegisteredClaims(payload: JsonObject, rules: ClaimRules, now: number): number | null {
  const skew = rules.allowedSkewSeconds;
  const seconds = now / 1000;
  const expiry = numericDate(payload, "exp");
  const end = expiry === null ? null : endOf(expiry + skew);
  if (hasEnded(end, now)) throw tokenExpired();
  if ((numericDate(payload, "iat") ?? seconds) - skew > seconds) throw unverified("JWTIssuedAtFuture");
  if ((numericDate(payload, "nbf") ?? seconds) - skew > seconds) throw unverified("JWTNotYetValid");
  if (!isFromIssuer(payload.iss, rules.issuer)) throw unverified("JWTNotInIssuer");
  return end;
}

/** Converts a time to milliseconds. Returns `null` for times that milliseconds cannot represent. */
function endOf(seconds: number): number | null {
  return Number.isFinite(seconds * 1000) ? seconds * 1000 : null;
}

/**
 * Returns true if a grant has expired.
 * @param end the result of `checkRegisteredClaims`
 */
function hasEnded(end: number | null, now: number): boolean {
  return end !== null && now >= end;
}

function tokenExpired(): EngineError {
  return unverified("JWTExpired");
}

/** Returns true if the issuers are equal, the token has no issuer, or none is expected. */
export function isFromIssuer(issuer: unknown, expected: string | null): boolean {
  return expected === null || issuer === undefined || issuer === expected;
}

interface AudienceRules {
  /** Audiences of the JWT secret; `null` for any. Tokens without an audience are accepted. */
  readonly configured: readonly string[] | null;
  /** Audience of tokens for a single endpoint, which other endpoints refuse; `null` without such tokens. */
  readonly reserved: string | null;
  /** The audience that tokens for this endpoint must have; `undefined` for the configured ones. */
  readonly required: string | undefined;
}

/** @throws EngineError `invalid-jwt` unless the token is for the endpoint */
export function checkAudience({ audiences }: Pick<Grant, "audiences">, rules: AudienceRules): void {
  if (!isAccepted(audiences, rules)) throw unverified("JWTNotInAudience");
}

function isAccepted(audiences: Grant["audiences"], { configured, reserved, required }: AudienceRules): boolean {
  if (required !== undefined) return audiences?.includes(required) === true;
  if (audiences === null) return true;
  if (configured !== null) return audiences.some((one) => configured.includes(one));
  return reserved === null || audiences.some((one) => one !== reserved);
}

function audiencesOf({ aud }: JsonObject): readonly string[] | null {
  return aud === undefined ? null : texts(Array.isArray(aud) ? aud : [aud]);
}

function scopesOf({ scope, scp }: JsonObject): readonly string[] {
  const claim = scope ?? scp;
  if (Array.isArray(claim)) return texts(claim);
  return typeof claim === "string" ? parseScopes(claim) : [];
}

const texts = (values: readonly unknown[]): readonly string[] => values.filter((value) => typeof value === "string");

/** Returns seconds since 1970; `null` if the claim is absent. */
function numericDate(payload: JsonObject, claim: string): number | null {
  const value = payload[claim];
  if (value === undefined) return null;
  // Treating an invalid date as absent would make the token valid forever.
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw unverified(`JWTClaimsSetDecodeError ${claim}: expected a number of seconds`);
  }
  return value;
}
