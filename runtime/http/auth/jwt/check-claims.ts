/** The registered claims of a verified payload: for whom and when the token is good (RFC 7519, section 4.1). */
import type { JwtSettings } from "../../../config/jwt/jwt-config.ts";
import type { EngineError } from "../../../values/errors.ts";
import type { JsonObject } from "./compact-token.ts";
import { unverified } from "./errors.ts";

export type ClaimRules = Pick<JwtSettings, "audience" | "issuer" | "allowedSkewSeconds">;

/**
 * Answers when the token ends, tolerance included, in milliseconds since 1970; `null`: never.
 * @param now in milliseconds since 1970
 * @throws EngineError `invalid-jwt`
 */
export function checkRegisteredClaims(payload: JsonObject, rules: ClaimRules, now: number): number | null {
  const skew = rules.allowedSkewSeconds;
  const seconds = now / 1000;
  const expiry = numericDate(payload, "exp");
  const end = expiry === null ? null : endOf(expiry + skew);
  if (hasEnded(end, now)) throw tokenExpired();
  if ((numericDate(payload, "iat") ?? seconds) - skew > seconds) throw unverified("JWTIssuedAtFuture");
  if ((numericDate(payload, "nbf") ?? seconds) - skew > seconds) throw unverified("JWTNotYetValid");
  if (!isForAudience(payload.aud, rules.audience)) throw unverified("JWTNotInAudience");
  if (!isFromIssuer(payload.iss, rules.issuer)) throw unverified("JWTNotInIssuer");
  return end;
}

/** Dates too far away for a number of milliseconds are as good as none. */
function endOf(seconds: number): number | null {
  return Number.isFinite(seconds * 1000) ? seconds * 1000 : null;
}

/** @param end as `checkRegisteredClaims` answers it */
export function hasEnded(end: number | null, now: number): boolean {
  return end !== null && now >= end;
}

export function tokenExpired(): EngineError {
  return unverified("JWTExpired");
}

/** A token that does not say who issued it passes, as does each where nobody in particular has to. */
export function isFromIssuer(issuer: unknown, expected: string | null): boolean {
  return expected === null || issuer === undefined || issuer === expected;
}

/** A token that does not say for whom it is passes. */
function isForAudience(audience: unknown, expected: readonly string[] | null): boolean {
  if (expected === null || audience === undefined) return true;
  const given: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return given.some((one) => typeof one === "string" && expected.includes(one));
}

/** Seconds since 1970; `null`: the claim is absent. */
function numericDate(payload: JsonObject, claim: string): number | null {
  const value = payload[claim];
  if (value === undefined) return null;
  // What is no date must not count as none: the token would never end.
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw unverified(`JWTClaimsSetDecodeError ${claim}: expected a number of seconds`);
  }
  return value;
}
